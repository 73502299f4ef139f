import type { Connector, ConnectorParts } from "@/lib/calendar/connector";
import { findWeekSpan } from "@/lib/calendar/forexfactory/week-span";
import { fetchWeekly, readCached, type WeeklyFile } from "@/lib/calendar/forexfactory/weekly-file";
import { readWeeklyJson } from "@/lib/calendar/forexfactory/weekly-json";
import { MINUTE_MS } from "@/lib/time/units";

export const FOREX_FACTORY = "forexfactory";

export interface ForexFactoryOptions {
  readonly url: string;
  /** The path of the cached copy. */
  readonly cachePath: string;
  /** 0–1: spreads the pauses, so that installations do not send requests in the same minute. */
  readonly random?: () => number;
}

const JITTER_MS = 600_000;

/** Reports the publisher's week as the secondary stream. */
export function createForexFactoryConnector(
  { url, cachePath, random = Math.random }: ForexFactoryOptions,
  { report, now, log }: ConnectorParts,
): Connector {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let reportedText = "";

  async function reportFile(file: WeeklyFile): Promise<void> {
    if (file.text === "" || file.text === reportedText) return;
    const events = readWeeklyJson(file.text);
    const complete = findWeekSpan(events);
    const partial = { stream: "secondary", provider: FOREX_FACTORY, origin: url, atMs: now(), events } as const;
    await report(complete === undefined ? partial : { ...partial, complete });
    reportedText = file.text;
  }

  async function run(cached: WeeklyFile | null): Promise<void> {
    let file = cached;
    try {
      if (file === null || file.notBeforeMs <= now()) file = await fetchWeekly(url, cachePath, file, now());
      if (file.refusals > 0) log.warn({ url, refusals: file.refusals }, "weekly calendar fetch failed");
      await reportFile(file);
    } catch (error) {
      log.error({ err: error, url }, "weekly calendar read failed");
    }
    if (stopped) return;
    const pauseMs = Math.max(MINUTE_MS, (file?.notBeforeMs ?? 0) - now()) + random() * JITTER_MS;
    timer = setTimeout(() => void run(file), pauseMs).unref();
  }

  return {
    async start() {
      const cached = await readCached(cachePath, url);
      if (cached !== null && cached.notBeforeMs > now()) return run(cached);
      // The start does not wait for the publisher's server.
      void run(cached);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
