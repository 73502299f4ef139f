import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createServer } from "node:http";
import { connect, createServer as createSocketServer } from "node:net";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import type { Pool } from "pg";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { getEntitlements } from "@/lib/access/plans";
import type { Call } from "@/lib/api/engine/call";
import { sendEvents } from "@/lib/api/stream/event-reader";
import { PriceStreams } from "@/lib/api/stream/price-streams";
import { Replay } from "@/lib/api/stream/replay";
import { PLAIN_OPTIONS } from "@/lib/api/stream/stream-options";
import { createBook } from "@/lib/book/book";
import { AsOf } from "@/lib/history/as-of/as-of";
import { type BookChange, encodeBook } from "@/lib/history/as-of/book-block";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { TickList } from "@/lib/history/tapes/tape";
import { encodeTape } from "@/lib/history/tapes/tape-block";
import { instruments } from "@/lib/market/catalog";
import { getOpenSessions } from "@/lib/market/sessions/sessions";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { findFreePort } from "@/lib/platform/testing/free-port";
import { HOUR_MS } from "@/lib/time/units";

/**
 * Measures a replay: 200 symbols that change in each second of some minutes, read over a loopback socket with speed=max. With
 * BENCH_RESOLUTION=tick it is one of every tick: 28 symbols, each with three ticks a second, most of them in a millisecond
 * of their own. The server has the first core and the reader the second. A bare server that sends the same bytes from memory to the same
 * reader takes turns with it. The reader cuts the bytes into events, and parses the data of each if BENCH_PARSE is 1.
 * Prints the changes of each second of all turns, and the ratio of their medians.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 1_800);
const TURNS = Number(process.env.BENCH_TURNS ?? 5);
const RESOLUTION = process.env.BENCH_RESOLUTION === "tick" ? "tick" : "1s";
const SYMBOLS = RESOLUTION === "tick" ? 28 : 200;
const TICKS_A_SECOND = 3;
const ROW_SECONDS = 60;
const START = Date.parse("2026-03-04T10:00:00Z") / 1_000;
const SOURCE = "alpha-markets";
const REPLAY_PORT = "BENCH_REPLAY_PORT";

type Symbols = readonly { readonly symbol: string; readonly digits: number }[];

/** The tick of a symbol at a step of a second: in points, and the milliseconds of its receipt in the second. */
function createTick(symbol: number, second: number, step: number) {
  const bid = 100_000 + symbol * 1_000 + ((second * 31 + step * 11 + symbol * 17) % 997);
  const ms = Math.min(999, step * 333 + ((second * 7 + symbol * 41 + step * 13) % 331));
  return { bid, ask: bid + 5 + (second % 7), ms };
}

const LAST_STEP = TICKS_A_SECOND - 1;

/** Stores the last prices of some seconds, as the log of the book has them. */
async function storeRow(pool: Pool, since: number, symbols: Symbols): Promise<void> {
  const changes: BookChange[] = [];
  for (let second = since - 1; second < since + ROW_SECONDS; second++) {
    for (const [i, { symbol, digits }] of symbols.entries()) {
      const { bid, ask, ms } = createTick(i, second, LAST_STEP);
      const timeMs = second * 1_000 + ms;
      changes.push({ symbol, source: SOURCE, second, digits, bid, ask, timeMs, staleAfterMs: 20_000 });
    }
  }
  const block = encodeBook(since, changes);
  await pool.query("INSERT INTO book_log VALUES ($1, $2, true, $3)", [since, since + ROW_SECONDS, block]);
}

async function storeTicks(pool: Pool, symbols: Symbols): Promise<void> {
  const [fromMs, untilMs] = [START * 1_000, (START + SECONDS) * 1_000];
  await pool.query("INSERT INTO tape_run (since, until, kept) VALUES ($1, $2, '{all}')", [fromMs, untilMs]);
  for (let hourMs = fromMs; hourMs < untilMs; hourMs += HOUR_MS) {
    for (const [i, { symbol, digits }] of symbols.entries()) {
      const list = new TickList();
      for (let second = hourMs / 1_000; second < Math.min(hourMs + HOUR_MS, untilMs) / 1_000; second++) {
        for (let step = 0; step < TICKS_A_SECOND; step++) {
          const { bid, ask, ms } = createTick(i, second, step);
          const timeMs = second * 1_000 + ms;
          list.add({ digits, bid, ask, timeMs, receivedMs: timeMs, isServed: true });
        }
      }
      const block = encodeTape(hourMs, list.toTape());
      const row = [symbol, hourMs / HOUR_MS, SOURCE, list.count, block];
      await pool.query("INSERT INTO tape_hour VALUES ($1, $2, $3, 0, $4, $5)", row);
    }
  }
}

