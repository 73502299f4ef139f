import type { Pool } from "pg";
import { decodeBook } from "@/lib/history/as-of/book-block";
import { BookLogReader } from "@/lib/history/as-of/book-log";
import { readKnownUntil, readQualityDays } from "@/lib/history/quality/quality-days";
import { type DaySum, readDaySums, readMonth } from "@/lib/history/quality/quality-sums";
import { SETTLED_MS } from "@/lib/history/quality/quality-upkeep";
import type { Instrument } from "@/lib/market/instrument";
import { toPrice } from "@/lib/market/price";
import { RecentValues } from "@/lib/platform/recent-values";
import { SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly instruments: readonly Instrument[];
  /** Whether a source is set up now. */
  readonly hasSource: (source: string) => boolean;
}

/** What a source had at the end of a second. */
interface SourceSecond {
  readonly source: string;
  readonly bid: number;
  readonly ask: number;
  /** The digits of its prices. */
  readonly digits: number;
  /** Whether it came in this second. */
  readonly isNew: boolean;
}

export interface LoggedSecond {
  /** When the second began, UTC milliseconds. */
  readonly timeMs: number;
  /** Ordered by name; a source without a price then is not among them. */
  readonly sources: readonly SourceSecond[];
}

/** The longest range of seconds: a row of the log has up to a minute, of all symbols. */
const MOST_SECONDS = 300;
/** Lists of days in memory; those of a thousand symbols have some 300 KB. */
const MOST_LISTS = 4;

/** Reads the quality of prices for calls and pages: of the present, or as it was known at a moment. */
export class QualityReader {
  readonly #options: Options;
  readonly #knownUntilMs: number | undefined;
  readonly #log: BookLogReader;
  /** By day and the end of what is judged, which moves once an hour. */
  readonly #lists: RecentValues<string, Promise<readonly DaySum[]>>;

  constructor(options: Options, from: { readonly reader: QualityReader; readonly atMs: number } | null = null) {
    this.#options = options;
    this.#knownUntilMs = from === null ? undefined : from.atMs - SETTLED_MS;
    this.#log = from === null ? new BookLogReader((work) => work(options.pool)) : from.reader.#log;
    this.#lists = from === null ? new RecentValues(MOST_LISTS, () => 1) : from.reader.#lists;
  }

  /** The same as it was known at a moment, UTC milliseconds. */
  at(atMs: number): QualityReader {
    return new QualityReader(this.#options, { reader: this, atMs });
  }

  get #limit() {
    return this.#knownUntilMs === undefined ? {} : { knownUntilMs: this.#knownUntilMs };
  }

  /** Reads some whole days of a symbol in full, UTC milliseconds. */
  readDays(instrument: Instrument, fromMs: number, toMs: number) {
    return readQualityDays({ ...this.#options, ...this.#limit, instrument, fromMs, toMs });
  }

  /** Reads the conditions of some 31 whole days of a symbol, UTC milliseconds. */
  readMonth(instrument: Instrument, fromMs: number, toMs: number) {
    return readMonth({ ...this.#options, ...this.#limit, instrument, fromMs, toMs });
  }

  /** The moment before which all hours are judged, UTC milliseconds; null before the first one. */
  readJudgedUntil(): Promise<number | null> {
    return readKnownUntil({ ...this.#options, ...this.#limit });
  }

  /** Reads the conditions of all symbols and sources of a day, the worst first. */
  async readDay(dayMs: number): Promise<readonly DaySum[]> {
    const key = `${dayMs} ${await this.readJudgedUntil()} ${this.#options.instruments.length}`;
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const list = readDaySums({ ...this.#options, ...this.#limit, dayMs });
    this.#lists.keep(key, list);
    list.catch(() => this.#lists.clear());
    return list;
  }

  /** Reads what each source of a symbol had at the end of the seconds of [fromMs, toMs); those that were not recorded are left out. */
  async readSeconds(symbol: string, fromMs: number, toMs: number): Promise<LoggedSecond[]> {
    const from = Math.floor(fromMs / SECOND_MS);
    const to = Math.min(Math.ceil(toMs / SECOND_MS), from + MOST_SECONDS);
    const newest = new Map<string, SourceSecond>();
    const seconds: LoggedSecond[] = [];
    for await (const { since, until, whole, block } of this.#log.readRows(from, to, false)) {
      if (since >= to) break;
      if (whole) newest.clear();
      const changes = decodeBook(since, block)
        .filter((each) => each.symbol === symbol)
        .flatMap(({ source, digits, seconds: times, bids, asks }) =>
          Array.from(times, (second, i) => {
            const [bid, ask] = [bids[i] as number, asks[i] as number];
            return { second, source, digits, bid: toPrice(bid, digits), ask: toPrice(ask, digits) };
          }),
        )
        .sort((one, other) => one.second - other.second);
      let next = 0;
      for (let second = since; second < Math.min(until, to); second++) {
        const fresh = new Set<string>();
        for (; (changes[next]?.second ?? Infinity) <= second; next++) {
          const { second: at, source, ...price } = changes[next] as (typeof changes)[number];
          if (price.ask === 0) newest.delete(source);
          else newest.set(source, { source, ...price, isNew: false });
          // One of the second before is the book at the beginning.
          if (at === second) fresh.add(source);
        }
        if (second < from) continue;
        const sources = [...newest.values()].map((each) => ({ ...each, isNew: fresh.has(each.source) }));
        sources.sort((one, other) => (one.source < other.source ? -1 : 1));
        seconds.push({ timeMs: second * SECOND_MS, sources });
      }
    }
    return seconds;
  }
}
