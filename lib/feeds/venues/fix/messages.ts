import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const MAX_TEXT_LENGTH = 300;

/**
 * The fields of one message, in their order, from MsgType (35) to the last before CheckSum (10). A value becomes a string
 * only when it is read. A reader uses one object for all messages, so what must outlive the next message is copied.
 */
export class FixMessage {
  /** Like `FIX.4.4`. */
  beginString = "";
  /** Whether a field has no number, although the checksum is right. Such a field has the tag 0. */
  isMalformed = false;
  count = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #type = "";
  readonly #tags: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  get type(): string {
    if (this.#type === "") this.#type = this.valueAt(0);
    return this.#type;
  }

  /** In bytes. */
  get size(): number {
    return (this.#ends[this.count - 1] ?? 0) - (this.#starts[0] ?? 0);
  }

  /** MsgSeqNum; NaN if there is none. */
  get number(): number {
    return this.readInteger(TAG.msgSeqNum);
  }

  get isPossibleDuplicate(): boolean {
    return this.get(TAG.possDupFlag) === "Y";
  }

  /** For a reader: begins a new message in these bytes. */
  begin(bytes: Buffer, beginString: string): void {
    this.#bytes = bytes;
    this.beginString = beginString;
    this.isMalformed = false;
    this.count = 0;
    this.#type = "";
  }

  /** For a reader: adds a field whose value has these bytes. */
  add(tag: number, start: number, end: number): void {
    this.#tags[this.count] = tag;
    this.#starts[this.count] = start;
    this.#ends[this.count] = end;
    this.count++;
  }

  tagAt(index: number): number {
    return this.#tags[index] ?? 0;
  }

  valueAt(index: number): string {
    return this.#bytes.toString("latin1", this.#starts[index], this.#ends[index]);
  }

  /** Returns the index of the first field with this tag from one index up to another; `to` if there is none. */
  find(tag: number, from = 0, to = this.count): number {
    for (let index = from; index < to; index++) if (this.#tags[index] === tag) return index;
    return to;
  }

  /** Returns the value of the first field with this tag; undefined if there is none. */
  get(tag: number, from = 0, to = this.count): string | undefined {
    const index = this.find(tag, from, to);
    return index === to ? undefined : this.valueAt(index);
  }

  /** Returns a whole number of at least 0; NaN if the field is missing or something else. */
  readInteger(tag: number): number {
    const text = this.get(tag);
    return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  }

  /** Returns a text for people, which may have any characters of UTF-8, up to a line. Empty if the field is missing. */
  readText(tag: number): string {
    return Buffer.from(this.get(tag) ?? "", "latin1")
      .toString()
      .slice(0, MAX_TEXT_LENGTH);
  }

  copy(): FixMessage {
    const copy = new FixMessage();
    const first = this.#starts[0] ?? 0;
    copy.begin(Buffer.from(this.#bytes.subarray(first, this.#ends[this.count - 1])), this.beginString);
    copy.isMalformed = this.isMalformed;
    for (let index = 0; index < this.count; index++) {
      copy.add(this.tagAt(index), (this.#starts[index] ?? 0) - first, (this.#ends[index] ?? 0) - first);
    }
    return copy;
  }
}

/** The fields of FIX 4.4 that this client reads or writes, by their names in the specification. */
export const TAG = {
  beginSeqNo: 7,
  currency: 15,
  endSeqNo: 16,
  securityIdSource: 22,
  msgSeqNum: 34,
  msgType: 35,
  newSeqNo: 36,
  possDupFlag: 43,
  refSeqNum: 45,
  securityId: 48,
  senderCompId: 49,
  senderSubId: 50,
  sendingTime: 52,
  symbol: 55,
  targetCompId: 56,
  targetSubId: 57,
  text: 58,
  encryptMethod: 98,
  securityDesc: 107,
  heartBtInt: 108,
  testReqId: 112,
  origSendingTime: 122,
  gapFillFlag: 123,
  resetSeqNumFlag: 141,
  noRelatedSym: 146,
  securityType: 167,
  bidPx: 188,
  offerPx: 190,
  contractMultiplier: 231,
  mdReqId: 262,
  subscriptionRequestType: 263,
  marketDepth: 264,
  mdUpdateType: 265,
  noMdEntryTypes: 267,
  noMdEntries: 268,
  mdEntryType: 269,
  mdEntryPx: 270,
  mdEntrySize: 271,
  mdEntryDate: 272,
  mdEntryTime: 273,
  mdMkt: 275,
  quoteCondition: 276,
  mdEntryId: 278,
  mdUpdateAction: 279,
  mdEntryRefId: 280,
  mdReqRejReason: 281,
  mdEntryOriginator: 282,
  mdEntryPositionNo: 290,
  noQuoteEntries: 295,
  quoteEntryId: 299,
  quoteSetId: 302,
  securityReqId: 320,
  refTagId: 371,
  refMsgType: 372,
  sessionRejectReason: 373,
  totNoRelatedSym: 393,
  product: 460,
  username: 553,
  password: 554,
  securityListRequestType: 559,
  securityRequestResult: 560,
  roundLot: 561,
  minTradeVol: 562,
  lastFragment: 893,
  minPriceIncrement: 969,
  /** cTrader's own: the name of a symbol, and the decimals of its price. */
  symbolName: 1007,
  symbolDigits: 1008,
  maxTradeVol: 1140,
  sessionStatus: 1409,
} as const;

/** Message types: the values of MsgType (35). */
export const TYPE = {
  heartbeat: "0",
  testRequest: "1",
  resendRequest: "2",
  reject: "3",
  sequenceReset: "4",
  logout: "5",
  logon: "A",
  marketDataRequest: "V",
  snapshot: "W",
  increment: "X",
  marketDataReject: "Y",
  massQuote: "i",
  businessReject: "j",
  securityListRequest: "x",
  securityList: "y",
} as const;

/** The byte that ends a field. */
const SOH = 1;
export const BEGIN_STRING = "FIX.4.4";

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
interface Frame {
  /** Where the value of BeginString ends. */
  beginEnd: number;
  /** Where the fields after BodyLength begin. */
  bodyStart: number;
  /** Where CheckSum begins. */
  bodyEnd: number;
  end: number;
}

/** "garbled" if BeginString, BodyLength and CheckSum do not fit: such a message is ignored. */
type Measured = "whole" | "incomplete" | "garbled";

/**
 * Measures the message that begins with `8=FIX` at `start`, and checks BodyLength (9) and CheckSum (10). Throws if it is
 * longer than any message of a venue.
 */
function measureMessage(bytes: Buffer, start: number, frame: Frame): Measured {
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

/** Returns UTC milliseconds as `20261122-00:50:00.000`. */
export function formatFixTime(timeMs: number): string {
  const iso = new Date(timeMs).toISOString();
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 10)}-${iso.slice(11, -1)}`;
}

/**
 * Reads `20261122-00:50:00` with any number of decimals as UTC milliseconds, rounded down; null for anything else. A `Z` at
 * the end, which some venues add, says nothing new.
 */
export function readFixTime(text: string | undefined): number | null {
  if (text === undefined || text[8] !== "-") return null;
  return add(readDate(text), readClock(text, 9));
}

/**
 * Returns the time of an entry of market data in UTC milliseconds; null if it has none.
 *
 * @param date MDEntryDate, `20261122`; left out by some venues
 * @param time MDEntryTime, `00:50:01.119`, or a date and a time at some venues
 * @param sentMs when the message was sent, for a time without a date
 */
export function readEntryTime(
  date: string | undefined,
  time: string | undefined,
  sentMs: number | null,
): number | null {
  if (time === undefined) return null;
  if (time[8] === "-") return readFixTime(time);
  const clockMs = readClock(time, 0);
  if (date !== undefined) return add(date.length === 8 ? readDate(date) : NaN, clockMs);
  if (sentMs === null || Number.isNaN(clockMs)) return null;
  const sameDayMs = sentMs - (sentMs % DAY_MS) + clockMs;
  // The entry is older than its message, so a much later time is of the day before. Just after midnight is the next day.
  if (sameDayMs - sentMs > DAY_MS / 2) return sameDayMs - DAY_MS;
  return sentMs - sameDayMs > DAY_MS - MINUTE_MS ? sameDayMs + DAY_MS : sameDayMs;
}

const add = (dateMs: number, clockMs: number) => (Number.isNaN(dateMs + clockMs) ? null : dateMs + clockMs);

/** Reads `20261122` at the start of a text. NaN if it is no date. */
function readDate(text: string): number {
  const year = readTimeDigits(text, 0, 4);
  const month = readTimeDigits(text, 4, 6);
  const day = readTimeDigits(text, 6, 8);
  const dateMs = Date.UTC(year, month - 1, day);
  return month >= 1 && month <= 12 && day >= 1 && dateMs < Date.UTC(year, month, 1) ? dateMs : NaN;
}

/** Reads `00:50:01.119` at the end of a text as milliseconds since midnight. NaN if it is no time. */
function readClock(text: string, from: number): number {
  const hour = readTimeDigits(text, from, from + 2);
  const minute = readTimeDigits(text, from + 3, from + 5);
  const second = readTimeDigits(text, from + 6, from + 8);
  const isClock = text[from + 2] === ":" && text[from + 5] === ":" && hour < 24 && minute < 60 && second <= 60;
  if (!isClock) return NaN;
  // A leap second is the first of the next minute.
  return hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + readDecimals(text, from + 8);
}

/** Reads the milliseconds of `.119048` or `.119048Z`; 0 if nothing else follows the seconds. */
function readDecimals(text: string, from: number): number {
  const end = text.endsWith("Z") ? text.length - 1 : text.length;
  if (end === from) return 0;
  if (text[from] !== "." || Number.isNaN(readTimeDigits(text, from + 1, end))) return NaN;
  const digits = Math.min(end - from - 1, 3);
  return readTimeDigits(text, from + 1, from + 1 + digits) * 10 ** (3 - digits);
}

/** NaN if there is no digit, or something else. */
function readTimeDigits(text: string, from: number, to: number): number {
  let value = from < to ? 0 : NaN;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : NaN;
  }
  return value;
}

export type FixField = readonly [tag: number, value: string | number];

/**
 * Returns a message's bytes: the fields, of which the first is MsgType, with BeginString, BodyLength and CheckSum around
 * them. Throws if a value is empty or has the byte that ends a field.
 */
export function writeMessage(fields: readonly FixField[]): Buffer {
  const body = fields.map(writeField).join("");
  const bytes = Buffer.from(`8=${BEGIN_STRING}\x019=${Buffer.byteLength(body)}\x01${body}10=000\x01`);
  const trailer = bytes.length - 7;
  let sum = 0;
  for (let at = 0; at < trailer; at++) sum += bytes[at] ?? 0;
  bytes.write(String(sum % 256).padStart(3, "0"), trailer + 3, "latin1");
  return bytes;
}

function writeField([tag, value]: FixField): string {
  const text = String(value);
  // The value itself may be a password.
  if (text === "" || text.includes("\x01")) throw new Error(`the value of the field ${tag} cannot be sent`);
  return `${tag}=${text}\x01`;
}
