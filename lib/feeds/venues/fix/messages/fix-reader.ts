import { FixMessage } from "@/lib/feeds/venues/fix/messages/fix-message";
import { type Frame, measureMessage } from "@/lib/feeds/venues/fix/messages/measure-message";
import { SOH, TAG } from "@/lib/feeds/venues/fix/messages/tags";

const BEGIN = "8=FIX";
const EMPTY = Buffer.alloc(0);
const EQUALS = 61;
/** The fields that say how long the next one is, which may then have any bytes: SignatureLength, RawDataLength, … */
const LENGTH_TAGS: ReadonlySet<number> = new Set([90, 93, 95, 212, 348, 350, 352, 354, 356, 358, 360, 362, 364]);

/**
 * Finds the messages in a stream of bytes, which may be split anywhere. Messages with a wrong BodyLength or CheckSum, and
 * bytes between messages, are left out, as the specification demands.
 */
export class FixReader {
  /** The number of messages that were left out. */
  garbled = 0;
  #rest: Buffer = EMPTY;
  readonly #message = new FixMessage();
  readonly #frame: Frame = { beginEnd: 0, bodyStart: 0, bodyEnd: 0, end: 0 };

  /**
   * Calls `handle` with each message that is complete now. The message is valid until `handle` returns. Throws if a
   * message is too long, and whatever `handle` throws.
   */
  read(chunk: Buffer, handle: (message: FixMessage) => void): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = EMPTY;
    let from = 0;
    for (;;) {
      const start = bytes.indexOf(BEGIN, from);
      if (start === -1) {
        // The end may be a part of the next begin.
        this.#rest = bytes.subarray(Math.max(from, bytes.length - BEGIN.length + 1));
        return;
      }
      const measured = measureMessage(bytes, start, this.#frame);
      if (measured === "incomplete") {
        this.#rest = bytes.subarray(start);
        return;
      }
      const isMessage = measured === "whole" && this.#parse(bytes, start);
      from = isMessage ? this.#frame.end : start + BEGIN.length;
      if (isMessage) handle(this.#message);
      else this.garbled++;
    }
  }

  /** Returns false if the message does not begin with its type: then it is garbled too. */
  #parse(bytes: Buffer, start: number): boolean {
    const message = this.#message;
    const { beginEnd, bodyStart, bodyEnd } = this.#frame;
    message.begin(bytes, bytes.toString("latin1", start + 2, beginEnd));
    let valueBytes = 0;
    for (let at = bodyStart; at < bodyEnd;) {
      let tag = 0;
      let valueStart = at;
      for (let digit = readDigit(bytes, at); digit >= 0; digit = readDigit(bytes, valueStart)) {
        tag = tag * 10 + digit;
        valueStart++;
      }
      if (valueStart === at || bytes[valueStart] !== EQUALS) tag = 0;
      else valueStart++;
      if (tag === 0) message.isMalformed = true;
      let end = valueStart + valueBytes;
      while (end < bodyEnd && bytes[end] !== SOH) end++;
      message.add(tag, valueStart, Math.min(end, bodyEnd - 1));
      valueBytes = LENGTH_TAGS.has(tag) ? Number(message.valueAt(message.count - 1)) || 0 : 0;
      at = end + 1;
    }
    return message.count > 0 && message.tagAt(0) === TAG.msgType;
  }
}

/** Returns -1 for anything else than a digit. */
function readDigit(bytes: Buffer, at: number): number {
  const digit = (bytes[at] ?? 0) - 48;
  return digit >= 0 && digit <= 9 ? digit : -1;
}
