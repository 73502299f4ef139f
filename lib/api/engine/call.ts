/** A request as plain values, the same for both hosts. A host creates the `Call` and writes the `Answer`. */
export interface Call {
  readonly method: string;
  /** The raw path, still percent-encoded: "/v1/quote". */
  readonly path: string;
  /** The query string without its question mark, still encoded; may be empty. */
  readonly search: string;
  /** The value of X-API-Key; undefined without one. */
  readonly apiKey: string | undefined;
  /** The value of Authorization, which may have the key as a Bearer token; absent without one. */
  readonly authorization?: string | undefined;
  /** The values of X-Request-Id, traceparent and Accept, which are read for every call; absent without them. */
  readonly callerId?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly accept?: string | undefined;
  readonly body: CallBody;
  /** Any other header by its lower-case name, repeated ones joined by commas; undefined without one. */
  header(name: string): string | undefined;
  /** The caller's trusted address; null if it is unknown. Computed on demand. */
  address(): string | null;
}

/** The body: nothing, its bytes, or the reason why they were dropped. */
export type CallBody = Uint8Array | "none" | "too_large";

export function formatHeaderLine(name: string, value: string | number): string {
  return `${name}: ${value}\r\n`;
}

/** Parses header lines into names and values. */
export function parseHeaderLines(lines: string): [name: string, value: string][] {
  return lines
    .split("\r\n")
    .slice(0, -1)
    .map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
}

/** Splits a request target such as "/v1/quote?symbol=EURUSD", without decoding it. */
export function splitTarget(target: string): Pick<Call, "path" | "search"> {
  const question = target.indexOf("?");
  return question === -1
    ? { path: target, search: "" }
    : { path: target.slice(0, question), search: target.slice(question + 1) };
}

/** Bytes of a body that a host reads, unless the endpoint sets another limit. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Whether a host reads the body of a request with this method. */
export function mayHaveBody(method: string | undefined): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}

/** A body over its limit is still read up to this size, so that the sender can read the error. Then it is cut off. */
export const MAX_DRAINED_BYTES = 8 * 1024 * 1024;

/** Characters of path and query together. */
export const MAX_URL_LENGTH = 8 * 1024;
