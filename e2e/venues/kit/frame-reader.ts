import { SOH } from "@/e2e/venues/kit/messages";

/** Finds messages in a stream of bytes: FIX messages, JSON values without anything between them, or lines. */
export interface FrameReader {
  push(bytes: Buffer): void;
}

const [OPEN_BRACE, OPEN_BRACKET, CLOSE_BRACE, CLOSE_BRACKET] = [123, 91, 125, 93];
const [QUOTE, BACKSLASH, SPACE, NEWLINE] = [34, 92, 32, 10];
const FIX_BEGIN = "8=";
/** CheckSum is always the last field and has three digits. */
const CHECKSUM_BEGIN = `${SOH}10=`;
const CHECKSUM_BYTES = CHECKSUM_BEGIN.length + "000".length + SOH.length;

export function createFrameReader(onMessage: (text: string) => void): FrameReader {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(bytes) {
      rest = Buffer.concat([rest, bytes]);
      for (;;) {
        const start = skipBlanks(rest);
        const end = findEnd(rest, start);
        if (end === -1) return;
        onMessage(rest.toString("utf8", start, end).replace(/\r?\n$/, ""));
        rest = rest.subarray(end);
      }
    },
  };
}

function skipBlanks(bytes: Buffer): number {
  let start = 0;
  while (start < bytes.length && (bytes[start] as number) <= SPACE) start++;
  return start;
}

/** Where the message that begins at `start` ends; -1 if it is not complete. */
function findEnd(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return findJsonEnd(bytes, start);
  if (FIX_BEGIN.startsWith(bytes.toString("latin1", start, start + FIX_BEGIN.length))) {
    const checksum = bytes.indexOf(CHECKSUM_BEGIN, start, "latin1");
    return checksum === -1 || checksum + CHECKSUM_BYTES > bytes.length ? -1 : checksum + CHECKSUM_BYTES;
  }
  const newline = bytes.indexOf(NEWLINE, start);
  return newline === -1 ? -1 : newline + 1;
}

function findJsonEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) {
      isInString = true;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
    } else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) {
      return at + 1;
    }
  }
  return -1;
}
