import type { Book } from "@/lib/book/book";
import { createPace, learnPause } from "@/lib/book/freshness";
import { decodeBook, type SourceChanges } from "@/lib/history/as-of/book-block";
import type { BookLogReader } from "@/lib/history/as-of/book-log";
import type { History } from "@/lib/history/history";
import type { Origins } from "@/lib/history/origins";
import { findPart, type HourOrigin } from "@/lib/history/proof/hour-proofs";
import type { ReceivedTicks } from "@/lib/history/tapes/received-ticks";
import type { HourTicks } from "@/lib/history/ticks/hour-block";
import type { DataMode } from "@/lib/market/bar";
import { fitDigits, toPoints } from "@/lib/market/price";
import type { Read } from "@/lib/platform/database/replica";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** What was recorded of some seconds, [since, until) in Unix time. Between two of them nothing was recorded. */
export interface PastSeconds {
  readonly since: number;
  readonly until: number;
  /** Whether the changes before `since` are the whole book at the beginning; of others they are known already. */
  readonly isWhole: boolean;
  readonly groups: readonly SourceChanges[];
  /** The mode of prices whose source has no name; null where each has one. */
  readonly unnamedMode: DataMode | null;
  /** Every tick that was received in these seconds and is stored; undefined where only seconds are read. */
  readonly ticks?: readonly ReceivedTicks[];
}

/** Nothing was recorded at a second. The nearest moments at which something was, UTC milliseconds. */
export interface NotRecorded {
  readonly beforeMs: number | null;
  readonly afterMs: number | null;
  /** Set if the second is not stored yet, and will be in a moment. */
  readonly isPending?: true;
}

/** Recorded changes in their order. */
export interface PastReader {
  /**
   * Reads what was recorded in [from, to), Unix times, a bounded part at a time. The first part may begin earlier, with
   * what leads to the book at `from`; the last one may end later. It ends where nothing more is stored yet.
   *
   * @param symbols those of which ticks are read where the sources were not recorded
   * @param isContinued whether everything before `from` was read already
   */
  read(from: number, to: number, symbols: readonly string[], isContinued?: boolean): AsyncGenerator<PastSeconds>;
  /** Whether anything was recorded in [from, to); the nearest moments otherwise. */
  find(from: number, to: number, symbols: readonly string[]): Promise<NotRecorded | null>;
}

interface Options {
  readonly log: BookLogReader;
  readonly read: Read;
  readonly ticks: History["ticks"];
  readonly openHours: History["openHours"];
  readonly origins: Pick<Origins, "findMode">;
  readonly marketNow: Clock;
  readonly open: (momentMs: number, symbols: readonly string[]) => Promise<{ readonly book: Book } | NotRecorded>;
  readonly readOrigins: History["readOrigins"];
}

/**
 * What the source of prices without a name is called: only the served price was recorded, or it was not even served: it
 * was filled in later, or is the past that was made up before the first recording.
 */
export const UNNAMED_SOURCES = ["recorded", "filled", "generated"] as const;

type UnnamedSource = (typeof UNNAMED_SOURCES)[number];
type SourceNames = ReadonlyMap<string, UnnamedSource>;

const isUnnamed = (source: string) => UNNAMED_SOURCES.some((name) => name === source);

/** The name for a second of an hour, by what wrote the parts of the hour. */
export function nameUnnamed(parts: readonly HourOrigin[], second: number): UnnamedSource {
  const { kind } = findPart(parts, second).cause;
  return kind === "filled" || kind === "generated" ? kind : "recorded";
}

/** Ticks become changes this many seconds at a time, so that few are in memory. */
const WINDOW_SECONDS = 600;
const HOUR_SECONDS = HOUR_MS / SECOND_MS;
/** So many ticks tell how often a symbol is quoted, as for a single moment. */
const PACE_SECONDS = 100;
/** No price is delayed earlier, so that the pace does not matter before. */
const SHORTEST_DELAY_SECONDS = 5;

