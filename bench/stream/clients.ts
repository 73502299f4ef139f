import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { instruments } from "@/lib/market/catalog";

/** Opens the clients of the measurement, and prints what they received: BENCH_URL, BENCH_KEYS, BENCH_SECONDS. */

const SOME = { clients: Number(process.env.BENCH_SOME ?? 1_000), symbols: 20 };
const ALL_CLIENTS = Number(process.env.BENCH_ALL ?? 200);
/** One message in so many is read, because reading all would keep the clients busier than the server. */
const READ_ONE_IN = 20;
const OPENED_AT_ONCE = 50;
const WARM_UP_MS = 3_000;

const { BENCH_URL = "", BENCH_KEYS = "", BENCH_SECONDS = "10" } = process.env;
const keys = BENCH_KEYS.split(",");
const names = instruments.map(({ symbol }) => symbol);
const delays: number[] = [];
let [opened, messages, bytes, isMeasuring, closed] = [0, 0, 0, false, 0];

function receive(data: Buffer): void {
  if (!isMeasuring) return;
  messages++;
  bytes += data.length;
  if (messages % READ_ONE_IN !== 0) return;
  const nowMs = Date.now();
  const { quotes = [] } = JSON.parse(data.toString()) as { quotes?: { spread: number; timestamp: string }[] };
  for (const { spread, timestamp } of quotes) if (spread === 7) delays.push(nowMs - Date.parse(timestamp));
}

async function open(client: number, symbols: readonly string[]): Promise<void> {
  const headers = { "X-API-Key": keys[client % keys.length] ?? "" };
  const socket = new WebSocket(`${BENCH_URL}/ws/v1/quotes?symbols=${symbols.join(",")}`, {
    headers,
    perMessageDeflate: false,
  });
  socket.on("message", receive).on("close", () => closed++);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
}

/** Opens the next client whenever one of its own is open, until all are. */
async function openInTurn(): Promise<void> {
  while (opened < SOME.clients + ALL_CLIENTS) {
    const client = opened++;
    const first = (client * 7) % names.length;
    const some = [...names, ...names].slice(first, first + SOME.symbols);
    await open(client, client < SOME.clients ? some : names);
  }
}

const startedAtMs = performance.now();
await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openInTurn));
const openedInMs = Math.round(performance.now() - startedAtMs);
await pause(WARM_UP_MS);
console.log("connected");
isMeasuring = true;
await pause(Number(BENCH_SECONDS) * 1_000);
isMeasuring = false;
delays.sort((a, b) => a - b);
const percentile = (share: number) => delays[Math.ceil(delays.length * share) - 1] ?? null;
const seconds = Number(BENCH_SECONDS);
const rates = { messages: Math.round(messages / seconds), kilobytes: Math.round(bytes / seconds / 1_000) };
console.log(
  JSON.stringify({
    openedInMs,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    samples: delays.length,
    ...rates,
    closed,
  }),
);
process.exit(0);
