import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

/** Every custom rule has a known-bad example that must be reported: a silent rule protects nothing. */
const eslint = new ESLint();

async function rulesReported(filePath: string, code: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath });
  return result!.messages.map((message) => message.ruleId);
}

describe('lint rules', () => {
  it.each([
    ['base imports trace', 'src/core/base/known-bad.ts', "import { ROLES } from '../trace/model';\nexport const x = ROLES;\n"],
    ['trace imports import', 'src/core/trace/known-bad.ts', "import type { ImportReport } from '../import/types';\nexport type X = ImportReport;\n"],
    ['core imports a worker', 'src/core/workspace/known-bad.ts', "import type { Workbench } from '../../workers/api';\nexport type X = Workbench;\n"],
    ['storage imports testing', 'src/storage/known-bad.ts', "import { hasShared } from '../testing/shared';\nexport const x = hasShared;\n"],
  ])('%s is denied', async (_name, filePath, code) => {
    expect(await rulesReported(filePath, code)).toContain('boundaries/dependencies');
  });

  it('allows what the table lists', async () => {
    const code = "import { sha256Hex } from '../base/sha256';\nexport const x = sha256Hex('');\n";
    expect(await rulesReported('src/core/trace/known-good.ts', code)).toEqual([]);
  });

  it.each([
    ['the inference runtime outside its adapters', 'src/workers/client-known-bad.ts', "import * as ort from 'onnxruntime-web';\nexport const x = ort;\n"],
    ['React in core', 'src/core/layout/known-bad.ts', "import { useState } from 'react';\nexport const x = useState;\n"],
    ['Node in core', 'src/core/base/known-bad.ts', "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;\n"],
    ['the database outside storage', 'src/state/known-bad.ts', "import Dexie from 'dexie';\nexport const x = Dexie;\n"],
  ])('%s is denied', async (_name, filePath, code) => {
    expect(await rulesReported(filePath, code)).toContain('no-restricted-imports');
  });

  it('denies a file in a folder that is not in the table', async () => {
    expect(await rulesReported('src/helpers/known-bad.ts', 'export const x = 1;\n')).toContain('boundaries/no-unknown-files');
  });

  it('lets the composition root import views', async () => {
    expect(await rulesReported('src/main.tsx', "import { ROLES } from './core/trace/model';\nexport const x = ROLES;\n")).toEqual([]);
  });

  it('reports a suppression instead of obeying it', async () => {
    const code = "// eslint-disable-next-line\nimport Dexie from 'dexie';\nexport const x = Dexie;\n";
    expect(await rulesReported('src/state/known-bad.ts', code)).toContain('no-restricted-imports');
  });
});
