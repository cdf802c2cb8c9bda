/**
 * Headers of the built page. Isolation gives SharedArrayBuffer (threads for the encoders); the policy lets nothing be
 * loaded from or sent to anywhere but the page's own origin, and no text of a trace run as script or style.
 */
export const ISOLATION_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

const DIRECTIVES = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** For a `<meta>` element in the built page, so that any static host has it. */
export const CONTENT_SECURITY_POLICY = DIRECTIVES.join('; ');

/** `frame-ancestors` only works as a header. */
export const CSP_HEADER = [...DIRECTIVES, "frame-ancestors 'none'"].join('; ');
