import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { HOUR_MS } from "@/lib/time/units";

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

export type WeeklyFile = z.output<typeof weeklyFile>;

export async function readCached(path: string, url: string): Promise<WeeklyFile | null> {
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