/** The changes of the log of the book, and of the ticks where there is no log. */
export class PastChanges implements PastReader {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async *read(from: number, to: number, symbols: readonly string[], isContinued = false): AsyncGenerator<PastSeconds> {
    /** Everything before is read; null before the first row. */
    let at = isContinued ? from : null;
    for await (const { since, until, whole, block } of this.#options.log.readRows(from, to, isContinued)) {
      if (since > (at ?? from)) yield* this.#readTicks(Math.max(at ?? from, from), since, symbols);
      yield {
        // A row that was read before it had all of its seconds is not read again.
        since: Math.max(since, at ?? since),
        until,
        isWhole: whole && since >= (at ?? since),
        groups: decodeBook(since, block),
        unnamedMode: null,
      };
      at = Math.max(at ?? until, until);
    }
    const rest = Math.max(at ?? from, from);
    if (rest < to) yield* this.#readTicks(rest, Math.min(to, await this.#findTicksEnd(rest)), symbols);
  }

  async find(from: number, to: number, symbols: readonly string[]): Promise<NotRecorded | null> {
    const { log, open } = this.#options;
    if (await log.hasRows(from, to)) return null;
    const until = Math.min(to, await this.#findTicksEnd(from));
    if ((await this.#findHour(from, until, symbols)) !== null) return null;
    const found = await open(from * SECOND_MS, symbols);
    return "beforeMs" in found ? found : null;
  }

  /** Until when ticks are read where the log ends: never where it will continue. */
  async #findTicksEnd(at: number): Promise<number> {
    const { log, marketNow } = this.#options;
    const { before, after } = await log.findNearest(at);
    if (after !== null) return after;
    return before === null ? Math.floor(marketNow() / SECOND_MS) : 0;
  }

  async *#readTicks(from: number, to: number, symbols: readonly string[]): AsyncGenerator<PastSeconds> {
    if (from >= to) return;
    const first = await this.#findHour(from, to, symbols);
    if (first === null) return;
    let names = await this.#nameSources(first, from, symbols);
    const start = await this.#readStart(from, names);
    let at = start === null ? Math.max(from, first) : from;
    yield { since: at, until: at, isWhole: true, ...(start ?? { groups: [], unnamedMode: "live" }) };
    for (let hour: number | null = first; hour !== null; hour = await this.#findHour(at, to, symbols)) {
      const next = hour === first ? names : await this.#nameSources(hour, at, symbols);
      if (symbols.some((symbol) => next.get(symbol) !== names.get(symbol))) {
        names = next;
        const renamed = await this.#readStart(at, names);
        yield { since: at, until: at, isWhole: true, ...(renamed ?? { groups: [], unnamedMode: "live" }) };
      }
      for (const window of await this.#readHour(hour, Math.max(at, hour), to, names)) {
        yield { ...window, since: at };
        at = window.until;
      }
    }
    if (at < to) yield { since: at, until: to, isWhole: false, groups: [], unnamedMode: "live" };
  }

  /** What the source of each symbol's ticks in an hour is called, by what wrote them at a second, or when it began. */
  async #nameSources(hour: number, second: number, symbols: readonly string[]): Promise<SourceNames> {
    const findOrigins = await this.#options.readOrigins(symbols, [hour / HOUR_SECONDS]);
    const nameOf = (symbol: string) =>
      nameUnnamed(findOrigins(symbol, hour / HOUR_SECONDS), Math.max(0, second - hour));
    return new Map(symbols.map((symbol) => [symbol, nameOf(symbol)]));
  }