async function serve(port: number): Promise<void> {
  const database = await openTestDatabase();
  const { pool } = database.db;
  const symbols = instruments.slice(0, SYMBOLS);
  for (let row = 0; row < SECONDS; row += ROW_SECONDS) await storeRow(pool, START + row, symbols);
  if (RESOLUTION === "tick") await storeTicks(pool, symbols);
  const sources = [{ name: SOURCE, mode: "live" }] as const;
  const [marketNow, monotonic] = [() => (START + SECONDS + 60) * 1_000, () => performance.now()];
  const keeper = new HistoryKeeper({ pool, instruments, sources, marketNow });
  const { changes, ticks } = new AsOf({
    ...{ pool, read: (work) => work(pool), history: keeper.history, listSources: () => sources, marketNow },
    ...{ sessions: { openAt: getOpenSessions }, origins: { findMode: () => "live" } },
  });
  const calendar = { query: () => ({ shown: [], total: 0, hasMore: false }) };
  const streams = new PriceStreams({
    ...{
      book: createBook({ sources, now: marketNow }),
      calendar,
      gaps: { ended: [] },
      instruments,
      marketNow,
      monotonic,
    },
    isStale: () => false,
  });
  const key = { entitlements: getEntitlements("enterprise", "standard"), symbols: null } as KeyEntry;
  const server = createServer((_, response) => {
    const replay = new Replay({
      range: { from: START, to: START + SECONDS, speed: Infinity, resolution: RESOLUTION },
      ...{ past: RESOLUTION === "tick" ? ticks : changes, listSources: () => sources, readNotKept: async () => [] },
      ...{ readReleases: async () => [], readGaps: async () => [], marketNow, monotonic, log: silentLog },
    });
    const names = symbols.map(({ symbol }) => symbol);
    const stream = streams.admit({ key, call: {} as Call }, names, PLAIN_OPTIONS, replay);
    sendEvents(response, stream, { status: 200, headers: "Content-Type: text/event-stream\r\n" });
  });
  server.listen(port, "127.0.0.1", () => process.stdout.write("ready\n"));
  process.on("SIGTERM", () => void database.cleanup().then(() => process.exit(0)));
}

/** Reads a connection to its end. Returns the bytes, the changes and the seconds that it took. */
function read(port: number, isKept: boolean): Promise<{ bytes: Buffer[]; changes: number; seconds: number }> {
  return new Promise((resolve, reject) => {
    const bytes: Buffer[] = [];
    const startedAtMs = performance.now();
    let changes = 0;
    let rest = "";
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /v1/stream HTTP/1.1\r\nHost: a\r\n\r\n"));
    socket.on("error", reject).on("data", (chunk) => {
      if (isKept) bytes.push(chunk);
      const parts = (rest + chunk.toString("latin1")).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        if (!part.includes("event: quote")) continue;
        changes++;
        if (process.env.BENCH_PARSE === "1") JSON.parse(part.slice(part.indexOf("data: ") + 6));
      }
    });
    socket.on("close", () => resolve({ bytes, changes, seconds: (performance.now() - startedAtMs) / 1_000 }));
  });
}

/** A bare server of some bytes: it writes them as fast as its reader takes them. */
function serveBare(port: number): void {
  const bytes: Buffer[] = [];
  let isKnown = false;
  process.stdin.on("data", (chunk: Buffer) => bytes.push(chunk)).on("end", () => (isKnown = true));
  const server = createSocketServer((socket) => {
    socket.once("data", async () => {
      for (const chunk of bytes)
        if (!socket.write(chunk)) await new Promise((resolve) => socket.once("drain", resolve));
      socket.end();
    });
  });
  const listen = () =>
    isKnown ? server.listen(port, "127.0.0.1", () => process.stdout.write("ready\n")) : setTimeout(listen, 20);
  listen();
}

function start(mode: string, port: number): ChildProcess {
  const args = ["-c", "0", process.execPath, "--import", "tsx", fileURLToPath(import.meta.url)];
  const env = { ...process.env, BENCH_MODE: mode, [REPLAY_PORT]: String(port) };
  return spawn("taskset", args, { env, stdio: ["pipe", "pipe", "inherit"] });
}

const isReady = (child: ChildProcess) => new Promise((resolve) => child.stdout?.once("data", resolve));
const findMedian = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

async function main(): Promise<void> {
  execFileSync("taskset", ["-pc", "1", String(process.pid)]);
  const ports = { replay: await findFreePort(), bare: await findFreePort() };
  const replay = start("replay", ports.replay);
  await isReady(replay);
  const { bytes, changes } = await read(ports.replay, true);
  const bare = start("bare", ports.bare);
  for (const chunk of bytes) bare.stdin?.write(chunk);
  bare.stdin?.end();
  await isReady(bare);
  const rates: Record<"replay" | "bare", number[]> = { replay: [], bare: [] };
  for (let turn = 0; turn < TURNS; turn++) {
    for (const name of ["replay", "bare"] as const) {
      const result = await read(ports[name], false);
      if (result.changes !== changes) throw new Error(`${name} sent ${result.changes} changes, not ${changes}`);
      rates[name].push(Math.round(result.changes / result.seconds));
    }
  }
  const [replayed, plain] = [findMedian(rates.replay), findMedian(rates.bare)];
  console.log(`replay: ${rates.replay.join(" ")} changes a second`);
  console.log(`bare server: ${rates.bare.join(" ")}`);
  console.log(
    `medians ${replayed} and ${plain}, ratio ${(replayed / plain).toFixed(2)}; load average ${loadavg()[0]?.toFixed(1)}`,
  );
  replay.kill();
  bare.kill();
}

const port = Number(process.env[REPLAY_PORT]);
if (process.env.BENCH_MODE === "replay") await serve(port);
else if (process.env.BENCH_MODE === "bare") serveBare(port);
else await main();
