import { bytesSource, blobSource } from './byte-source';
import type { ByteSource } from './byte-source';
import { concatSource } from './concat-source';

/** Takes bytes as they are unpacked and gives them back as a source. */
export interface Spool {
  readonly size: number;
  /** The bytes are copied. */
  write(bytes: Uint8Array): void;
  finish(name: string): ByteSource;
}

/** Small pieces are gathered: a source of a thousand pieces would be slow to read. */
const BLOCK_BYTES = 4 * 1024 * 1024;

abstract class BlockSpool implements Spool {
  size = 0;
  private block = new Uint8Array(0);
  private filled = 0;

  write(bytes: Uint8Array): void {
    this.size += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      if (this.filled === this.block.length) this.nextBlock(bytes.length - at);
      const step = Math.min(bytes.length - at, this.block.length - this.filled);
      this.block.set(bytes.subarray(at, at + step), this.filled);
      this.filled += step;
      at += step;
    }
  }

  finish(name: string): ByteSource {
    if (this.filled > 0) this.keep(this.block.subarray(0, this.filled));
    this.filled = 0;
    this.block = new Uint8Array(0);
    return this.source(name);
  }

  /** Blocks grow: an archive may have ten thousand members of a hundred bytes. */
  private nextBlock(wanted: number): void {
    const length = Math.min(BLOCK_BYTES, Math.max(4096, wanted, this.block.length * 2));
    if (this.filled > 0) this.keep(this.block);
    this.block = new Uint8Array(length);
    this.filled = 0;
  }

  /** The array is given away. */
  protected abstract keep(block: Uint8Array<ArrayBuffer>): void;
  protected abstract source(name: string): ByteSource;
}

class MemorySpool extends BlockSpool {
  private readonly blocks: Uint8Array[] = [];
  protected override keep(block: Uint8Array): void { this.blocks.push(block); }
  protected override source(name: string): ByteSource {
    return this.blocks.length === 1 ? bytesSource(name, this.blocks[0]!) : concatSource(name, this.blocks.map((block) => bytesSource(name, block)));
  }
}

class BlobSpool extends BlockSpool {
  private readonly blobs: Blob[] = [];
  // The browser keeps a Blob where it likes, on disk when it is large; an array of ours would stay in memory.
  protected override keep(block: Uint8Array<ArrayBuffer>): void { this.blobs.push(new Blob([block])); }
  protected override source(name: string): ByteSource { return blobSource(name, new Blob(this.blobs)); }
}

export const memorySpool = (): Spool => new MemorySpool();
/** The finished source has its Blob. */
export const blobSpool = (): Spool => new BlobSpool();
