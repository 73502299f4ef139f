import { describe, expect, test } from "vitest";
import { createIntake } from "@/lib/feeds/intake";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { judgeHour, type Verdict, VERDICTS } from "@/lib/history/quality/judge-hour";
import {
  createRandom,
  type Fault,
  type FeedTick,
  type Kind,
  KINDS,
  LATENCY_MS,
  plantFaults,
} from "@/lib/history/quality/planted-faults.fixture";
import { createWindow, type PointTick } from "@/lib/history/quality/real-days.fixture";
import { TickTally } from "@/lib/history/quality/tick-tally";
import { readRealDays } from "@/lib/history/ticks/real-ticks.fixture";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const DIGITS = 5;
const SCALE = 10 ** DIGITS;

/** Days that two brokers recorded, without a pause between them. */
interface Market {
  readonly symbol: string;
  readonly spreads: number;
  readonly ticks: ReadonlyMap<string, readonly FeedTick[]>;
}

/** The times of which there are files of both brokers; FXCM's days begin at 05:00 UTC. */
const SPANS: readonly { symbol: string; spreads: number; fromMs: number; toMs: number }[] = [
  { symbol: "EURUSD", spreads: 14, fromMs: Date.UTC(2014, 4, 1, 5), toMs: Date.UTC(2014, 4, 2, 21) },
  { symbol: "EURUSD", spreads: 14, fromMs: Date.UTC(2014, 4, 4, 21), toMs: Date.UTC(2014, 4, 7) },
  { symbol: "NZDUSD", spreads: 30, fromMs: Date.UTC(2014, 4, 2, 5), toMs: Date.UTC(2014, 4, 2, 21) },
  { symbol: "NZDUSD", spreads: 30, fromMs: Date.UTC(2014, 4, 5, 5), toMs: Date.UTC(2014, 4, 7) },
];

function readMarkets(dir: string): Market[] {
  const days = [...readRealDays(dir)];
  return SPANS.map(({ symbol, spreads, fromMs, toMs }) => {
    const ticks = new Map<string, FeedTick[]>();
    for (const day of days.filter((each) => each.symbol === symbol)) {
      const all = ticks.get(day.source) ?? [];
      ticks.set(day.source, all);
      for (const { timeMs, bid, ask } of day.ticks) {
        if (timeMs < fromMs || timeMs >= toMs) continue;
        const prices = { bid: Math.round(bid * SCALE), ask: Math.round(ask * SCALE) };
        all.push({ ...prices, brokerTimeMs: timeMs, receivedAtMs: timeMs + LATENCY_MS });
      }
    }
    return { symbol, spreads, ticks };
  });
}

interface Found {
  readonly source: string;
  readonly atMs: number;
  readonly verdict: Verdict | "clock" | "far_off" | "crossed";
}

/** Sends all ticks through the intake, and judges every hour. */
function judge(market: Market): Found[] {
  const { symbol } = market;
  const instrument = instrumentBySymbol.get(symbol) as Instrument;
  const accepted = new Map<string, PointTick[]>([...market.ticks.keys()].map((source) => [source, []]));
  const found: Found[] = [];
  const tally = new TickTally();
  const intake = createIntake({
    resolver: catalogResolver,
    sources: [...market.ticks.keys()].map((name) => ({ name })),
    now: () => 0,
    onQuote: ({ source, bid, ask, receivedAtMs }) =>
      void accepted
        .get(source)
        ?.push({ timeMs: receivedAtMs, bid: Math.round(bid * SCALE), ask: Math.round(ask * SCALE) }),
    onChecked: (tick, name, refusal) => {
      tally.onTick(tick, name, refusal);
      if (refusal !== "far_off" && refusal !== "crossed") return;
      found.push({ source: tick.source, atMs: tick.receivedAtMs, verdict: refusal });
    },
  });
  const all = [...market.ticks].flatMap(([source, ticks]) => ticks.map((tick) => ({ source, ...tick })));
  all.sort((a, b) => a.receivedAtMs - b.receivedAtMs);
  for (const { source, receivedAtMs, brokerTimeMs, bid, ask } of all) {
    const prices = { bid: bid / SCALE, ask: ask / SCALE };
    intake.tick({ source, brokerSymbol: symbol, ...prices, brokerTimeMs, receivedAtMs });
  }
  const [first, last] = [all[0]?.receivedAtMs ?? 0, all.at(-1)?.receivedAtMs ?? 0];
  for (let hourMs = Math.ceil(first / HOUR_MS) * HOUR_MS; hourMs + HOUR_MS <= last; hourMs += HOUR_MS) {
    const window = createWindow(hourMs, instrument.tradingHours, accepted);
    for (const { source, verdicts } of judgeHour(window)) {
      const offsets = tally.find(hourMs, symbol, source)?.offsets;
      for (const [minute, number] of verdicts.entries()) {
        const atMs = hourMs + minute * MINUTE_MS;
        const verdict = VERDICTS[number] as Verdict;
        if (!RIGHT.has(verdict)) found.push({ source, atMs, verdict });
        if (Math.abs(offsets?.[minute] ?? 0) > CLOCK_OFF_MS) found.push({ source, atMs, verdict: "clock" });
      }
    }
  }
  return found;
}

