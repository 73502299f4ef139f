import { formatEventJson } from "@/lib/api/calendar/calendar-replies";
import type { EventChoice } from "@/lib/api/stream/stream-options";
import type { Calendar } from "@/lib/calendar/calendar";
import type { CalendarEvent } from "@/lib/calendar/event";
import type { Entry } from "@/lib/calendar/sorted-events";
import type { SourceGap } from "@/lib/feeds/feed";
import { formatTime } from "@/lib/time/iso-time";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** What a stream has beside prices: bars of seconds, released figures, and gaps of the sources, in one sequence with them. */

interface Forming {
  readonly secondMs: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** A bar as it is sent, with its number in the sequence of all changes. */
interface Numbered {
  readonly at: number;
  readonly json: string;
}

/** Bars of a symbol that are stored: a reader that comes back within this time misses none. */
const MAX_BARS = 60;
/** For so long bars are made after the last reader left. */
const AFTERWARDS_MS = 60 * SECOND_MS;

/**
 * The bars of the last seconds of each symbol, of served bids, by the second of the market clock in which a price came.
 * They are made only while a stream has them, and for a minute after.
 */
export class SecondBars {
  readonly #next: () => number;
  readonly #forming = new Map<string, Forming>();
  readonly #recent = new Map<string, Numbered[]>();
  #readers = 0;
  #leftAtMs = -Infinity;
  /** The first second that is complete. */
  #firstMs = Infinity;

  /** @param next gives the next number of the sequence */
  constructor(next: () => number) {
    this.#next = next;
  }

  addReader(nowMs: number): void {
    if (!this.isNeeded(nowMs)) {
      this.#forming.clear();
      this.#firstMs = Math.ceil(nowMs / SECOND_MS) * SECOND_MS;
    }
    this.#readers++;
  }

  removeReader(nowMs: number): void {
    this.#readers--;
    this.#leftAtMs = nowMs;
  }

  isNeeded(nowMs: number): boolean {
    return this.#readers > 0 || (nowMs >= this.#leftAtMs && nowMs < this.#leftAtMs + AFTERWARDS_MS);
  }

  onPrice(symbol: string, price: number, nowMs: number): void {
    const secondMs = Math.floor(nowMs / SECOND_MS) * SECOND_MS;
    const forming = this.#forming.get(symbol);
    if (forming === undefined || secondMs > forming.secondMs) {
      if (forming !== undefined) this.#close(symbol, forming);
      this.#forming.set(symbol, { secondMs, open: price, high: price, low: price, close: price, volume: 1 });
      return;
    }
    forming.high = Math.max(forming.high, price);
    forming.low = Math.min(forming.low, price);
    forming.close = price;
    forming.volume++;
  }

  /** Closes the bars whose second is over. */
  closeUntil(nowMs: number): void {
    for (const [symbol, forming] of this.#forming) {
      if (nowMs < forming.secondMs + SECOND_MS) continue;
      this.#forming.delete(symbol);
      this.#close(symbol, forming);
    }
  }

