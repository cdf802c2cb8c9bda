import { asArray, asObject } from '../base/json';

/** A trace or span id as hex: OTLP writes hex, plain protobuf JSON base64, and some SDKs bytes (import-cases.md 64). '' = none. */
export function spanId(value: unknown): string {
  if (typeof value === 'string') {
    if (/^(0x)?[0-9a-fA-F]+$/.test(value) && value.replace(/^0x/, '').length % 16 === 0) return /^(0x)?0+$/.test(value) ? '' : value.replace(/^0x/, '').toLowerCase();
    // 8 and 16 bytes are 12 and 24 characters of base64.
    return /^[A-Za-z0-9+/]{11}=$|^[A-Za-z0-9+/]{22}==$/.test(value) ? toHex(Array.from(atob(value), (letter) => letter.charCodeAt(0))) : value;
  }
  const bytes = asArray(value) ?? asArray(asObject(value)?.['data']) ?? Object.values(asObject(value) ?? {});
  return bytes.every((byte): byte is number => typeof byte === 'number') ? toHex(bytes) : '';
}

function toHex(bytes: readonly number[]): string {
  return bytes.map((byte) => (byte & 0xff).toString(16).padStart(2, '0')).join('');
}
