/**
 * Marks of imports in hand, kept beside the page so that one that was cut off by a reload or a closed tab is told at the
 * next start. What was half stored is deleted by the repository; this only remembers which files it was about.
 */
import type { OwnerLocks } from '../storage/owner-locks';

export interface ImportMarks {
  /** Marks an import of these files; the returned function takes the mark away. */
  begin(names: readonly string[]): () => void;
  /** Names of files whose import ended with its page; each is told once. */
  takeInterrupted(): Promise<string[]>;
}

const PREFIX = 'contextscope.importing.';
const lockName = (key: string): string => `lock ${key}`;

/** `storage` null = the browser keeps nothing: then nothing is remembered. A lock lives as long as its tab, so another tab's import is not called cut off; without Web Locks (an insecure origin) it is. */
export function createImportMarks(storage: Storage | null, locks: OwnerLocks, token: () => string): ImportMarks {
  if (storage === null) return { begin: () => () => undefined, takeInterrupted: () => Promise.resolve([]) };
  return {
    begin(names) {
      const key = `${PREFIX}${token()}`;
      const held = locks.hold(lockName(key)).catch(() => () => undefined);
      try {
        storage.setItem(key, JSON.stringify(names));
      } catch {
        // Full or blocked: the import works, only a cut would not be told.
      }
      return () => {
        storage.removeItem(key);
        void held.then((release) => release());
      };
    },
    async takeInterrupted() {
      const found: string[] = [];
      const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i)).filter((key): key is string => key?.startsWith(PREFIX) === true);
      for (const key of keys) {
        if ((await locks.isHeld(lockName(key)).catch(() => null)) === true) continue;
        found.push(...namesOf(storage.getItem(key)));
        storage.removeItem(key);
      }
      return [...new Set(found)];
    },
  };
}

function namesOf(text: string | null): string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];
  } catch {
    return [];
  }
}
