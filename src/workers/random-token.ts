/** 128 random bits, hexadecimal. (`crypto.randomUUID` is missing where the page is not served securely.) */
export function randomToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
