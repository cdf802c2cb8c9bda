/**
 * The payload store, read side: what a handle, placeholder, notice or recovered block stands for, byte for byte, through
 * any number of levels (model.md §3, invariant 2). The fold keeps columns only; text comes from a callback.
 */
import { ContextscopeError } from '../base/errors';
import { sha256Hex, sha256HexOfBytes } from '../base/sha256';
import { combineChecksums } from './checksum';
import { graphOf, standsForOthers, type BlockGraph } from './block-graph';
import { blockId, KIND, STATUS } from './kinds';
import type { Replay } from './types';

/** Text of a base block (index into the block table), exactly as recorded. */
export type BaseText = (base: number) => string;

export interface Payload {
  bytes: Uint8Array;
  /** False = part of it was deleted; `bytes` is what is left, in order. */
  complete: boolean;
}

const encoder = new TextEncoder();

/** Reads a stored payload, whole or bytes [from, to). `status` = the state's status column at the step of the read. */
export function readPayload(replay: Replay, status: Uint8Array, item: number, textOf: BaseText, range?: readonly [number, number]): Payload {
  const graph = graphOf(replay.blocks);
  if (status[item] === STATUS.deleted) throw deleted(item);
  const pieces: Uint8Array[] = [];
  let complete = true;
  let at = 0;
  for (const piece of piecesOf(graph, item)) {
    const gone = piece.path.some((block) => status[block] === STATUS.deleted);
    const length = replay.blocks.payloadBytes[piece.leaf] ?? 0;
    const [from, to] = range ? [Math.max(0, range[0] - at), Math.min(length, range[1] - at)] : [0, length];
    at += length;
    if (from >= to && !(range === undefined && length === 0)) continue;
    if (gone) {
      if (range) throw deleted(piece.leaf);
      complete = false;
      continue;
    }
    pieces.push(bytesOf(replay, piece.leaf, textOf).subarray(from, to));
  }
  return { bytes: join(pieces), complete };
}

/** Is what `item` stores intact? Compares the checksums of all its blocks with the one it carries. */
export function verifyPayload(replay: Replay, item: number, textOf: BaseText): boolean {
  return checksumAgain(replay, graphOf(replay.blocks), item, textOf) === (replay.blocks.checksum[item] ?? '');
}

function checksumAgain(replay: Replay, graph: BlockGraph, item: number, textOf: BaseText): string {
  const base = replay.blocks.base[item] ?? -1;
  if (base >= 0) return sha256HexOfBytes(bytesOf(replay, item, textOf));
  const count = graph.memberCount(item);
  if (count === 0 || !standsForOthers(graph.kindOf(item))) return sha256Hex(replay.blocks.text[item] ?? '');
  return combineChecksums(Array.from({ length: count }, (_, k) => checksumAgain(replay, graph, graph.member(item, k), textOf)));
}

interface PayloadPiece { leaf: number; path: number[] }

/** Leaves in payload order with the stored blocks on the way to them; a recovered copy owns its bytes, so its path ends there. */
function piecesOf(graph: BlockGraph, item: number): PayloadPiece[] {
  const pieces: PayloadPiece[] = [];
  const waiting: { at: number; path: number[]; copied: boolean }[] = [{ at: item, path: [], copied: false }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { at, copied } = next;
    const path = copied ? next.path : [...next.path, at];
    const inCopy = copied || graph.kindOf(at) === KIND.recovered;
    const count = graph.memberCount(at);
    if (count === 0 || !standsForOthers(graph.kindOf(at))) pieces.push({ leaf: at, path });
    else for (let k = count - 1; k >= 0; k--) waiting.push({ at: graph.member(at, k), path, copied: inCopy });
  }
  return pieces;
}

function bytesOf(replay: Replay, leaf: number, textOf: BaseText): Uint8Array {
  const { blocks } = replay;
  const base = blocks.base[leaf] ?? -1;
  if (base >= 0) return encoder.encode(textOf(base));
  const from = blocks.recoveredRange[leaf * 2] ?? NaN;
  if (blocks.kind[leaf] !== KIND.recovered || Number.isNaN(from)) return encoder.encode(blocks.text[leaf] ?? '');
  // A copy that was read by bytes: it owns them, whatever became of its source.
  return readPayload(replay, new Uint8Array(0), blocks.parent[leaf] ?? -1, textOf, [from, blocks.recoveredRange[leaf * 2 + 1] ?? from]).bytes;
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const deleted = (item: number): ContextscopeError =>
  new ContextscopeError('not-found', `${blockId(item)} was deleted; its payload no longer exists.`);
