import { appendFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { constants, setPriority, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stringify } from "csv-stringify/sync";
import type { Pool } from "pg";
import { buildSoakServer } from "@/bench/soak/build";
import { SteadyCalls } from "@/bench/soak/calls";
import { createMember, waitForPast } from "@/bench/soak/prepare";
import { readProcesses } from "@/bench/soak/processes";
import { reportGrowth, type Sample } from "@/bench/soak/report";
import { countRows } from "@/bench/soak/rows";
import { signIn, type Visitor, visitPages, warmPages } from "@/bench/soak/visits";
import { type Spotline, startSpotline } from "@/e2e/support/spotline";
import { loadConfig } from "@/lib/platform/config";
import { joinDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * Measures resources over time: `npm run bench:soak -- HOURS CSV` (2 hours, a file in the system's temporary folder).
 * The built server with its defaults, ten times the usual ticks, 500 calls a second and one visitor of the pages, after
 * thousands of visits that are not measured. All of it runs at the lowest priority. A signal ends it early, with a report
 * of what was measured. Run `npm run build` before.
 */

const HOURS = Number(process.argv[2] ?? 2);
const CSV = resolve(process.argv[3] ?? join(tmpdir(), "spotline-soak.csv"));
const CALLS_A_SECOND = 500;
const TIMES_THE_TICKS = 10;
const SAMPLE_EVERY_MS = 30_000;
const PARENT_CHECK_MS = 1_000;
const EMAIL = "soak@example.com";
const PASSWORD = "a long enough password";

const stopping = new AbortController();

async function main(): Promise<void> {
  if (!(HOURS > 0)) throw new Error("The first argument is the number of hours, such as 2 or 0.1.");
  // Children inherit it.
  setPriority(constants.priority.PRIORITY_LOW);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  // npm passes a signal to its shell only, which ends without passing it on.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stopping.abort(), PARENT_CHECK_MS).unref();
  const folder = await mkdtemp(join(tmpdir(), "spotline-soak-"));
  const memoryFile = join(folder, "memory");
  const server = await buildSoakServer(TIMES_THE_TICKS);
  const spotline = await startSpotline({
    env: { SOAK_FILE: memoryFile },
    command: ["--import", "./bench/memory-report.mjs", server],
    discardLog: true,
  });
  void spotline.ended.then((code) => {
    if (!stopping.signal.aborted) console.log(`The server ended with code ${code}.`);
    stopping.abort();
  });
  try {
    await soak(spotline, memoryFile);
  } finally {
    await spotline.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function soak(spotline: Spotline, memoryFile: string): Promise<void> {
  const database = await joinDatabase({ databaseUrl: undefined, dataDir: spotline.dataDir, log: silentLog });
  try {
    const secret = await createMember(spotline.dataDir, EMAIL, PASSWORD);
    const visitor = await signIn(spotline.url, EMAIL, PASSWORD);
    await Promise.all([waitForPast(database.pool, stopping.signal), warmPages(visitor, stopping.signal)]);
    if (stopping.signal.aborted) return console.log("Stopped before the first sample.");
    const samples = await measure({ spotline, visitor, secret, memoryFile, pool: database.pool });
    const columns = Object.keys(samples[0]?.columns ?? {});
    if (!reportGrowth(samples, columns, loadConfig({}).keepDays)) process.exitCode = 1;
    console.log(`The samples are in ${CSV}.`);
  } finally {
    await database.close().catch(() => {});
  }
}

interface Measured {
  readonly spotline: Spotline;
  readonly visitor: Visitor;
  readonly secret: string;
  readonly memoryFile: string;
  readonly pool: Pool;
}

async function measure({ spotline, visitor, secret, memoryFile, pool }: Measured): Promise<Sample[]> {
  const samples: Sample[] = [];
  const calls = new SteadyCalls(spotline.url, secret, CALLS_A_SECOND);
  const visits = visitPages(visitor, stopping.signal);
  visits.catch((error: unknown) => console.error("The visits to the pages ended:", error));
  // The first sample must not have the memory of the back-fill.
  await readProcesses(memoryFile);
  const startMs = Date.now();
  console.log(`${new Date(startMs).toISOString()}: ${HOURS} hours begin; samples go to ${CSV}.`);
  let names: string[] | null = null;
  while (!stopping.signal.aborted && Date.now() < startMs + HOURS * HOUR_MS) {
    await sleep(SAMPLE_EVERY_MS - ((Date.now() - startMs) % SAMPLE_EVERY_MS));
    if (stopping.signal.aborted) break;
    const atMs = Date.now();
    const { answered, failed, skipped, p99Ms } = calls.take();
    const load = { answered, failed, skipped, "p99 ms": p99Ms };
    try {
      const columns = { ...(await readProcesses(memoryFile)), ...(await countRows(pool)) };
      if (names === null) {
        names = Object.keys(columns);
        writeFileSync(CSV, stringify([["time", "minutes", ...Object.keys(load), ...names]]));
      }
      samples.push({ atMs, columns });
      const minutes = ((atMs - startMs) / MINUTE_MS).toFixed(1);
      const values = [...Object.values(load), ...names.map((name) => columns[name])];
      const cells = values.map((value) => (value === undefined ? "" : String(Math.round(value * 10) / 10)));
      appendFileSync(CSV, stringify([[new Date(atMs).toISOString(), minutes, ...cells]]));
    } catch (error) {
      // One missing sample leaves the line what it is.
      console.error(`${new Date(atMs).toISOString()}: no sample:`, error);
    }
  }
  calls.stop();
  stopping.abort();
  await visits.catch(() => {});
  const failures = [...calls.listFailures()].map(([name, times]) => `${times} × ${name}`);
  console.log(failures.length === 0 ? "No call failed." : `Failed calls: ${failures.join(", ")}.`);
  return samples;
}

const sleep = (ms: number) => pause(ms, undefined, { signal: stopping.signal }).catch(() => {});

await main();