const CLOCK_OFF_MS = 1_000;
const RIGHT: ReadonlySet<Verdict> = new Set(["closed", "alone", "agrees"]);
/** What each kind of fault looks like. */
const SHOWS: Readonly<Record<Kind, readonly Found["verdict"][]>> = {
  tick: ["spike"],
  bar: ["spike"],
  burst: ["spike"],
  frozen: ["stale"],
  lag: ["lag"],
  missing: ["gap"],
  level: ["off"],
  scale: ["far_off"],
  swapped: ["crossed"],
  clock: ["clock"],
};
/** Verdicts that a fault may cause beside its own: what is refused is missing, and a lag begins and ends with a jump. */
const CAUSES: Readonly<Record<Kind, readonly Found["verdict"][]>> = {
  tick: [],
  bar: [],
  burst: [],
  frozen: ["spike"],
  lag: ["stale", "gap"],
  missing: [],
  level: ["spike"],
  scale: ["gap", "stale", "off", "spike"],
  swapped: ["gap"],
  clock: ["gap"],
};

/** How many of the planted faults were found, and how many verdicts were right. */
function score(faults: readonly Fault[], found: readonly Found[]) {
  const isAt = ({ source, fromMs, toMs }: Fault, each: Found) =>
    each.source === source && each.atMs > fromMs - 2 * MINUTE_MS && each.atMs < toMs + 2 * MINUTE_MS;
  const missed = faults.filter(
    (fault) => !found.some((each) => isAt(fault, each) && SHOWS[fault.kind].includes(each.verdict)),
  );
  const wrong = found.filter(
    (each) =>
      !faults.some(
        (fault) => isAt(fault, each) && [...SHOWS[fault.kind], ...CAUSES[fault.kind]].includes(each.verdict),
      ),
  );
  // A wrong verdict that lasts is one.
  const events = wrong.filter(
    (each, i) =>
      !wrong
        .slice(0, i)
        .some((before) => before.source === each.source && Math.abs(before.atMs - each.atMs) <= 2 * MINUTE_MS),
  );
  return { missed, wrong: events };
}

const nameFound = ({ source, verdict, atMs }: Found) => `${source} ${verdict} ${atMs}`;

const PASSES = 4;
const FAULTS_OF_KIND = 7;
/** The thresholds were chosen with other faults. */
const FIRST_SEED = 90_000;

const dir = findRealData();

describe.skipIf(dir === undefined)("faults planted into recorded days of two brokers", () => {
  test("Of a thousand faults of ten kinds, at least 95 % are found, and at least 99 % of what is found is one", () => {
    const markets = readMarkets(dir ?? "");
    // What the days show without any fault is real: gaps of the brokers, and nothing else.
    const natural = markets.map(judge);
    expect(new Set(natural.flat().map(({ verdict }) => verdict))).toEqual(new Set(["gap"]));
    expect(natural.flat().length).toBeLessThan(50);
    const planted: Fault[] = [];
    const missed: Fault[] = [];
    const wrong: Found[] = [];
    for (let seed = 1; seed <= PASSES; seed++) {
      for (const [index, market] of markets.entries()) {
        const ticks = new Map([...market.ticks].map(([source, each]) => [source, [...each]]));
        const random = createRandom(FIRST_SEED + 100 * seed + index);
        const counts = Object.fromEntries(KINDS.map((kind) => [kind, FAULTS_OF_KIND])) as Record<Kind, number>;
        const faults = plantFaults({ ticks, spreads: market.spreads, random }, counts);
        const known = new Set(natural[index]?.map(nameFound));
        const found = judge({ ...market, ticks }).filter((each) => !known.has(nameFound(each)));
        const scored = score(faults, found);
        planted.push(...faults);
        missed.push(...scored.missed);
        wrong.push(...scored.wrong);
      }
    }
    const byKind = Object.fromEntries(
      KINDS.map((kind) => {
        const count = (of: readonly Fault[]) => of.filter((fault) => fault.kind === kind).length;
        return [kind, `${count(planted) - count(missed)} of ${count(planted)}`];
      }),
    );
    const right = planted.length - missed.length;
    const [precision, recall] = [right / (right + wrong.length), right / planted.length];
    process.stdout.write(`${JSON.stringify({ precision, recall, wrong: wrong.length, ...byKind })}\n`);
    expect(planted.length).toBeGreaterThanOrEqual(1_000);
    expect(recall).toBeGreaterThanOrEqual(0.95);
    expect(precision).toBeGreaterThanOrEqual(0.99);
  }, 400_000);
});
