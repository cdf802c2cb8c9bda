import type { FileOperation } from './detect-operations';
import { normalisePath } from './tool-arguments';

const OPEN = /open\(\s*(?:(['"])([^\n]*?)\1|([^,()]+))\s*,\s*(?:mode\s*=\s*)?(['"])(?:[wax]|r\+)[bt+]*\4/g;
const METHODS = /\.(write_text|write_bytes|to_csv|to_excel|to_json|savefig|save)\(\s*(?:(['"])([^\n]*?)\2)?/g;
const DUMPS = /\b(json\.dump|pickle\.dump)\(/g;
const MOVES = /\b(shutil\.(?:copy\w*|move|rmtree)|os\.(?:remove|rename|makedirs))\(\s*(?:(['"])([^\n]*?)\2)?(?:\s*,\s*(['"])([^\n]*?)\4)?/g;
const PATH_OBJECT = /Path\(\s*(['"])([^\n]*?)\1\s*\)\s*\.(write_text|write_bytes)\(/g;

/** Group of writes whose path is not a literal. */
const NO_PATH = '(python)';

/** Writes that Python code names (gem.md §7). */
export function pythonWrites(code: string): FileOperation[] {
  const found: FileOperation[] = [];
  const add = (path: string | undefined, what: string): void => {
    found.push({ role: 'write', path: path ? normalisePath(path) : NO_PATH, rule: `python ${what}` });
  };
  for (const match of code.matchAll(OPEN)) {
    found.push({ role: 'write', path: match[2] === undefined ? NO_PATH : normalisePath(match[2]), rule: 'python open' });
  }
  for (const match of code.matchAll(PATH_OBJECT)) found.push({ role: 'write', path: normalisePath(match[2]!), rule: `python ${match[3]!}` });
  for (const match of code.matchAll(METHODS)) {
    const method = match[1]!;
    if (!method.startsWith('write_')) add(match[3], method);
    else if (!found.some((operation) => operation.rule === `python ${method}`)) add(undefined, method);
  }
  for (const match of code.matchAll(MOVES)) add(match[5] || match[3], match[1]!);
  for (const match of code.matchAll(DUMPS)) if (found.length === 0) add(undefined, match[1]!);
  return found;
}
