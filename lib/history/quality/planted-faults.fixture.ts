import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Ticks of one source as its feed would report them, prices in points, oldest first by receipt. */
export interface FeedTick {
  readonly receivedAtMs: number;
  readonly brokerTimeMs: number;
  readonly bid: number;
  readonly ask: number;
}

export const KINDS = [
  "tick",
  "burst",
  "frozen",
  "lag",
  "missing",
  "level",
  "scale",
  "swapped",
  "clock",
  "bar",
] as const;
export type Kind = (typeof KINDS)[number];

export interface Fault {
  readonly kind: Kind;
  readonly source: string;
  /** UTC milliseconds: the first planted price, and the first one that is right again. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** A repeatable random number in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Market {
  readonly ticks: Map<string, FeedTick[]>;
  /** The usual spreads of both sources together, in points. */
  readonly spreads: number;
  readonly random: () => number;
}

/** The least time between two faults, so that each can be told from the next one. */
const APART_MS = 4 * MINUTE_MS;
const DURATIONS_S: Readonly<Record<Kind, readonly [number, number]>> = {
  tick: [1, 1],
  burst: [2, 20],
  frozen: [180, 480],
  lag: [240, 420],
  missing: [120, 900],
  level: [120, 900],
  scale: [60, 180],
  swapped: [120, 420],
  clock: [180, 600],
  bar: [1, 1],
};

/**
 * Plants faults into the ticks of a market, as many of each kind as are wanted where the market shows them: a lag, for
 * example, cannot be seen in a market that does not move. Returns what was planted.
 */
export function plantFaults(market: Market, counts: Readonly<Record<Kind, number>>): Fault[] {
  const { ticks, random } = market;
  const planted: Fault[] = [];
  const sources = [...ticks.keys()];
  const times = sources.map((source) => ticks.get(source) ?? []);
  // In whole hours, which are judged.
  const startMs = Math.ceil(Math.max(...times.map((each) => each[0]?.receivedAtMs ?? 0)) / HOUR_MS) * HOUR_MS;
  const endMs = Math.floor(Math.min(...times.map((each) => each.at(-1)?.receivedAtMs ?? 0)) / HOUR_MS) * HOUR_MS;
  // Long ones first, while there is room for them.
  const kinds = [...KINDS].sort((a, b) => DURATIONS_S[b][1] - DURATIONS_S[a][1]);
  for (const kind of kinds) {
    let left = counts[kind];
    for (let attempt = 0; attempt < 20_000 && left > 0; attempt++) {
      const source = sources[Math.floor(random() * sources.length)] ?? "";
      const other = sources.find((each) => each !== source) ?? "";
      const [shortest, longest] = DURATIONS_S[kind];
      const fromMs = startMs + Math.floor(random() * (endMs - startMs));
      const toMs = fromMs + Math.round(shortest + random() * (longest - shortest)) * SECOND_MS;
      if (toMs + MINUTE_MS > endMs) continue;
      if (planted.some((each) => fromMs < each.toMs + APART_MS && each.fromMs < toMs + APART_MS)) continue;
      const span = { own: cut(ticks.get(source), fromMs, toMs), others: cut(ticks.get(other), fromMs - 90_000, toMs) };
      const fault = plant(market, { kind, source, fromMs, toMs }, span);
      if (fault === null) continue;
      planted.push(fault);
      left--;
    }
  }
  return planted;
}

interface Cut {
  readonly all: FeedTick[];
  readonly from: number;
  readonly to: number;
  readonly inside: readonly FeedTick[];
}

function cut(all: FeedTick[] = [], fromMs: number, toMs: number): Cut {
  const [from, to] = [findFirst(all, fromMs), findFirst(all, toMs)];
  return { all, from, to, inside: all.slice(from, to) };
}

