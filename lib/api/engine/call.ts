/**
 * What the pipeline speaks: plain values, so that it is the same whichever host carries it. A host makes a `Call`
 * of what its HTTP library gives it, and writes the `Answer` out.
 */
export interface Call {
  readonly method: string;
  /** The path as it came, still percent-encoded: "/v1/quote". */
  readonly path: string;
  /** What follows the question mark, still encoded; empty if nothing does. */
  readonly search: string;
  /** The value of X-API-Key; undefined without one. */
  readonly apiKey: string | undefined;
  readonly body: CallBody;
  /** Any other header by its lower-case name, repeated ones joined; undefined without one. */
  header(name: string): string | undefined;
  /** The caller's address, as far as it can be trusted; null when it is not known. Asked for only when it matters. */
  address(): string | null;
}

/** The body as received: nothing, its bytes, or the reason why it was not kept. */
export type CallBody = Uint8Array | "none" | "too_large";

export interface Answer {
  readonly status: number;
  /** Header lines as they are sent, each ended by CRLF. Never Content-Length: the host adds it. */
  readonly headers: string;
  /** Text, or bytes that are ready to be sent. */
  readonly body: string | Uint8Array;
  /** Known to hold ASCII only: its bytes are its characters, and need neither counting nor encoding. */
  readonly isAscii: boolean;
}

export function headerLine(name: string, value: string | number): string {
  return `${name}: ${value}\r\n`;
}

/** The names and values of header lines. */
export function parseHeaderLines(lines: string): [name: string, value: string][] {
  return lines
    .split("\r\n")
    .slice(0, -1)
    .map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
}

/** A request target such as "/v1/quote?symbol=EURUSD", taken apart and left encoded. */
export function splitTarget(target: string): Pick<Call, "path" | "search"> {
  const question = target.indexOf("?");
  return question === -1
    ? { path: target, search: "" }
    : { path: target.slice(0, question), search: target.slice(question + 1) };
}

/** Bytes of a body that a host reads, unless the endpoint sets another limit. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * A refused body is still read to its end, so that the sender gets to read the refusal and the connection stays in
 * step; past this many bytes the sender is cut off instead.
 */
export const MAX_DRAINED_BYTES = 8 * 1024 * 1024;

/** Characters of path and query together. */
export const MAX_URL_LENGTH = 8 * 1024;
