import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { HOUR_MS } from "@/lib/time/units";

/**
 * The publisher's weekly file, fetched politely: at most once an hour, asking only for what is new, and staying away
 * for longer and longer when told to. The last good copy is kept on disk, so that a restart asks for nothing.
 */

const LONGEST_PAUSE_MS = 12 * HOUR_MS;
const TIMEOUT_MS = 15_000;
const LARGEST_BYTES = 4_000_000;

const kept = z.object({
  url: z.string(),
  text: z.string(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** When the publisher may be asked again, UTC milliseconds. */
  notBeforeMs: z.number(),
  /** Refusals in a row. */
  refusals: z.number(),
});

export type WeeklyFile = z.output<typeof kept>;

export async function readCached(path: string, url: string): Promise<WeeklyFile | null> {
  try {
    const read = kept.parse(JSON.parse(await readFile(path, "utf8")));
    return read.url === url ? read : null;
  } catch {
    // Never fetched, or cut short: fetching anew is all there is to it.
    return null;
  }
}

/** Asks the publisher once and writes down what came of it. Returns what is known now; never throws for the network. */
export async function fetchWeekly(
  url: string,
  path: string,
  known: WeeklyFile | null,
  nowMs: number,
): Promise<WeeklyFile> {
  const before = known ?? { url, text: "", etag: null, lastModified: null, notBeforeMs: 0, refusals: 0 };
  const after = await ask(before, nowMs);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, JSON.stringify(after));
  await rename(`${path}.new`, path);
  return after;
}

async function ask(before: WeeklyFile, nowMs: number): Promise<WeeklyFile> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (before.etag !== null) headers["If-None-Match"] = before.etag;
  if (before.lastModified !== null) headers["If-Modified-Since"] = before.lastModified;
  const later = (pauseMs: number) => ({ ...before, notBeforeMs: nowMs + pauseMs });
  const refused = (leastMs: number) => {
    const pauseMs = Math.max(leastMs, Math.min(HOUR_MS * 2 ** before.refusals, LONGEST_PAUSE_MS));
    return { ...later(pauseMs), refusals: before.refusals + 1 };
  };
  try {
    const response = await fetch(before.url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 304) return { ...later(HOUR_MS), refusals: 0 };
    if (!response.ok) return refused(retryAfterMs(response.headers.get("retry-after"), nowMs));
    const text = await response.text();
    if (text.length > LARGEST_BYTES) return refused(0);
    return {
      ...{ url: before.url, text, refusals: 0, notBeforeMs: nowMs + HOUR_MS },
      ...{ etag: response.headers.get("etag"), lastModified: response.headers.get("last-modified") },
    };
  } catch {
    return refused(0);
  }
}

/** Retry-After as seconds or as a date; 0 where it says nothing. */
function retryAfterMs(value: string | null, nowMs: number): number {
  if (value === null) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, Math.min(ms, 24 * HOUR_MS)) : 0;
}
