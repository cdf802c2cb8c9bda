import { hashBlob } from './hash-blob';
import type { Endpoint } from './endpoint';
import { serveRpc } from './rpc-server';

serveRpc(self as unknown as Endpoint, { hash: ({ signal }, blob: Blob) => hashBlob(blob, signal) });
