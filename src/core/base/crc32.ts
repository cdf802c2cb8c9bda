const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 as in ZIP and gzip (reflected, polynomial 0xEDB88320), over pieces. */
export class Crc32 {
  private state = 0xffffffff;
  update(bytes: Uint8Array): void {
    let { state } = this;
    for (let i = 0; i < bytes.length; i++) state = (state >>> 8) ^ TABLE[(state ^ bytes[i]!) & 0xff]!;
    this.state = state;
  }
  /** Unsigned. */
  value(): number { return (this.state ^ 0xffffffff) >>> 0; }
}
