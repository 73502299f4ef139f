/** Ids that callers send along, which answers repeat: only characters that are safe in headers, logs and JSON. */

const CALLER_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;
/** W3C Trace Context, version 00; later versions begin in the same way. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The X-Request-Id of a caller; null without one, and for one that is too long or has other characters. */
export function readCallerId(text: string | undefined): string | null {
  return text !== undefined && CALLER_ID.test(text) ? text : null;
}

/** The header line that repeats a traceparent; empty without a valid one. */
export function formatTraceparent(text: string | undefined): string {
  return text !== undefined && TRACEPARENT.test(text) ? `traceparent: ${text}\r\n` : "";
}
