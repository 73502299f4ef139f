import type { Pool } from "pg";
import type { Quote } from "@/lib/feeds/intake";
import type { HistoryKeeper } from "@/lib/history/create-history";
import { type SecondRow } from "@/lib/history/hour-columns";
import { appendSeconds, openJournalHour, readClosedHours } from "@/lib/history/journal";
import { startOfHour } from "@/lib/history/open-hours";
import { createRecorder, type RecorderCounts } from "@/lib/history/recorder";
import type { Instrument } from "@/lib/market/instrument";
import type { Clock } from "@/lib/platform/clock";
import type { Logger } from "@/lib/platform/log";
import { repeat, shareRuns } from "@/lib/platform/repetition";
import { HOUR_MS } from "@/lib/time/units";

/** The recorder at work: once a second it writes down what was heard, and it closes the hours that are over. */
export interface Recording {
  onQuote(quote: Quote): void;
  counts(): Readonly<RecorderCounts>;
  /** Writes down the last rows. */
  stop(): Promise<void>;
}

interface Options {
  readonly pool: Pool;
  readonly keeper: HistoryKeeper;
  readonly instruments: readonly Instrument[];
  readonly servedSource: (symbol: string, nowMs: number) => string | undefined;
  readonly marketNow: Clock;
  readonly log: Logger;
  readonly flushMs?: number;
}

/** How long after its end an hour takes late seconds. */
const GRACE_MS = 65_000;
/** Overdue hours are normally one or two; should there be many, prices do not wait for all of them. */
const CLOSING_AT_START_MS = 2_000;

/** Reads what an earlier run left, closes what is overdue, and begins. Call it before prices come. */
export async function startRecording(options: Options): Promise<Recording> {
  const { pool, keeper, instruments, servedSource, marketNow, log, flushMs = 1_000 } = options;
  const { openHours } = keeper;
  const prepared = new Set<number>();

  const closedHours = await readClosedHours(pool);
  await keeper.readJournal();
  const recorder = createRecorder({
    ...{ instruments, openHours, closedHours, servedSource, marketNow, log, append },
    onRecorded: keeper.onRecorded,
  });
  openHours.advance(marketNow());
  const closing = closeOverdue(performance.now() + CLOSING_AT_START_MS);
  await closing.catch((error: unknown) => log.error({ err: error }, "an overdue hour is left for later"));

  async function append(rows: readonly SecondRow[]): Promise<void> {
    try {
      for (const hourMs of new Set(rows.map(({ second }) => startOfHour(second)))) {
        if (prepared.has(hourMs)) continue;
        await openJournalHour(pool, hourMs);
        prepared.add(hourMs);
      }
      await appendSeconds(pool, rows);
    } catch (error) {
      // Whatever went wrong, nothing is taken for granted at the next attempt.
      prepared.clear();
      throw error;
    }
  }

  function isOverdue(hourMs: number): boolean {
    return hourMs + HOUR_MS + GRACE_MS <= openHours.completeUntilMs && !recorder.isWaiting(hourMs);
  }

  async function closeOverdue(deadline = Infinity): Promise<void> {
    for (;;) {
      const hourMs = openHours.listStarts().find(isOverdue);
      if (hourMs === undefined || performance.now() > deadline) return;
      await closeHour(hourMs);
      // Where hours pass in moments, as in a recording played fast, rows must not pile up meanwhile.
      await recorder.drain();
    }
  }

  async function closeHour(hourMs: number): Promise<void> {
    const startedAtMs = performance.now();
    recorder.refuse(hourMs);
    try {
      await keeper.close(hourMs);
    } catch (error) {
      recorder.reopen(hourMs);
      throw new Error(`The hour from ${new Date(hourMs).toISOString()} cannot be closed`, { cause: error });
    }
    prepared.delete(hourMs);
    const tookMs = Math.round(performance.now() - startedAtMs);
    log.info({ hour: new Date(hourMs).toISOString(), tookMs, ...recorder.counts() }, "hour closed");
  }

  const work = shareRuns(async () => {
    await recorder.flush();
    await closeOverdue();
  });
  const working = repeat(work, {
    pauseMs: flushMs,
    onLost: (error) => log.error({ err: error }, "recording is held up; keeping everything until it goes on"),
    onBack: () => log.info(recorder.counts(), "recording goes on"),
  });
  working.start();

  return {
    onQuote: recorder.onQuote,
    counts: recorder.counts,
    async stop() {
      working.stop();
      try {
        await work();
        await recorder.finish();
      } catch (error) {
        log.error({ err: error }, "the last seconds could not be recorded and are lost");
      }
    },
  };
}
