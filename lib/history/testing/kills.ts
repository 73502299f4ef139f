import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { toBar, toMinuteBars } from "@/lib/history/bars/bar-rows";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { createHourColumns, type HourColumns, type SecondRow, writeSecond } from "@/lib/history/hour-columns";
import { getHourStart } from "@/lib/history/open-hours";
import { listRows, MARKET_SPEED } from "@/lib/history/testing/recorded-market";
import { decodeHour, encodeHour, toTicks } from "@/lib/history/ticks/hour-block";
import { readHour } from "@/lib/history/ticks/tick-history";
import { instruments } from "@/lib/market/catalog";
import { openDatabase } from "@/lib/platform/database/database";
import { DATABASE_FOLDER } from "@/lib/platform/embedded/place";
import { silentLog } from "@/lib/platform/log/log";
import { bundle } from "@/lib/platform/testing/bundle";
import { HOUR_MS } from "@/lib/time/units";

/** Kills or pauses a recording at chosen moments, and checks the remaining data. */

export interface KillReport {
  /** From the start of each process or of the database, or from the pause of the recorder, to the next recording. */
  readonly readyMs: readonly number[];
  /** The total number of acknowledged seconds. */
  readonly acknowledged: number;
  readonly closedHours: number;
  /** Every error found, one line each. */
  readonly wrong: readonly string[];
}

interface Place {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

const POLL_MS = 20;
/** How long a recorder that was paused has for what waited, before it is stopped. */
const RETURN_MS = 1_000;
const START_MS = Date.parse("2026-03-02T00:00:00Z");

/**
 * Kills the recording process with SIGKILL at each of these moments after it was ready, and starts it again. With
 * `alsoDatabase`, all processes of its embedded database are killed with it.
 */
export async function killProcess(
  place: Place,
  momentsMs: readonly number[],
  { alsoDatabase = false } = {},
): Promise<KillReport> {
  const ledger = createLedger(place.dataDir);
  const readyMs: number[] = [];
  let startMs = START_MS;
  for (const momentMs of momentsMs) {
    const startedAtMs = Date.now();
    const child = await startRecorder(place, ledger.path, startMs);
    readyMs.push(await child.ready());
    await pause(momentMs);
    child.process.kill("SIGKILL");
    if (alsoDatabase) killEmbedded(place);
    await once(child.process, "exit");
    // It may have stored seconds that are not in the ledger. They must not be of the future of the next one.
    startMs += (Date.now() - startedAtMs) * MARKET_SPEED + HOUR_MS / 2;
  }
  const last = await startRecorder(place, ledger.path, startMs);
  await last.ready();
  await pause(500);
  await last.stop();
  return { readyMs, ...(await examine(place, ledger)) };
}

/** Kills all processes of the embedded database at each of these moments, and lets the recording continue. */
export async function killDatabase(place: Place, momentsMs: readonly number[]): Promise<KillReport> {
  const ledger = createLedger(place.dataDir);
  const readyMs: number[] = [];
  const child = await startRecorder(place, ledger.path, START_MS);
  await child.ready();
  for (const momentMs of momentsMs) {
    await pause(momentMs);
    killEmbedded(place);
    const before = ledger.size();
    const startedAt = performance.now();
    while (ledger.size() === before) await pause(POLL_MS);
    readyMs.push(performance.now() - startedAt);
  }
  await child.stop();
  return { readyMs, ...(await examine(place, ledger)) };
}

/** The first process of PostgreSQL names itself in a file, and the others are its children. */
function killEmbedded({ dataDir }: Place): void {
  const first = readFileSync(path.join(dataDir, DATABASE_FOLDER, "postmaster.pid"), "utf8").split("\n")[0] ?? "";
  const children = readFileSync(`/proc/${first}/task/${first}/children`, "utf8").trim().split(" ");
  for (const pid of [first, ...children].filter(Boolean)) {
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // A connection has ended meanwhile.
    }
  }
}

/**
 * Runs two recorders on one database, which receive the same prices. Stops the one that records with SIGSTOP at each of
 * these moments, and lets it go on after `pauseMs`, when the other has taken over.
 */
export async function pauseProcess(place: Place, momentsMs: readonly number[], pauseMs: number): Promise<KillReport> {
  const ledger = createLedger(place.dataDir);
  const readyMs: number[] = [];
  const originMs = Date.now();
  const start = async () => {
    const recorder = await startRecorder(place, ledger.path, START_MS, originMs);
    await recorder.ready();
    return recorder;
  };
  let [holder, standby] = [await start(), await start()];
  for (const momentMs of momentsMs) {
    await pause(momentMs);
    holder.process.kill("SIGSTOP");
    const stoppedAt = performance.now();
    // What the standby reads of the other's rows is older than this.
    const marketMs = START_MS + (Date.now() - originMs) * MARKET_SPEED;
    while (ledger.read() <= marketMs) await pause(POLL_MS);
    const tookMs = performance.now() - stoppedAt;
    readyMs.push(tookMs);
    await pause(pauseMs - tookMs);
    holder.process.kill("SIGCONT");
    [holder, standby] = [standby, holder];
  }
  await pause(RETURN_MS);
  await standby.stop();
  await holder.stop();
  const found = await examine(place, ledger);
  return { readyMs, ...found, wrong: [...found.wrong, ...findMissing(ledger.rows)] };
}

