import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Incremental SHA-256. Node passes one on node:crypto (several times faster), a worker may hash on another thread. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** Lower-case hexadecimal. Called once, after the last update. */
  digest(): string | Promise<string>;
}

/** SHA-256 in plain TypeScript; runs everywhere. */
export function nobleHasher(): Hasher {
  const hash = sha256.create();
  return {
    update: (bytes) => { hash.update(bytes); },
    digest: () => bytesToHex(hash.digest()),
  };
}
