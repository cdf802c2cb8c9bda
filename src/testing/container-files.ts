import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzip, tar, zip, zipMember, zstd } from './archives';
import type { CorpusFile } from './corpus-files';
import { cursorDatabase, gooseDatabase, opencodeDatabase } from './databases';
import { parquet } from './parquet';
import type { ParquetColumn } from './parquet';

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'instance_id', values: ['one', 'two', null, 'four'] },
  { name: 'messages', fields: ['role', 'content', 'tool_call_id'], values: [[{ role: 'user', content: 'Look at it', tool_call_id: null }, { role: 'assistant', content: 'I did', tool_call_id: null }], [{ role: 'system', content: null, tool_call_id: null }], null, [{ role: 'tool', content: 'seen', tool_call_id: 'c' }]] },
  { name: 'step', values: [1, null, 3, 4] },
];

/** Small containers of every kind there is, for mutants of them: what is broken in them is broken before any format is asked. */
export async function containerFiles(): Promise<CorpusFile[]> {
  const csv = new Uint8Array(readFileSync(resolve(import.meta.dirname, '../core/import/fixtures/message-table/unsorted-with-semicolons.csv')));
  const chat = JSON.stringify({ messages: [{ role: 'user', content: 'x' }, { role: 'assistant', content: 'y', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] }, { role: 'tool', tool_call_id: 'a', content: 'z' }] });
  const files: [string, Uint8Array][] = [
    ['opencode.db', await opencodeDatabase()], ['sessions.db', await gooseDatabase()], ['state.vscdb', await cursorDatabase()], ['rows.csv', csv],
    ...(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD'] as const).map((codec): [string, Uint8Array] => [`${codec}.parquet`, parquet(COLUMNS, { codec, rowsAGroup: 2 })]),
    ['chat.gz', gzip(chat)], ['chat.zst', zstd(chat)], ['chats.zip', zip([zipMember('a.json', chat, 8), zipMember('b.csv', csv, 93)])], ['chats.tar', tar([{ name: 'a.json', content: chat }, { name: 'b.csv', content: csv }])],
  ];
  return files.map(([name, bytes]) => ({ name: `containers/${name}`, bytes }));
}