/** Compares the acknowledged rows with the prices that were received, from the first second to the last. */
function findMissing(rows: ReadonlyMap<string, SecondRow>): string[] {
  const seconds = [...rows.values()].map(({ second }) => second);
  const [first, last] = seconds.reduce(
    ([low, high], second) => [Math.min(low, second), Math.max(high, second)],
    [Infinity, -Infinity],
  );
  const wrong: string[] = [];
  for (let second = first; second <= last; second++) {
    for (const row of listRows(second)) {
      const acknowledged = rows.get(`${row.symbol} ${second}`);
      if (acknowledged === undefined || !isSame(acknowledged, row))
        wrong.push(`received ${JSON.stringify(row)}, acknowledged ${JSON.stringify(acknowledged)}`);
    }
  }
  return wrong;
}

async function startRecorder({ dataDir, databaseUrl }: Place, ledger: string, startMs: number, originMs?: number) {
  const { file } = await bundle("lib/history/testing/recording-child.ts");
  const market = [startMs, originMs].filter((each) => each !== undefined).map(String);
  const args = [file, dataDir, databaseUrl ?? "-", ledger, ...market];
  const startedAt = performance.now();
  const count = () => readFileSync(ledger, "utf8").match(/^ready$/gm)?.length ?? 0;
  const readyBefore = count();
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  return {
    process: child,
    async ready(): Promise<number> {
      while (count() === readyBefore) {
        if (child.exitCode !== null) throw new Error("the recording process ended unexpectedly");
        await pause(POLL_MS);
      }
      return performance.now() - startedAt;
    },
    async stop(): Promise<void> {
      child.kill("SIGTERM");
      const [code] = (await once(child, "exit")) as [number | null];
      if (code !== 0) throw new Error(`the recording process ended with ${code}`);
    },
  };
}

function createLedger(dataDir: string) {
  const file = path.join(dataDir, "ledger");
  writeFileSync(file, "begun\n");
  const rows = new Map<string, SecondRow>();
  const wrong: string[] = [];

  return {
    path: file,
    rows,
    wrong,
    size: () => statSync(file).size,
    /** Reads the whole file again; returns the time of the latest row. */
    read(): number {
      rows.clear();
      wrong.length = 0;
      let latest = START_MS / 1000;
      // A recorder may be writing the last line.
      for (const line of readFileSync(file, "utf8").split("\n").slice(0, -1)) {
        const [what, json = ""] = line.split(/ (.*)/, 2) as [string, string?];
        if (what !== "found" && what !== "recorded") continue;
        const { symbol, digits, second, bid, ask, open, high, low, updates } = JSON.parse(json) as SecondRow;
        const row = { symbol, digits, second, bid, ask, open, high, low, updates };
        const key = `${symbol} ${second}`;
        const before = rows.get(key);
        if (what === "found" && before !== undefined && before.updates === updates && !isSame(before, row))
          wrong.push(`acknowledged ${JSON.stringify(before)}, found ${JSON.stringify(row)}`);
        if (before !== undefined && updates < before.updates) wrong.push(`${key} has lost updates`);
        rows.set(key, row);
        latest = Math.max(latest, second);
      }
      return latest * 1000;
    },
  };
}

const isSame = (a: SecondRow, b: SecondRow) => JSON.stringify(a) === JSON.stringify(b);

/** Compares the database with everything that was acknowledged, to the last second and bar. */
async function examine(place: Place, ledger: ReturnType<typeof createLedger>): Promise<Omit<KillReport, "readyMs">> {
  const latestMs = ledger.read();
  const wrong = [...ledger.wrong];
  const database = await openDatabase({ ...place, log: silentLog });
  try {
    const keeper = new HistoryKeeper({ pool: database.pool, instruments, marketNow: () => latestMs });
    await keeper.restore();
    keeper.onRecorded([], latestMs);
    const closedHours = await database.pool.query<{ second: number }>("SELECT second FROM closed_hour");
    const closed = new Set(closedHours.rows.map(({ second }) => second * 1000));
    const hours = new Map<string, HourColumns>();
    for (const row of ledger.rows.values()) {
      const hourMs = getHourStart(row.second);
      if (!closed.has(hourMs)) {
        const stored = keeper.openHours.readSecond(row.symbol, row.second);
        if (stored === undefined || !isSame(stored, row))
          wrong.push(`${JSON.stringify(row)} became ${JSON.stringify(stored)}`);
        continue;
      }
      const key = `${row.symbol} ${hourMs}`;
      const hour = hours.get(key) ?? createHourColumns(row.symbol, row.digits, hourMs);
      hours.set(key, hour);
      writeSecond(hour, row);
    }
    for (const hour of hours.values()) {
      const { symbol, hourMs } = hour;
      const expected = toMinuteBars(hour).map(toBar);
      const bars = await keeper.history.bars.readRange(symbol, "M1", {
        fromMs: hourMs,
        toMs: hourMs + HOUR_MS,
        limit: 60,
      });
      if (JSON.stringify(bars) !== JSON.stringify(expected))
        wrong.push(`${symbol}'s bars from ${new Date(hourMs).toISOString()} differ from what was acknowledged`);
      const ticks = await readHour(database.pool, symbol, hourMs);
      if (JSON.stringify(ticks) !== JSON.stringify(decodeHour(encodeHour(toTicks(hour)))))
        wrong.push(`${symbol}'s ticks from ${new Date(hourMs).toISOString()} differ from what was acknowledged`);
    }
    return { acknowledged: ledger.rows.size, closedHours: closed.size, wrong };
  } finally {
    await database.close();
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