function findFirst(ticks: readonly FeedTick[], atMs: number): number {
  let [low, high] = [0, ticks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ticks[middle] as FeedTick).receivedAtMs < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Plants one fault; null where nobody could see it. */
function plant(
  { spreads, random, ticks }: Market,
  fault: Fault,
  { own, others }: { readonly own: Cut; readonly others: Cut },
): Fault | null {
  const { kind, fromMs, toMs } = fault;
  const before = own.all[own.from - 1];
  if (before === undefined || own.to >= own.all.length - 1) return null;
  const replace = (inside: readonly FeedTick[]) =>
    void ticks.set(fault.source, [...own.all.slice(0, own.from), ...inside, ...own.all.slice(own.to)]);
  const isNear = others.inside.filter(({ receivedAtMs }) => Math.abs(receivedAtMs - fromMs) < 15_000);
  const move = getRange(isNear.map(({ bid }) => bid));
  const size = Math.round((2.5 + 6 * random()) * spreads + move) * (random() < 0.5 ? -1 : 1);
  const shift = (by: number) => (tick: FeedTick) => ({ ...tick, bid: tick.bid + by, ask: tick.ask + by });
  const at = (receivedAtMs: number, { bid, ask }: FeedTick) => ({
    ...{ receivedAtMs, brokerTimeMs: receivedAtMs - LATENCY_MS, bid, ask },
  });
  const last = own.inside.at(-1) ?? before;
  switch (kind) {
    case "tick": {
      // It stands until the next regular tick.
      const next = own.all[own.to] as FeedTick;
      if (own.inside.length > 0 || next.receivedAtMs - toMs > 30_000) return null;
      replace([shift(size)(at(fromMs, before))]);
      return { ...fault, toMs: next.receivedAtMs };
    }
    case "bar": {
      // Within one second, so that no second ends with it.
      const secondMs = Math.floor(fromMs / SECOND_MS) * SECOND_MS + 200;
      if (cut(own.all, secondMs - 200, secondMs + 800).inside.length > 0) return null;
      const previous = own.all[findFirst(own.all, secondMs) - 1] ?? before;
      const index = findFirst(own.all, secondMs);
      const extra = [shift(size)(at(secondMs, previous)), at(secondMs + 300, previous)];
      ticks.set(fault.source, [...own.all.slice(0, index), ...extra, ...own.all.slice(index)]);
      return { ...fault, fromMs: secondMs, toMs: secondMs + 300 };
    }
    case "burst":
      replace([shift(size)(at(fromMs, before)), ...own.inside.map(shift(size)), at(toMs - 1, last)]);
      return fault;
    case "level":
      if (own.inside.length < 10) return null;
      replace([...own.inside.map(shift(size)), at(toMs - 1, last)]);
      return { ...fault, fromMs: own.inside[0]?.receivedAtMs ?? fromMs };
    case "scale": {
      // A hundredth of the price, or so many times it: the intake refuses the first ones, then accepts them.
      const factor = random() < 0.5 ? 100 : 0.01;
      if (own.inside.length < 10) return null;
      replace(
        own.inside.map((tick) => ({ ...tick, bid: Math.round(tick.bid * factor), ask: Math.round(tick.ask * factor) })),
      );
      return { ...fault, toMs: own.all[own.to + 6]?.receivedAtMs ?? toMs };
    }
    case "frozen":
      if (countChanges(own.inside) < 60 || countChanges(others.inside) < 60) return null;
      replace(own.inside.map((tick) => at(tick.receivedAtMs, before)));
      return fault;
    case "missing":
      if (countSeconds(own.inside) < 40 && toMs - fromMs < 330_000) return null;
      if (countSeconds(others.inside) < 40 && toMs - fromMs < 330_000) return null;
      replace([]);
      return fault;
    case "swapped":
      if (own.inside.some(({ bid, ask }) => bid === ask) && countSeconds(own.inside) < 40) return null;
      if (countSeconds(own.inside) < 5) return null;
      replace(own.inside.map((tick) => ({ ...tick, bid: tick.ask, ask: tick.bid })));
      return fault;
    case "clock": {
      const byMs = (2_000 + random() * 40_000) * (random() < 0.5 ? -1 : 1);
      if (countSeconds(own.inside) < 20) return null;
      replace(own.inside.map((tick) => ({ ...tick, brokerTimeMs: tick.brokerTimeMs + byMs })));
      return fault;
    }
    case "lag": {
      const lagMs = (8 + Math.round(random() * 37)) * SECOND_MS;
      if (getMeanMove(own, lagMs) < 0.6 * spreads || getMeanMove(others, lagMs) < 0.6 * spreads) return null;
      const late = own.inside
        .map((tick) => at(tick.receivedAtMs + lagMs, tick))
        .filter(({ receivedAtMs }) => receivedAtMs < toMs);
      replace([...late, at(toMs - 1, last)]);
      return fault;
    }
  }
}

/** From the broker's time to the receipt. */
export const LATENCY_MS = 60;

function getRange(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values);
}

const countSeconds = (ticks: readonly FeedTick[]) =>
  new Set(ticks.map(({ receivedAtMs }) => Math.floor(receivedAtMs / SECOND_MS))).size;

const countChanges = (ticks: readonly FeedTick[]) =>
  countSeconds(ticks.filter(({ bid, ask }, i) => i > 0 && (ticks[i - 1]?.bid !== bid || ticks[i - 1]?.ask !== ask)));

/** How far the price moved in some time, on average, sampled each second. */
function getMeanMove({ all, from, to }: Cut, lagMs: number): number {
  if (to - from < 20) return 0;
  const [startMs, endMs] = [(all[from] as FeedTick).receivedAtMs, (all[to - 1] as FeedTick).receivedAtMs];
  let [sum, count] = [0, 0];
  for (let atMs = startMs + 1; atMs < endMs; atMs += SECOND_MS) {
    const now = all[findFirst(all, atMs) - 1];
    const past = all[findFirst(all, atMs - lagMs) - 1];
    if (now === undefined || past === undefined) continue;
    sum += Math.abs(now.bid + now.ask - past.bid - past.ask) / 2;
    count++;
  }
  return count === 0 ? 0 : sum / count;
}
