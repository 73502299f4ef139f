import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { CONTRACT_CASES, type ContractCase } from "@/e2e/venues/contract-cases.fixture";
import type { FaultOptions } from "@/e2e/venues/kit/faults";
import type { VenueOptions } from "@/e2e/venues/kit/open-venue";
import { open } from "@/e2e/venues/kit/testing.fixture";
import { readVenueFile } from "@/e2e/venues/kit/venue-file";
import type { DayTick } from "@/e2e/venues/recorded/recorded-day";
import { createFolder, runFeed } from "@/e2e/venues/run-feed.fixture";
import { KIND_NAMES } from "@/lib/feeds/kinds";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** What the rest of the product relies on, for every connector, over real sockets, with the faults of real networks. */

const START = Date.UTC(2026, 0, 14, 14);
const TICKS = 40;
const END = START + TICKS * SECOND_MS;
/** Generous, because the tests share the machine with others. */
const PATIENCE = { timeout: 20_000, interval: 5 };
const TIMES = { silenceMs: 2_000, retryMs: 5, maxRetryMs: 20 };

const createTick = (step: number, timeMs = START + step * SECOND_MS): DayTick => {
  const bid = 1.1 + step / 100_000;
  return { symbol: "eurusd", timeMs, bid: Number(bid.toFixed(5)), ask: Number((bid + 0.0001).toFixed(5)) };
};
/** The last price of the evening before, as venues send it to every new connection. */
const OLD = createTick(-5, START - 10 * HOUR_MS);
const CLEAN = Array.from({ length: TICKS }, (_, step) => createTick(step));
const LAST = CLEAN.at(-1) as DayTick;

/** Each connection gets the same: an old price, then all ticks, with messages between them that are none. */
function* writeFeed({ format, quiet, hasTimes }: ContractCase): Generator<string> {
  if (hasTimes) yield format(OLD);
  for (const [step, tick] of CLEAN.entries()) {
    yield format(tick);
    yield quiet[step % quiet.length] as string;
  }
  // A venue repeats the newest price; one of these arrives also if others are lost.
  for (let time = 0; time < 4; time++) yield format(LAST);
}

async function serve(each: ContractCase, faults: FaultOptions, options: Partial<VenueOptions> = {}) {
  const { name, transport } = each;
  const venue = await open({
    ...{ transport, scenario: readVenueFile(name), name: "recorded day", faults, clock: () => END },
    ...{ feed: () => writeFeed(each), ...options },
  });
  return venue;
}

async function run(each: ContractCase, faults: FaultOptions, silenceMs = TIMES.silenceMs) {
  const venue = await serve(each, faults);
  const options = { url: venue.url, times: { ...TIMES, silenceMs }, dataDir: createFolder() };
  const running = await runFeed((context) => each.create(context, options), {
    ...{ now: () => END, secrets: each.secrets },
  });
  const keys = () => running.quotes.map((quote) => toKey(each, quote));
  await expect.poll(keys, PATIENCE).toContain(toKey(each, LAST));

  const startedMs = performance.now();
  await running.feed.stop();
  expect(performance.now() - startedMs).toBeLessThan(SECOND_MS);
  const { calls } = running.counts;
  await venue.close();
  expect(running.counts.calls).toBe(calls);
  const traces = await running.readTraces();
  expect(each.secrets.filter((secret) => traces.includes(secret))).toEqual([]);
  return { ...running, venue, accepted: keys() };
}

/** A price without a time of its own has that of its receipt, which may differ. */
const toKey = ({ hasTimes }: ContractCase, { timeMs, bid, ask }: { timeMs: number; bid: number; ask: number }) =>
  hasTimes ? `${timeMs} ${bid} ${ask}` : `${bid} ${ask}`;

/** What must be accepted: every price once, in order, each with its own time. */
const listExpected = (each: ContractCase) =>
  [...(each.hasTimes ? [OLD] : []), ...CLEAN].map((tick) => toKey(each, tick));

const countLost = (statuses: readonly string[]) => statuses.filter((status) => /^disconnected/.test(status)).length;

test("Every kind of live source is tested here", () => {
  // Sources over FIX have their own tests, because a session has numbers that faults must not disturb.
  // Terminals connect to the server, not the other way round: lib/feeds/mt5 has their tests.
  const live = KIND_NAMES.filter((kind) => !["simulated", "replay", "fix", "mt5"].includes(kind));
  expect(CONTRACT_CASES.map(({ name }) => name).sort()).toEqual(live.toSorted());
});

