import type { ImportedGroup } from '../core/import/types';
import { createTraceReader } from '../core/import/reader';
import { traceFaults } from '../core/trace/integrity';
import type { Part } from '../core/trace/model';

function shown(part: Part): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'reasoning') return `(${part.text})`;
  if (part.type === 'tool_call') return `call ${part.id} ${part.name} ${part.args}`;
  if (part.type === 'tool_result') return `result ${part.callId}${part.isError ? ' error' : ''}: ${part.content.map(shown).join()}`;
  return part.type;
}

/** One line a thread and one a message, as they read back through their spans. Throws when a reference is loose. */
export async function readable({ source, trajectories }: ImportedGroup): Promise<string[]> {
  const out: string[] = [];
  for (const trajectory of trajectories) {
    const [fault] = traceFaults(trajectory, source.size);
    if (fault !== undefined) throw new Error(fault);
    const reader = createTraceReader(source, trajectory);
    for (const thread of trajectory.threads) {
      out.push(`# ${trajectory.name} ${thread.id}${thread.parentThread ? ` in ${thread.parentThread} by ${thread.spawnedBy}` : ''}`);
      await reader.readMessages(thread.main, ({ role, parts }) => { out.push(`${role} ${parts.map(shown).join(' | ')}`); });
    }
  }
  return out;
}
