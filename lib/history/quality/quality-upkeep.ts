import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import { inLeasedTransaction } from "@/lib/history/hour-store";
import { getMedian, judgeInSteps, LEAD } from "@/lib/history/quality/judge-hour";
import {
  createLoggedWindow,
  listLoggedSymbols,
  type LoggedHour,
  readLoggedHour,
} from "@/lib/history/quality/log-window";
import { type QualityHour, readJudgedUntil, writeJudgedUntil, writeQuality } from "@/lib/history/quality/quality-rows";
import type { TickTally } from "@/lib/history/quality/tick-tally";
import { type RecorderWork, repeatWithLease } from "@/lib/history/recording/while-recording";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { slices } from "@/lib/platform/timing/slices";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly tally: TickTally;
  /** Names of the sources now, most trusted first. */
  readonly listPriority: () => readonly string[];
  readonly marketNow: Clock;
  readonly log: Logger;
}

/** An hour is judged when what follows it is in the log as well. */
export const SETTLED_MS = LEAD * SECOND_MS + MINUTE_MS;
/** Hours that are judged without a pause, after a server was not running for long. */
const HOURS_PER_RUN = 6;

/** Judges each hour of all symbols from the log of the book, some minutes after its end, while this server records. */
export function runQuality(options: Options, fence: number): RecorderWork {
  const { log } = options;
  let isStopped = false;
  const judging = repeatWithLease(() => judgeNew(options, fence, () => isStopped), {
    pauseMs: MINUTE_MS,
    onFailure: (error) => log.warn({ err: error }, "the quality of prices cannot be judged"),
    onRecovery: () => log.info("the quality of prices is judged again"),
  });
  return {
    async stop() {
      isStopped = true;
      await judging.stop();
    },
  };
}

/** Judges the hours that are over and not judged yet, oldest first. Throws LeaseLost unless `fence` holds the lease. */
export async function judgeNew(options: Options, fence: number, isStopped = () => false): Promise<void> {
  const { pool, tally, marketNow, log } = options;
  const untilMs = Math.floor((marketNow() - SETTLED_MS) / HOUR_MS) * HOUR_MS;
  const judgedMs = await readJudgedUntil(pool);
  // A market clock that was set back has hours again that were judged.
  const next = await findFirstHour(pool, judgedMs === null || judgedMs > untilMs + HOUR_MS ? null : judgedMs, untilMs);
  for (let hourMs = next, count = 0; hourMs < untilMs && count < HOURS_PER_RUN && !isStopped(); count++) {
    const startedAtMs = performance.now();
    const logged = await readLoggedHour(pool, hourMs);
    const hours = logged === null ? [] : await judgeLogged(logged, options);
    await inLeasedTransaction(pool, fence, async (client) => {
      await writeQuality(client, hours);
      await writeJudgedUntil(client, hourMs + HOUR_MS);
    });
    tally.forget(hourMs);
    const tookMs = Math.round(performance.now() - startedAtMs);
    log.info({ hour: new Date(hourMs).toISOString(), rows: hours.length, tookMs }, "quality of an hour judged");
    hourMs = await findFirstHour(pool, hourMs + HOUR_MS, untilMs);
  }
}

/** The first hour from a moment on of which the log has something; `untilMs` if there is none. */
async function findFirstHour(pool: Pool, fromMs: number | null, untilMs: number): Promise<number> {
  const { rows } = await pool.query<{ since: number | null }>(
    "SELECT min(greatest(since, $1::int4)) AS since FROM book_log WHERE until > $1::int4 OR since >= $1::int4",
    [(fromMs ?? 0) / SECOND_MS],
  );
  const since = rows[0]?.since ?? null;
  return since === null ? untilMs : Math.min(untilMs, Math.floor((since * SECOND_MS) / HOUR_MS) * HOUR_MS);
}

/** Judges a logged hour of all symbols. */
async function judgeLogged(logged: LoggedHour, { tally, listPriority }: Options): Promise<QualityHour[]> {
  const priority = listPriority();
  const found: QualityHour[] = [];
  for (const symbol of listLoggedSymbols(logged)) {
    const hours = instrumentBySymbol.get(symbol)?.tradingHours;
    if (hours === undefined) continue;
    const window = createLoggedWindow(logged, symbol, { hours, priority, tally });
    if (window.open.subarray(LEAD, -LEAD).every((isOpen) => isOpen === 0)) continue;
    for (const judged of await slices.map(judgeInSteps(window), (step) => step)) {
      if (judged === null) continue;
      const tallied = tally.find(logged.hourMs, symbol, judged.source);
      const offset = tallied === undefined ? NaN : getMedian(tallied.offsets);
      found.push({
        ...judged,
        ...{ symbol, hourMs: logged.hourMs, digits: window.digits, served: window.served.get(judged.source) ?? 0 },
        ...{ refused: tallied?.refused ?? new Map(), offsetMs: Number.isNaN(offset) ? null : offset },
      });
    }
    await nextTurn();
  }
  return found;
}
