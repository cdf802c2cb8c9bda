/**
 * What page and workers say to each other. A call is answered by exactly one `result` or `error` of its id; events of
 * the id may come before it. A `cancel` asks a call to end soon; it still answers. `ping` is answered by `pong` as
 * soon as the worker reads messages again, which tells a busy worker from a hung one.
 */
import { ContextscopeError, type ErrorCode, type ErrorPlace } from '../core/base/errors';
import type { Piece } from './pieces';

export type ToWorker =
  | { type: 'call'; id: number; method: string; args: unknown[] }
  | { type: 'cancel'; id: number }
  | { type: 'ping' };

export type FromWorker =
  | { type: 'result'; id: number; value: unknown }
  | { type: 'error'; id: number; error: WireError }
  | { type: 'event'; id: number; name: string; value: unknown }
  /** A part of the coming result. */
  | { type: 'piece'; id: number; piece: Piece }
  | { type: 'pong' }
  /** The worker could not read a message: nobody knows which call it was. */
  | { type: 'unreadable' };

/** An Error in a form that survives structured cloning with its code and place. */
export interface WireError { code: ErrorCode; message: string; place: ErrorPlace; stack?: string }

export function toWireError(error: unknown): WireError {
  if (error instanceof ContextscopeError) return { code: error.code, message: error.message, place: error.place };
  if (error instanceof Error) {
    const code = error.name === 'AbortError' ? 'cancelled' : 'internal';
    return { code, message: error.message || error.name, place: {}, stack: error.stack };
  }
  return { code: 'internal', message: String(error), place: {} };
}

export function fromWireError(wire: WireError): ContextscopeError {
  const error = new ContextscopeError(wire.code, wire.message, wire.place);
  if (wire.stack !== undefined) error.stack = wire.stack;
  return error;
}
