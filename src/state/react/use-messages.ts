import { useSyncExternalStore } from 'react';
import type { Message } from '../../core/trace/model';
import { MessageCache } from '../message-cache';
import { useApp } from './app-context';
import type { OpenLine } from '../../workers/api';

const caches = new WeakMap<OpenLine, MessageCache>();

/** The cache of an open line; it goes when the line does. */
function useMessageCache(line: OpenLine): MessageCache {
  const { workbench } = useApp();
  let cache = caches.get(line);
  if (cache === undefined) {
    cache = new MessageCache(line.rows, (rows) => workbench.readMessages(line.runId, rows));
    caches.set(line, cache);
  }
  return cache;
}

/** The message at a position of the line; undefined while it is read, an Error when it could not be. */
export function useMessage(line: OpenLine, position: number | null): Message | Error | undefined {
  const cache = useMessageCache(line);
  return useSyncExternalStore(cache.subscribe, () => (position === null ? undefined : cache.get(position)));
}
