import type { EncodingName } from '../trace/blocks-types';

/** Exact BPE token counts; special tokens are treated as ordinary text. */
export interface TokenCounter {
  readonly encoding: EncodingName;
  count(text: string): number;
}
