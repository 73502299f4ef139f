import { crc32 } from "node:zlib";
import type { PastLine, PastSlot } from "@/lib/api/stream/past-prices";
import type { SymbolPrice } from "@/lib/api/stream/price-changes";
import { formatOthers, formatQuote, formatState, type StreamFormat } from "@/lib/api/stream/stream-format";
import { STREAM_FIELDS, type StreamField, type StreamOptions } from "@/lib/api/stream/stream-options";
import { serveQuote } from "@/lib/book/quote";
import { toPrice } from "@/lib/market/price";
import { SECOND_MS } from "@/lib/time/units";

/** What is sent beside prices and states, as JSON. */
export interface PastExtras {
  readonly bars: readonly string[];
  readonly releases: readonly string[];
  readonly gaps: readonly string[];
}

export const NO_EXTRAS: PastExtras = { bars: [], releases: [], gaps: [] };

/** Bytes for which there is room before anything is written: more than any single quote has. */
const ROOM = 1_024;
const FIRST_BYTES = 160 * 1_024;
/** A number of more points is written as text. */
const MAX_FAST_POINTS = 2 ** 31 - 1;
const ZERO = 48;
const POINT = 46;
const COMMA = 44;

type NumberField = Exclude<StreamField, "source">;

/** How the quote of a source is written: a number or time after each of the texts but the last. */
interface QuoteParts {
  readonly texts: readonly Uint8Array[];
  readonly fields: readonly NumberField[];
}

/**
 * Writes what has changed until a moment of the past as bytes, with the texts of the live formats, digit by digit: a number of points needs no
 * double and a quote no string. It counts what it writes, and has its checksum.
 */
export class PastWriter {
  /** Quotes, states, bars, releases and gaps that were written. */
  changes = 0;
  /** The CRC-32 of all bytes that were taken. */
  checksum = 0;
  readonly #format: StreamFormat;
  readonly #options: StreamOptions;
  readonly #mark: string;
  readonly #spare: Buffer[] = [];
  #bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;
  /** Where messages end: each is sent by itself. */
  #ends: number[] = [];
  /** What is being written: until when it changed, where the last event of it begins, or its quotes do; -1 without any. */
  #atMs = 0;
  #last = -1;
  readonly #states: string[] = [];
  /** The lines of the positions of a second. */
  #idsOfMs = -1;
  #ids: readonly [whole: Uint8Array, fraction: Uint8Array] = [new Uint8Array(0), new Uint8Array(0)];
  #timeSecond = -1;
  #timeText: Uint8Array = new Uint8Array(0);

  /** @param mark identifies symbols and options in a position */
  constructor(format: StreamFormat, options: StreamOptions, mark: string) {
    this.#format = format;
    this.#options = options;
    this.#mark = mark;
  }

  get length(): number {
    return this.#length;
  }

