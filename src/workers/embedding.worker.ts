import { openRepository } from '../storage/open';
import { fetchingReader } from './embedding-assets';
import { repositoryCache } from './embedding-cache';
import type { EmbeddingRequest, EmbeddingResponse } from './embedding-protocol';
import { EmbeddingService } from './embedding-service';
import { browserEngine, browserOwnModel } from './ort-browser';

// The DOM library types `self` as a window; of a worker's scope only this differs here.
const scope = self as unknown as { postMessage(message: EmbeddingResponse, transfer: ArrayBuffer[]): void };
const service = new EmbeddingService({
  readerFor: fetchingReader,
  createEngine: browserEngine,
  openOwnModel: browserOwnModel,
  cache: repositoryCache(openRepository),
  post: (response, transfer) => scope.postMessage(response, transfer),
});
self.addEventListener('message', (event: MessageEvent<EmbeddingRequest>) => void service.handle(event.data));
