/**
 * Who owns a running import. A lock lives as long as the tab or worker that holds it, so what is found without its
 * lock was left behind. Where the page has no locks (an insecure origin) the heartbeat of the import row decides.
 */
export interface OwnerLocks {
  /** Holds until the returned function is called or the context dies. */
  hold(name: string): Promise<() => void>;
  /** null = cannot say. */
  isHeld(name: string): Promise<boolean | null>;
}

/** An import without a sign of life for so long is taken as abandoned; it gives one every few seconds. */
export const HEARTBEAT_EXPIRY_MS = 60_000;
export const HEARTBEAT_EVERY_MS = 5_000;

function webLocks(locks: LockManager): OwnerLocks {
  return {
    hold: (name) =>
      new Promise((resolve, reject) => {
        locks
          .request(name, () => new Promise<void>((release) => resolve(release)))
          .catch(reject);
      }),
    isHeld: (name) => locks.request(name, { ifAvailable: true }, (lock) => Promise.resolve(lock === null)),
  };
}

/** Locks within one context only: it cannot speak for other tabs. */
export function localLocks(): OwnerLocks {
  const held = new Set<string>();
  return {
    hold: (name) => {
      held.add(name);
      return Promise.resolve(() => void held.delete(name));
    },
    isHeld: (name) => Promise.resolve(held.has(name) ? true : null),
  };
}

export function ownerLocks(): OwnerLocks {
  const locks = (globalThis.navigator as Navigator | undefined)?.locks;
  return locks ? webLocks(locks) : localLocks();
}
