import type { OpName } from './types';

/** Ops after which something is no longer in the context. */
export const REMOVING_OPS: ReadonlySet<OpName> = new Set<OpName>(['archive', 'offload', 'delete', 'mask', 'clear', 'trim', 'summarise', 'fold', 'reject']);
/** Ops that bring something back into it. */
export const RETURNING_OPS: ReadonlySet<OpName> = new Set<OpName>(['recover', 'expand']);