  /** The ticks of an hour from a second on, in windows. */
  async #readHour(hour: number, from: number, to: number, names: SourceNames): Promise<PastSeconds[]> {
    const { ticks, origins } = this.#options;
    const symbols = [...names.keys()];
    const until = Math.min(to, hour + HOUR_SECONDS);
    const [fromMs, untilMs] = [from * SECOND_MS, until * SECOND_MS];
    const modes = symbols.map((symbol) => origins.findMode(symbol, hour * SECOND_MS, untilMs));
    const unnamedMode = modes.find((mode) => mode !== "live") ?? "live";
    const ranges = [];
    for (const symbol of symbols) ranges.push(await ticks.readRange(symbol, fromMs, untilMs));
    const windows: PastSeconds[] = [];
    for (let since = from; since < until; since += WINDOW_SECONDS) {
      const end = Math.min(until, since + WINDOW_SECONDS);
      const groups = ranges.flatMap(({ symbol, parts }) =>
        parts.flatMap(
          (part) =>
            cutTicks([symbol, names.get(symbol) ?? "recorded"], hour, part.hour.ticks, { since, until: end }) ?? [],
        ),
      );
      windows.push({ since, until: end, isWhole: false, groups, unnamedMode });
    }
    return windows;
  }

  /** The quotes at a second; null if none is known then. */
  async #readStart(second: number, names: SourceNames): Promise<Pick<PastSeconds, "groups" | "unnamedMode"> | null> {
    const view = await this.#options.open(second * SECOND_MS, [...names.keys()]);
    if ("beforeMs" in view) return null;
    let unnamedMode: DataMode = "live";
    const groups = [...names].flatMap(([symbol, source]): SourceChanges[] => {
      const quote = view.book.sources(symbol).find((each) => isUnnamed(each.source));
      if (quote === undefined) return [];
      unnamedMode = quote.mode;
      const digits = fitDigits(quote.ask, 10);
      const { staleAfterMs } = createPace(view.book.findGapMs(symbol, quote.source));
      return [
        {
          ...{ symbol, source, digits, seconds: Float64Array.of(second - 1) },
          bids: Float64Array.of(toPoints(quote.bid, digits)),
          asks: Float64Array.of(toPoints(quote.ask, digits)),
          timesMs: Float64Array.of(quote.timeMs),
          staleAftersMs: Float64Array.of(Math.floor(staleAfterMs)),
        },
      ];
    });
    return { groups, unnamedMode };
  }

  /** The first hour that touches [from, to) and may have ticks, Unix time; null without one. */
  async #findHour(from: number, to: number, symbols: readonly string[]): Promise<number | null> {
    if (from >= to) return null;
    const first = Math.floor(from / HOUR_SECONDS);
    const last = Math.ceil(to / HOUR_SECONDS) - 1;
    const { rows } = await this.#options.read((pool) =>
      pool.query<{ hour: number | null }>(
        "SELECT min(hour) AS hour FROM tick_hour WHERE symbol = ANY ($1) AND hour BETWEEN $2 AND $3",
        [symbols, first, last],
      ),
    );
    const open = symbols
      .flatMap((symbol) => this.#options.openHours.getHours(symbol))
      .map(({ hourMs }) => hourMs / HOUR_MS)
      .filter((hour) => hour >= first && hour <= last);
    const found = Math.min(rows[0]?.hour ?? Infinity, ...open);
    return Number.isFinite(found) ? found * HOUR_SECONDS : null;
  }
}

function cutTicks(
  [symbol, source]: readonly [symbol: string, source: string],
  hour: number,
  ticks: HourTicks,
  { since, until }: { readonly since: number; readonly until: number },
): SourceChanges | null {
  const { digits, seconds: offsets, bid, ask } = ticks;
  const isIn = (second: number) => second >= since && second < until;
  const at: number[] = [];
  for (let i = 0; i < offsets.length; i++) if (isIn(hour + (offsets[i] as number))) at.push(i);
  if (at.length === 0) return null;
  const seconds = Float64Array.from(at, (i) => hour + (offsets[i] as number));
  return {
    ...{ symbol, source, digits, seconds },
    bids: Float64Array.from(at, (i) => bid[i] as number),
    asks: Float64Array.from(at, (i) => ask[i] as number),
    timesMs: seconds.map((second) => second * SECOND_MS),
    staleAftersMs: Float64Array.from(at, (i) => findStaleAfter(offsets, i)),
  };
}

/** The age from which a tick is stale, in milliseconds, by the pauses between the latest ticks of its hour. */
function findStaleAfter(offsets: HourTicks["seconds"], at: number): number {
  const pace = createPace();
  const next = offsets[at + 1];
  const isReplacedSoon = next !== undefined && next - (offsets[at] as number) <= SHORTEST_DELAY_SECONDS;
  for (let i = Math.max(1, at - PACE_SECONDS + 2); i <= at && !isReplacedSoon; i++) {
    learnPause(pace, ((offsets[i] as number) - (offsets[i - 1] as number)) * SECOND_MS);
  }
  return Math.floor(pace.staleAfterMs);
}