  #close(symbol: string, { secondMs, open, high, low, close, volume }: Forming): void {
    if (secondMs < this.#firstMs) return;
    const time = new Date(secondMs).toISOString();
    const json = `{"symbol":"${symbol}","time":"${time}","open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume}}`;
    const recent = this.#recent.get(symbol) ?? [];
    recent.push({ at: this.#next(), json });
    if (recent.length > MAX_BARS) recent.shift();
    this.#recent.set(symbol, recent);
  }

  /** The bars of a symbol with a later number than `from`, oldest first. */
  listSince(symbol: string, from: number): readonly Numbered[] {
    const recent = this.#recent.get(symbol);
    if (recent === undefined || (recent.at(-1)?.at ?? 0) <= from) return NONE;
    return recent.filter(({ at }) => at > from);
  }
}

const NONE: readonly Numbered[] = [];

interface Release {
  readonly at: number;
  readonly entry: Entry;
}

/** Events of this time around now are compared. */
const BACK_MS = 2 * DAY_MS;
const AHEAD_MS = HOUR_MS;
const MAX_EVENTS = 5_000;
const MAX_RELEASES = 200;
const PAUSE_MS = SECOND_MS / 2;

/** The latest released figures of the calendar, with their numbers in the sequence of all changes. */
export class Releases {
  readonly #calendar: Pick<Calendar, "query">;
  readonly #next: () => number;
  #recent: Release[] = [];
  /** The figure of each released event; null until they are first read, when none is new. */
  #figures: ReadonlyMap<string, string> | null = null;
  #readAtMs = -Infinity;
  #readers = 0;

  /** @param next gives the next number of the sequence */
  constructor(calendar: Pick<Calendar, "query">, next: () => number) {
    this.#calendar = calendar;
    this.#next = next;
  }

  addReader(nowMs: number): void {
    this.#readers++;
    this.#readAtMs = -Infinity;
    this.read(nowMs);
  }

  removeReader(): void {
    this.#readers--;
  }

  /** Finds the figures that are new or corrected since the last time. */
  read(nowMs: number): void {
    if (this.#readers === 0 || (nowMs >= this.#readAtMs && nowMs < this.#readAtMs + PAUSE_MS)) return;
    this.#readAtMs = nowMs;
    const { shown } = this.#calendar.query({
      ...{ fromMs: nowMs - BACK_MS, toMs: nowMs + AHEAD_MS, newestFirst: false, offset: 0, limit: MAX_EVENTS },
      ...{ currencies: null, impact: null, search: null, stream: "primary" },
    });
    const before = this.#figures;
    const figures = new Map<string, string>();
    for (const entry of shown) {
      const { id, actual } = entry.event;
      if (actual === null || actual === "") continue;
      figures.set(id, actual);
      if (before !== null && before.get(id) !== actual) this.#recent.push({ at: this.#next(), entry });
    }
    this.#figures = figures;
    if (this.#recent.length > MAX_RELEASES) this.#recent = this.#recent.slice(-MAX_RELEASES);
  }

  /** The chosen releases with a later number than `from`, as JSON with the fields of `/v1/calendar`, oldest first. */
  listSince(from: number, choice: EventChoice): string[] {
    if ((this.#recent.at(-1)?.at ?? 0) <= from) return [];
    return this.#recent
      .filter(({ at, entry }) => at > from && isChosenRelease(entry.event, choice))
      .map(({ entry }) => formatRelease(entry));
  }
}

/** The event of a release as JSON, in ASCII like all that a stream sends. */
export function formatRelease(entry: Entry): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return formatEventJson(entry, true).replace(/[\u0080-\uffff]/g, escape);
}

/** Whether a stream has the releases of an event. */
export function isChosenRelease(
  { impact, currency }: Pick<CalendarEvent, "impact" | "currency">,
  { impacts, currencies }: EventChoice,
): boolean {
  return (impacts?.has(impact) ?? true) && (currencies?.has(currency) ?? true);
}

/** Knows the latest gaps of the sources. */
export interface GapSource {
  /** The same array until there is another one. */
  readonly ended: readonly SourceGap[];
}

/** A gap that ended earlier is not new to a process that has just read it. */
const NEW_GAP_MS = 60 * SECOND_MS;

/** The gaps of the sources that have just ended, with their numbers in the sequence of all changes. */
export class Gaps {
  readonly #source: GapSource;
  readonly #next: () => number;
  #known: readonly SourceGap[];
  #readAtMs = Infinity;
  #recent: { readonly at: number; readonly gap: SourceGap }[] = [];

  /** @param next gives the next number of the sequence */
  constructor(source: GapSource, next: () => number) {
    this.#source = source;
    this.#next = next;
    this.#known = source.ended;
  }

  /** Finds the gaps that are new since the last time. */
  read(nowMs: number): void {
    const { ended } = this.#source;
    const readAtMs = this.#readAtMs;
    this.#readAtMs = nowMs;
    if (ended === this.#known) return;
    const isKnown = (gap: SourceGap) =>
      this.#known.some(({ source, fromMs }) => source === gap.source && fromMs === gap.fromMs);
    for (const gap of ended) {
      const isNew = gap.toMs >= Math.min(readAtMs, nowMs) - NEW_GAP_MS && !isKnown(gap);
      if (isNew) this.#recent.push({ at: this.#next(), gap });
    }
    this.#known = ended;
    this.#recent = this.#recent.slice(-MAX_RELEASES);
  }

  /** The gaps of some sources, or of all, that ended after a moment, UTC milliseconds, and are known: as JSON, oldest first. */
  listEndedAfter(momentMs: number, sources: ReadonlySet<string> | null): string[] {
    return this.#known
      .filter(({ source, toMs }) => toMs > momentMs && (sources?.has(source) ?? true))
      .map((gap) => formatGap(gap));
  }

  /** The gaps of some sources, or of all, with a later number than `from`, as JSON, oldest first. */
  listSince(from: number, sources: ReadonlySet<string> | null): string[] {
    if ((this.#recent.at(-1)?.at ?? 0) <= from) return [];
    return this.#recent
      .filter(({ at, gap }) => at > from && (sources?.has(gap.source) ?? true))
      .map(({ gap }) => formatGap(gap));
  }
}

/** A gap as JSON: of a source, or of the recording. */
export function formatGap({
  source,
  fromMs,
  toMs,
  reason,
}: {
  readonly source: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly reason: string;
}): string {
  return JSON.stringify({ source, from: formatTime(fromMs), to: formatTime(toMs), reason });
}
