import { BEGIN_STRING, SOH } from "@/lib/feeds/venues/fix/messages/tags";

/** No venue's message comes near: a snapshot of a whole book has some thousand bytes. */
const MAX_MESSAGE_BYTES = 1_024 * 1_024;
/** `8=FIXT.1.1` is the longest begin of a message. */
const MAX_BEGIN_BYTES = 16;
const MAX_LENGTH_DIGITS = 9;
/** `10=123` and the end of the field. */
const TRAILER_BYTES = 7;

/** No value can have this, as it has the end of a field. */
const NEXT = `8=${BEGIN_STRING}\x019=`;

/** Where the parts of a message are. Reused, as there is one for every message. */
export interface Frame {
  /** Where the value of BeginString ends. */
  beginEnd: number;
  /** Where the fields after BodyLength begin. */
  bodyStart: number;
  /** Where CheckSum begins. */
  bodyEnd: number;
  end: number;
}

/** "garbled" if BeginString, BodyLength and CheckSum do not fit: such a message is ignored. */
export type Measured = "whole" | "incomplete" | "garbled";

/**
 * Measures the message that begins with `8=FIX` at `start`, and checks BodyLength (9) and CheckSum (10). Throws if it is
 * longer than any message of a venue.
 */
export function measureMessage(bytes: Buffer, start: number, frame: Frame): Measured {
  const beginEnd = bytes.indexOf(SOH, start);
  if (beginEnd === -1) return bytes.length - start < MAX_BEGIN_BYTES ? "incomplete" : "garbled";
  if (beginEnd - start > MAX_BEGIN_BYTES) return "garbled";
  const digits = beginEnd + 3;
  if (!isText(bytes, beginEnd + 1, "9=")) return bytes.length < digits ? "incomplete" : "garbled";
  const lengthEnd = bytes.indexOf(SOH, digits);
  if (lengthEnd === -1 && bytes.length - digits <= MAX_LENGTH_DIGITS) return "incomplete";
  const length = readDigits(bytes, digits, lengthEnd);
  if (lengthEnd === -1 || Number.isNaN(length) || lengthEnd - digits > MAX_LENGTH_DIGITS) return "garbled";
  if (length > MAX_MESSAGE_BYTES) throw new Error(`a message has more than ${MAX_MESSAGE_BYTES} bytes`);
  frame.beginEnd = beginEnd;
  frame.bodyStart = lengthEnd + 1;
  frame.bodyEnd = frame.bodyStart + length;
  frame.end = frame.bodyEnd + TRAILER_BYTES;
  if (frame.end > bytes.length) {
    // The next message has begun within this one: its length is wrong.
    return bytes.indexOf(NEXT, lengthEnd) === -1 ? "incomplete" : "garbled";
  }
  return hasRightChecksum(bytes, start, frame) ? "whole" : "garbled";
}

function hasRightChecksum(bytes: Buffer, start: number, { bodyEnd, end }: Frame): boolean {
  if (bytes[bodyEnd - 1] !== SOH || bytes[end - 1] !== SOH || !isText(bytes, bodyEnd, "10=")) return false;
  let sum = 0;
  for (let at = start; at < bodyEnd; at++) sum += bytes[at] ?? 0;
  return readDigits(bytes, bodyEnd + 3, end - 1) === (sum & 255);
}

function isText(bytes: Buffer, start: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** Returns NaN for no digits and for anything else. */
function readDigits(bytes: Buffer, start: number, end: number): number {
  let value = start < end ? 0 : NaN;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 48;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : NaN;
  }
  return value;
}
