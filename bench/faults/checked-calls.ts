import type { Spotline } from "@/e2e/support/spotline";

/** The calls of bench/faults.ts, and what must hold of their answers. */

const SYMBOL = "EURUSD";
/** A follower has the clock of the recorder by a message, which is late on a busy machine. */
const CLOCK_MS = 500;

/** Reads a price. `wrong` says what is wrong with its age; null if nothing is. */
export async function readPrice({ url }: Spotline, key: string, isOwnConnection = false) {
  const headers = { "X-API-Key": key, ...(isOwnConnection && { Connection: "close" }) };
  const sentAtMs = Date.now();
  const response = await fetch(`${url}/v1/quote?symbol=${SYMBOL}`, { headers });
  const body = (await response.json()) as { data?: { timestamp: string } };
  const state = response.headers.get("x-quote-state");
  if (body.data === undefined) return { status: response.status, state, wrong: null };
  const pricedAtMs = Date.parse(body.data.timestamp);
  const statedMs = Number(response.headers.get("x-quote-age-ms"));
  // The server read its clock between the call and the answer.
  const isTrue = statedMs > sentAtMs - pricedAtMs - CLOCK_MS && statedMs < Date.now() - pricedAtMs + CLOCK_MS;
  const wrong = isTrue ? null : `${state}: ${statedMs} ms old, but it was ${sentAtMs - pricedAtMs} ms`;
  return { status: response.status, state, wrong };
}

interface Tick {
  readonly time: string;
  readonly bid: number;
  readonly ask: number;
}

/** The recorded ticks from a time on. */
export async function readTicks({ url }: Spotline, key: string, fromMs: number): Promise<readonly Tick[]> {
  const range = `from=${new Date(fromMs).toISOString()}&to=${new Date().toISOString()}`;
  const response = await fetch(`${url}/v1/ticks?symbol=${SYMBOL}&${range}`, { headers: { "X-API-Key": key } });
  const { data } = (await response.json()) as { data?: { ticks: Tick[] } };
  if (data === undefined || data.ticks.length === 0) throw new Error(`No recorded ticks: status ${response.status}`);
  return data.ticks;
}

/** The ticks that are missing later, or have other prices. */
export function countLost(before: readonly Tick[], after: readonly Tick[]): number {
  const prices = new Map(after.map((tick) => [tick.time, tick]));
  return before.filter(({ time, bid, ask }) => {
    const same = prices.get(time);
    return same?.bid !== bid || same.ask !== ask;
  }).length;
}

export function countDoubled(ticks: readonly Tick[]): number {
  return ticks.length - new Set(ticks.map(({ time }) => time)).size;
}

export type Calls = Awaited<ReturnType<ReturnType<typeof keepChecking>["stop"]>>;

/** Reads a price again and again by several callers, and checks each answer, until it is stopped. */
export function keepChecking(server: Spotline, key: string, callers: number) {
  let isStopped = false;
  const counts = { answered: 0, refused: 0, cut: 0, wrong: [] as string[] };
  async function call(): Promise<void> {
    const { status, wrong } = await readPrice(server, key);
    if (status === 200) counts.answered++;
    else if (status === 503) counts.refused++;
    else counts.wrong.push(`status ${status}`);
    if (wrong !== null) counts.wrong.push(wrong);
  }
  const repeat = async () => {
    while (!isStopped) await call().catch(() => counts.cut++);
  };
  const running = Array.from({ length: callers }, repeat);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running);
      return counts;
    },
  };
}
