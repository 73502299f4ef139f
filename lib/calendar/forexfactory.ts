import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import type { Connector, ConnectorParts } from "@/lib/calendar/connector";
import type { ReportedEvent } from "@/lib/calendar/event";
import { FOREX_FACTORY_ZONE, readWeeklyJson } from "@/lib/calendar/weekly-events";
import { inBackground } from "@/lib/platform/faults";
import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

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
      inBackground(run(cached), log, "the first read of the weekly calendar");
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Finds the week of a file, Sunday to Saturday in New York. Undefined without events, or if they exceed a week. */
export function findWeekSpan(events: readonly ReportedEvent[]): { fromMs: number; toMs: number } | undefined {
  if (events.length === 0) return undefined;
  const firstMs = events.reduce((least, { timeMs }) => Math.min(least, timeMs), Infinity);
  const { year, month, day, weekday } = toCivilTime(FOREX_FACTORY_ZONE, firstMs);
  const midnight = (days: number) => zonedTimeToUtcMs(FOREX_FACTORY_ZONE, year, month, day - weekday + days, 0);
  // A file that exceeds its week is not complete: a missing row then means nothing.
  const span = { fromMs: midnight(0), toMs: midnight(7) - 1 };
  return events.every(({ timeMs }) => timeMs <= span.toMs + DAY_MS) ? span : undefined;
}

/**
 * Fetches the publisher's weekly file: at most once an hour, conditionally, and with growing pauses after refusals. The
 * last good copy is cached on disk, so that a restart fetches nothing.
 */

const MAX_PAUSE_MS = 12 * HOUR_MS;
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4_000_000;

const weeklyFile = z.object({
  url: z.string(),
  text: z.string(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** The earliest time of the next request, UTC milliseconds. */
  notBeforeMs: z.number(),
  /** Refusals in a row. */
  refusals: z.number(),
});

type WeeklyFile = z.output<typeof weeklyFile>;

async function readCached(path: string, url: string): Promise<WeeklyFile | null> {
  try {
    const read = weeklyFile.parse(JSON.parse(await readFile(path, "utf8")));
    return read.url === url ? read : null;
  } catch {
    // The file was never fetched, or is damaged. It is fetched again.
    return null;
  }
}

/** Sends one request and caches the result. Returns the current file; never throws for a network error. */
export async function fetchWeekly(
  url: string,
  path: string,
  cached: WeeklyFile | null,
  nowMs: number,
): Promise<WeeklyFile> {
  const before = cached ?? { url, text: "", etag: null, lastModified: null, notBeforeMs: 0, refusals: 0 };
  const after = await request(before, nowMs);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, JSON.stringify(after));
  await rename(`${path}.new`, path);
  return after;
}

async function request(before: WeeklyFile, nowMs: number): Promise<WeeklyFile> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (before.etag !== null) headers["If-None-Match"] = before.etag;
  if (before.lastModified !== null) headers["If-Modified-Since"] = before.lastModified;
  const later = (pauseMs: number) => ({ ...before, notBeforeMs: nowMs + pauseMs });
  const refused = (leastMs: number) => {
    const pauseMs = Math.max(leastMs, Math.min(HOUR_MS * 2 ** before.refusals, MAX_PAUSE_MS));
    return { ...later(pauseMs), refusals: before.refusals + 1 };
  };
  try {
    const response = await fetch(before.url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 304) return { ...later(HOUR_MS), refusals: 0 };
    if (!response.ok) return refused(readRetryAfter(response.headers.get("retry-after"), nowMs));
    const text = await response.text();
    if (text.length > MAX_BYTES) return refused(0);
    return {
      url: before.url,
      text,
      etag: response.headers.get("etag"),
      lastModified: response.headers.get("last-modified"),
      notBeforeMs: nowMs + HOUR_MS,
      refusals: 0,
    };
  } catch {
    return refused(0);
  }
}

/** Reads Retry-After, in seconds or as a date, as milliseconds. 0 if it is missing. */
function readRetryAfter(value: string | null, nowMs: number): number {
  if (value === null) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, Math.min(ms, 24 * HOUR_MS)) : 0;
}