  /** Writes everything that the reader has at a moment, UTC milliseconds. */
  writeSnapshot(atMs: number, lines: readonly PastLine[]): void {
    const set = { prices: lines.map(toSymbolPrice), options: this.#options };
    this.#text(this.#format.snapshot(set, formatPastPosition(atMs, this.#mark)));
    this.#endMessage();
  }

  /** Begins to write what has changed until a moment, UTC milliseconds. Nothing is written if nothing has. */
  begin(atMs: number): void {
    this.#atMs = atMs;
    this.#last = -1;
    if (this.#states.length > 0) this.#states.length = 0;
  }

  /** Writes the changed price of a line, its changed state, or both. */
  add(line: PastLine): void {
    if (this.#format.isEvents) return this.#addEvents(line);
    if (this.#last === -1) this.#beginMessage();
    if (line.isStateChanged) {
      this.#states.push(formatState(toSymbolPrice(line)));
      this.changes++;
    }
    if (!line.isPriceChanged) return;
    this.#reserve(ROOM);
    if (this.#last !== this.#length) this.#bytes[this.#length++] = COMMA;
    this.#quote(line);
  }

  #addEvents(line: PastLine): void {
    if (line.isPriceChanged) {
      this.#last = this.#length;
      this.#quote(line);
    }
    if (!line.isStateChanged) return;
    this.#last = this.#length;
    this.#text(`event: state\ndata: ${formatState(toSymbolPrice(line))}\n\n`);
    this.changes++;
  }

  /** Ends what `begin` has begun. */
  end({ bars, releases, gaps }: PastExtras = NO_EXTRAS): void {
    const others = bars.length + releases.length + gaps.length;
    if (this.#last === -1 && others === 0) return;
    this.changes += others;
    if (this.#format.isEvents) return this.#endEvents({ bars, releases, gaps });
    if (this.#last === -1) this.#beginMessage();
    const more = formatOthers([bars.join(), releases.join(), gaps.join()], this.#options);
    this.#text(`],"states":[${this.#states.join()}]${more}}`);
    this.#endMessage();
  }

  #beginMessage(): void {
    this.#text(`{"type":"update","id":"${formatPastPosition(this.#atMs, this.#mark)}","quotes":[`);
    this.#last = this.#length;
  }

  #endEvents({ bars, releases, gaps }: PastExtras): void {
    const add = (name: string, texts: readonly string[]) => {
      for (const text of texts) {
        this.#last = this.#length;
        this.#text(`event: ${name}\ndata: ${text}\n\n`);
      }
    };
    add("bar", bars);
    add("release", releases);
    add("gap", gaps);
    // The last event has the position.
    const last = this.#last;
    const ms = this.#atMs % SECOND_MS;
    const id = this.#findId(ms);
    this.#reserve(id.length);
    const bytes = this.#bytes;
    bytes.copyWithin(last + id.length, last, this.#length);
    for (let i = 0; i < id.length; i++) bytes[last + i] = id[i] as number;
    if (ms > 0) writeThreeDigits(bytes, last + id.length - this.#mark.length - ID_TAIL, ms);
    this.#length += id.length;
  }

  /** The line of the position, with 000 for milliseconds. */
  #findId(ms: number): Uint8Array {
    const startMs = this.#atMs - ms;
    if (startMs !== this.#idsOfMs) {
      this.#idsOfMs = startMs;
      const write = (atMs: number) => Buffer.from(`id: ${formatPastPosition(atMs, this.#mark)}\n`, "latin1");
      this.#ids = [write(startMs), write(startMs + 1)];
    }
    return this.#ids[ms === 0 ? 0 : 1];
  }

  /** The messages since the last time. The bytes are those of `give` until they are given back. */
  take(): { readonly bytes: Buffer; readonly messages: readonly Buffer[] } | null {
    const length = this.#length;
    if (length === 0) return null;
    const bytes = this.#bytes;
    const all = bytes.subarray(0, length);
    this.checksum = crc32(all, this.checksum);
    const messages = this.#format.isEvents
      ? [all]
      : this.#ends.map((end, i) => bytes.subarray(i === 0 ? 0 : (this.#ends[i - 1] as number), end));
    this.#bytes = this.#spare.pop() ?? Buffer.allocUnsafeSlow(FIRST_BYTES);
    this.#length = 0;
    this.#ends = [];
    return { bytes, messages };
  }

  /** Takes bytes back that were sent. */
  giveBack(bytes: Buffer): void {
    if (bytes.length === FIRST_BYTES && this.#spare.length < 2) this.#spare.push(bytes);
  }

  #endMessage(): void {
    if (!this.#format.isEvents) this.#ends.push(this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.length + count);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #text(text: string): void {
    this.#reserve(text.length);
    this.#length += this.#bytes.write(text, this.#length, "latin1");
  }

  #quote(line: PastLine): void {
    const { slot } = line;
    if (slot === null) return;
    this.changes++;
    const { bid, ask, digits } = line;
    const { instrument } = slot;
    const spread = ask - bid;
    // The live format decides how other prices are rounded.
    if (ask > MAX_FAST_POINTS || spread < 0 || digits > instrument.digits) return this.#slowQuote(line);
    this.#reserve(ROOM);
    const parts = (slot.parts ??= this.#createParts(line, slot)) as QuoteParts;
    const { texts, fields } = parts;
    for (let i = 0; i < fields.length; i++) {
      this.#copy(texts[i] as Uint8Array);
      const field = fields[i];
      if (field === "bid") this.#points(bid, digits);
      else if (field === "ask") this.#points(ask, digits);
      else if (field === "spread") this.#points(spread, digits);
      else if (field === "spread_pips") this.#pips(spread, digits, instrument.pipSize);
      else this.#time(line.timeMs);
    }
    this.#copy(texts[fields.length] as Uint8Array);
  }

  #slowQuote(line: PastLine): void {
    const text = formatQuote(toSymbolPrice(line), this.#options.fields);
    this.#text(this.#format.isEvents ? `event: quote\ndata: ${text}\n\n` : text);
  }

  /** The texts around the numbers of a quote, as the live format has them. */
  #createParts({ source }: PastLine, slot: PastSlot): QuoteParts {
    const chosen = this.#options.fields?.names ?? STREAM_FIELDS;
    const isNamedFirst = this.#options.fields !== null && source !== null;
    const texts: string[] = [];
    const fields: NumberField[] = [];
    const { isEvents } = this.#format;
    let text = `${isEvents ? "event: quote\ndata: " : ""}{"symbol":"${slot.instrument.symbol}"`;
    if (isNamedFirst) text += `,"source":"${slot.source}"`;
    for (const name of chosen) {
      if (name === "source") {
        if (!isNamedFirst) text += `,"source":"${slot.source}"`;
        continue;
      }
      const isText = name === "timestamp";
      texts.push(`${text},"${name}":${isText ? '"' : ""}`);
      fields.push(name);
      text = isText ? '"' : "";
    }
    texts.push(`${text}}${isEvents ? "\n\n" : ""}`);
    return { texts: texts.map((each) => Buffer.from(each, "latin1")), fields };
  }

  #copy(text: Uint8Array): void {
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < text.length; i++) bytes[at++] = text[i] as number;
    this.#length = at;
  }

  #pips(points: number, digits: number, pipSize: number): void {
    const finer = digits + Math.round(Math.log10(pipSize));
    if (finer >= 0) this.#points(points, finer);
    else this.#points(points * 10 ** -finer, 0);
  }

  /** Writes points of 10^-digits as the shortest decimal. */
  #points(points: number, digits: number): void {
    if (points > MAX_FAST_POINTS) return this.#text(String(toPrice(points, digits)));
    let rest = points | 0;
    let decimals = digits;
    while (decimals > 0 && rest % 10 === 0) {
      rest = (rest / 10) | 0;
      decimals--;
    }
    // So small a number is written with an exponent.
    if (decimals > 6 && rest < 10 ** (decimals - 6)) return this.#text(String(toPrice(points, digits)));
    let count = 1;
    for (let power = 10; rest >= power; power *= 10) count++;
    const length = decimals === 0 ? count : Math.max(count, decimals + 1) + 1;
    const bytes = this.#bytes;
    const start = this.#length;
    let at = start + length;
    for (let left = decimals; left > 0; left--) {
      const next = (rest / 10) | 0;
      bytes[--at] = ZERO + rest - next * 10;
      rest = next;
    }
    if (decimals > 0) bytes[--at] = POINT;
    do {
      const next = (rest / 10) | 0;
      bytes[--at] = ZERO + rest - next * 10;
      rest = next;
    } while (at > start);
    this.#length = start + length;
  }

  #time(timeMs: number): void {
    const second = Math.floor(timeMs / SECOND_MS);
    if (second !== this.#timeSecond) {
      this.#timeSecond = second;
      this.#timeText = Buffer.from(new Date(second * SECOND_MS).toISOString(), "latin1");
    }
    const text = this.#timeText;
    const at = this.#length;
    this.#copy(text);
    writeThreeDigits(this.#bytes, at + text.length - 4, timeMs - second * SECOND_MS);
  }
}

/** The milliseconds of a line with a position, the mark and what is between and after them. */
const ID_TAIL = "000-\n".length;

function writeThreeDigits(bytes: Uint8Array, at: number, ms: number): void {
  bytes[at] = ZERO + ((ms / 100) | 0);
  bytes[at + 1] = ZERO + (((ms / 10) | 0) % 10);
  bytes[at + 2] = ZERO + (ms % 10);
}

function toSymbolPrice({ symbol, source, slot, bid, ask, digits, timeMs, state }: PastLine): SymbolPrice {
  const price = slot && {
    ...{ source: slot.source, mode: slot.mode, timeMs },
    ...{ bid: toPrice(bid, digits), ask: toPrice(ask, digits) },
  };
  const quote = price === null || slot === null ? undefined : serveQuote(slot.instrument, price, state);
  return { symbol, source, quote, priceAt: 0, stateAt: 0, changedAt: 0, texts: new Map() };
}

const PAST_POSITION = /^past-(\d{1,10})(?:\.(\d{3}))?-([\da-f]{1,8})$/;

/** A position in the past: everything that was received before a moment was sent. The text has Unix seconds. */
function formatPastPosition(atMs: number, mark: string): string {
  const second = Math.floor(atMs / SECOND_MS);
  const ms = atMs - second * SECOND_MS;
  return ms === 0 ? `past-${second}-${mark}` : `past-${second}.${String(ms).padStart(3, "0")}-${mark}`;
}

/** The moment of a position, UTC milliseconds; null for a position that is no such one of these symbols and options. */
export function parsePastPosition(position: string, mark: string): number | null {
  const [, second, ms = "0", whose] = PAST_POSITION.exec(position) ?? [];
  return second === undefined || whose !== mark ? null : Number(second) * SECOND_MS + Number(ms);
}
