import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createServer } from "node:http";
import { connect, createServer as createSocketServer } from "node:net";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
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
import { instruments } from "@/lib/market/catalog";
import { getOpenSessions } from "@/lib/market/sessions/sessions";
import { silentLog } from "@/lib/platform/log/log";
import { databaseKinds, openTestDatabase } from "@/lib/platform/testing/databases";
import { findFreePort } from "@/lib/platform/testing/free-port";

/**
 * Measures a replay: 200 symbols that change in each second of some minutes, read over a loopback socket with speed=max.
 * The server has the first core and the reader the second. A bare server that sends the same bytes from memory to the same
 * reader takes turns with it. The reader cuts the bytes into events, and parses the data of each if BENCH_PARSE is 1.
 * Prints the changes of each second of all turns, and the ratio of their medians.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 1_800);
const TURNS = Number(process.env.BENCH_TURNS ?? 5);
const SYMBOLS = 200;
const ROW_SECONDS = 60;
const START = Date.parse("2026-03-04T10:00:00Z") / 1_000;
const SOURCE = "alpha-markets";
const REPLAY_PORT = "BENCH_REPLAY_PORT";

async function serve(port: number): Promise<void> {
  const database = await openTestDatabase(databaseKinds.at(-1) ?? "embedded");
  const { pool } = database.db;
  const symbols = instruments.slice(0, SYMBOLS);
  for (let row = 0; row < SECONDS; row += ROW_SECONDS) {
    const since = START + row;
    const changes: BookChange[] = [];
    for (let second = since - 1; second < since + ROW_SECONDS; second++) {
      for (const [i, { symbol, digits }] of symbols.entries()) {
        const bid = 100_000 + i * 1_000 + ((second * 31 + i * 17) % 997);
        const prices = { digits, bid, ask: bid + 5 + (second % 7) };
        changes.push({ symbol, source: SOURCE, second, ...prices, timeMs: second * 1_000 + 310, staleAfterMs: 20_000 });
      }
    }
    await pool.query("INSERT INTO book_log VALUES ($1, $2, true, $3)", [
      since,
      since + ROW_SECONDS,
      encodeBook(since, changes),
    ]);
  }
  const sources = [{ name: SOURCE, mode: "live" }] as const;
  const [marketNow, monotonic] = [() => (START + SECONDS + 60) * 1_000, () => performance.now()];
  const keeper = new HistoryKeeper({ pool, instruments, sources, marketNow });
  const { changes: past } = new AsOf({
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
      ...{ range: { from: START, to: START + SECONDS, speed: Infinity }, past, listSources: () => sources },
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