describe.each(CONTRACT_CASES)("$name", (each) => {
  test("accepts every price once and with its own time, however the bytes arrive", async () => {
    const { accepted } = await run(each, { seed: "a", split: "random", join: 0.2, delayMs: 2, duplicate: 0.2 });
    expect(accepted).toEqual(listExpected(each));
  });

  test("accepts nothing twice and nothing anew when it connects again after lost connections", async () => {
    const cut = { connections: 4, afterMessages: 30 };
    const { accepted, statuses, venue } = await run(each, { seed: "b", cut, garbage: 0.01 });
    expect(venue.connections).toBeGreaterThan(2);
    expect(countLost(statuses)).toBeGreaterThan(0);
    // Without times, a price that a new connection repeats looks like a new one.
    expect(each.hasTimes ? accepted : [...new Set(accepted)]).toEqual(listExpected(each));
  });

  test("accepts only prices of the venue, in the order of time, when messages are lost, late or damaged", async () => {
    const { accepted } = await run(each, { seed: "c", drop: 0.03, reorder: 0.2, garbage: 0.01, duplicate: 0.1 }, 300);
    const order = listExpected(each);
    const places = [...new Set(accepted)].map((key) => order.indexOf(key));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(places.length).toBeGreaterThan(TICKS / 2);
  });

  test("reports a silent venue as disconnected, and connects again", async () => {
    const halfOpen = { connections: each.transport === "http" ? 2 : 1, afterMessages: 12 };
    const { accepted, statuses } = await run(each, { seed: "d", halfOpen }, 150);
    const at = statuses.indexOf("disconnected nothing arrived for 150 ms");
    expect(at).not.toBe(-1);
    expect(statuses.slice(at)).toContainEqual(expect.stringMatching(/^connected/));
    expect(each.hasTimes ? accepted : [...new Set(accepted)]).toEqual(listExpected(each));
  });

  test("keeps nothing of a burst of a hundred times the usual messages", async () => {
    // Spaces mean nothing in JSON. They make each message weigh more than what is rightly kept.
    const padding = " ".repeat(8_192);
    // Ten messages a second are usual.
    const burst = 1_000;
    const feed = function* () {
      for (let step = 0; step < burst; step++) yield each.format(createTick(step, START + step)) + padding;
    };
    const venue = await serve(each, {}, { feed });
    const options = { url: venue.url, times: { ...TIMES, silenceMs: 60_000 }, dataDir: createFolder() };
    const before = await measureMemory();
    const { counts, feed: running } = await runFeed((context) => each.create(context, options), {
      ...{ now: () => END, isKept: false },
    });
    // Whole seconds and numbered messages repeat some of the prices.
    await expect.poll(() => counts.calls, PATIENCE).toBeGreaterThanOrEqual(burst);
    expect(counts.quotes).toBeGreaterThan(0);
    await expect
      .poll(async () => (await measureMemory()) - before, PATIENCE)
      .toBeLessThan((burst * padding.length) / 2);
    await running.stop();
  });
});

describe.each(CONTRACT_CASES.filter(({ secrets }) => secrets.length > 0))("$name", (each) => {
  test("shows no credential that the venue repeats, in no status, log line or recorded frame", async () => {
    const { name, transport, secrets } = each;
    const echo = secrets.join(" ");
    const venue = await open({ transport, onConnection: (connection) => each.refuse(connection, echo) });
    const options = { url: venue.url, times: TIMES, dataDir: createFolder() };
    const running = await runFeed((context) => each.create(context, options), { secrets });
    const traces = () => [...running.statuses, ...running.logged].join("\n");
    await vi.waitFor(() => expect(traces()).toMatch(name === "oanda" ? /401/ : /\*\*\*/), PATIENCE);
    await running.feed.stop();
    const all = await running.readTraces();
    for (const secret of secrets) {
      for (const text of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
        expect(all).not.toContain(text);
      }
    }
  });
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes that are in use, of objects and of buffers. Buffers are freed a moment after they were collected. */
async function measureMemory(): Promise<number> {
  collectGarbage();
  await setTimeout(20);
  collectGarbage();
  await setTimeout(20);
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
