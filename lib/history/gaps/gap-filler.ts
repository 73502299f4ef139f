import type { Pool } from "pg";
import type { FetchPast } from "@/lib/feeds/feed";
import { fillHour } from "@/lib/history/gaps/fill-hour";
import { noteRead, postpone, readDue, type StoredGap } from "@/lib/history/gaps/gap-rows";
import type { SecondRow } from "@/lib/history/hour-columns";
import { inLeasedTransaction } from "@/lib/history/hour-store";
import { readClosed, readOpen } from "@/lib/history/import/import-rows";
import { rememberImports } from "@/lib/history/import/remember-imports";
import { lockClosedHours } from "@/lib/history/import/store-batch";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

export interface GapFillerOptions {
  readonly pool: Pool;
  /** How a source's past is fetched; undefined if it has none. */
  readonly findPast: (source: string) => FetchPast | undefined;
  /** The sources in the order of their priority. */
  readonly listPriority: () => readonly string[];
  readonly spreadsFromMs: () => number;
  readonly now: Clock;
  readonly log: Logger;
}

/** An hour is closed this long after its end. */
const CLOSED_AFTER_MS = 2 * MINUTE_MS;
const FIRST_PAUSE_MS = 10 * SECOND_MS;
const LONGEST_PAUSE_MS = HOUR_MS;

/** Fills gaps from their sources' own past. What is done is stored, so that a restart continues. */
export class GapFiller {
  readonly #options: GapFillerOptions;
  readonly #stopping = new AbortController();

  constructor(options: GapFillerOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Works through the gaps that are due. After a failure the fetch is repeated, with longer and longer pauses. Throws
   * LeaseLost, and writes nothing more, once `fence` does not hold the lease.
   */
  async run(fence: number): Promise<void> {
    const { pool, now, log } = this.#options;
    for (const gap of await readDue(pool, now())) {
      if (this.#stopping.signal.aborted) return;
      const closedAtMs = Math.ceil(gap.toMs / HOUR_MS) * HOUR_MS + CLOSED_AFTER_MS;
      const { source, fromMs, toMs, attempts } = gap;
      const fetchPast = this.#options.findPast(source);
      if (fetchPast === undefined) {
        await noteRead(pool, fence, gap, { symbols: gap.waiting, missing: gap.waiting });
        log.warn({ source, fromMs, toMs, reason: gap.reason }, "A source has a gap, and no history to fill it from");
      } else if (closedAtMs > now()) {
        await postpone(pool, fence, gap, { nextMs: closedAtMs, isFailure: false });
      } else {
        await this.#fill(gap, fetchPast, fence).catch(async (error: unknown) => {
          if (this.#stopping.signal.aborted) return;
          if (error instanceof LeaseLost) throw error;
          const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 30), LONGEST_PAUSE_MS);
          log.warn({ err: error, source, retryInMs: pauseMs }, "A gap could not be filled; it is tried again");
          await postpone(pool, fence, gap, { nextMs: now() + pauseMs, isFailure: true });
        });
      }
    }
  }

  async #fill(gap: StoredGap, fetchPast: FetchPast, fence: number): Promise<void> {
    const { pool, now, log } = this.#options;
    let seconds = 0;
    const filled: Instrument[] = [];
    for (const symbol of gap.waiting) {
      const instrument = instrumentBySymbol.get(symbol);
      const rows = instrument === undefined ? [] : await this.#fetch(fetchPast, instrument, gap);
      if (instrument === undefined || rows.length === 0) {
        await noteRead(pool, fence, gap, { symbols: [symbol], missing: [symbol] });
        continue;
      }
      if (!(await this.#store(instrument, rows, gap, fence))) {
        await postpone(pool, fence, gap, { nextMs: now() + CLOSED_AFTER_MS, isFailure: false });
        break;
      }
      seconds += rows.length;
      filled.push(instrument);
    }
    if (filled.length === 0) return;
    await rememberImports(pool, filled, now());
    log.info({ source: gap.source, symbols: filled.length, seconds }, "A gap was filled from the source's history");
  }

  /** The last price of each second. */
  async #fetch(
    fetchPast: FetchPast,
    { symbol, digits }: Instrument,
    { fromMs, toMs }: StoredGap,
  ): Promise<SecondRow[]> {
    const rows = new Map<number, SecondRow>();
    const scale = 10 ** digits;
    for await (const { timeMs, bid, ask, updates } of fetchPast(symbol, fromMs, toMs, this.#stopping.signal)) {
      this.#stopping.signal.throwIfAborted();
      const [bidPoints, askPoints] = [Math.round(bid * scale), Math.round(ask * scale)];
      if (timeMs < fromMs || timeMs >= toMs || !(bidPoints > 0) || !(askPoints >= bidPoints)) continue;
      const second = Math.floor(timeMs / SECOND_MS);
      const range = { open: bidPoints, high: bidPoints, low: bidPoints };
      const count = Number.isFinite(updates) && updates >= 1 ? Math.round(updates) : 1;
      rows.set(second, { symbol, second, bid: bidPoints, ask: askPoints, ...range, updates: count });
    }
    return [...rows.values()].sort((a, b) => a.second - b.second);
  }

  /** Writes the rows of each hour, and that the symbol is done with the last. Returns false if an hour is still open. */
  async #store(instrument: Instrument, rows: readonly SecondRow[], gap: StoredGap, fence: number): Promise<boolean> {
    const { pool, listPriority, spreadsFromMs } = this.#options;
    const byHour = groupByHour(rows);
    for (const [hour, missed] of byHour) {
      const isDone = await inLeasedTransaction(pool, fence, async (client) => {
        await lockClosedHours(client);
        if ((await readOpen(client)).has(hour) && !(await readClosed(client, [hour])).has(hour)) return false;
        const common = { priority: listPriority(), spreadsFromMs: spreadsFromMs() };
        await fillHour(client, { instrument, hourMs: hour * HOUR_MS, gap, rows: missed, ...common });
        return true;
      });
      if (!isDone) return false;
    }
    await noteRead(pool, fence, gap, { symbols: [instrument.symbol], missing: [] });
    return true;
  }
}

/** Hours are counted since 1970. */
function groupByHour(rows: readonly SecondRow[]): Map<number, SecondRow[]> {
  const byHour = new Map<number, SecondRow[]>();
  for (const row of rows) {
    const hour = Math.floor((row.second * SECOND_MS) / HOUR_MS);
    const list = byHour.get(hour);
    if (list === undefined) byHour.set(hour, [row]);
    else list.push(row);
  }
  return byHour;
}
