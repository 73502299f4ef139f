/**
 * What the prices of one symbol's sources tell about each other in an hour: the gaps of each source, a verdict for each of
 * its minutes, its spikes, and how far it was from the others. docs/quality.md has the definitions. Pure.
 */

/** The verdicts of a minute, by their numbers in storage. Earlier ones win where several are true of it. */
export const VERDICTS = ["closed", "gap", "stale", "lag", "off", "spike", "alone", "agrees"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One source's quotes at the end of each second of a window. All sources of a window have prices of the same digits. */
export interface SourceWindow {
  readonly source: string;
  /** In points; NaN without a quote. */
  readonly bids: Float64Array;
  readonly asks: Float64Array;
  /** 1 where a quote was received in the second. */
  readonly updated: Uint8Array;
  /**
   * The highest and lowest bid and the lowest ask of each minute of the hour, with prices within seconds, in points; NaN
   * where unknown.
   */
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  readonly lowAsks: Float64Array;
}

/** A window around an hour, in seconds: `LEAD` before it, the hour, `LEAD` after it. */
export interface HourWindow {
  /** 1 where the market was open. */
  readonly open: Uint8Array;
  /** 1 where the server recorded. */
  readonly recorded: Uint8Array;
  readonly sources: readonly SourceWindow[];
}

/** Seconds [from, to) of the hour. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A time without a price, because the source sent none, or because no server recorded. */
export interface HourGap extends Stretch {
  readonly isStopped: boolean;
}

/** A price that left those of all other sources and came back. */
export interface Spike extends Stretch {
  /** The greatest distance from the nearest other source, in points; below zero if it was under it. */
  readonly size: number;
}

export interface JudgedHour {
  readonly source: string;
  /** Open seconds; those that received a quote; those that are in no gap. */
  readonly expected: number;
  readonly updated: number;
  readonly covered: number;
  readonly gaps: readonly HourGap[];
  /** One number of VERDICTS for each minute. */
  readonly verdicts: Uint8Array;
  readonly spikes: readonly Spike[];
  /** Seconds by their distance from the other sources, in points. */
  readonly distances: ReadonlyMap<number, number>;
  /** The longest time in a row with prices apart from all others, in seconds. */
  readonly longest: number;
  /** M1 bars that another source has as well; those of them that differ from all others by more than the tolerance. */
  readonly bars: number;
  readonly differingBars: number;
}

/** Seconds before and after the hour that are looked at with it: the longest pause of a market that is no gap. */
export const LEAD = 300;
const HOUR = 3_600;
const MINUTE = 60;
export const WINDOW = LEAD + HOUR + LEAD;

/** The shortest silence, and the shortest time of frozen prices, in seconds. */
const SHORTEST_SILENCE = 20;
const SHORTEST_FREEZE = 60;
/** Updates that a source would have had in a silence: by those of another one, and by its own pace. */
const MISSED_UPDATES = 25;
const OWN_UPDATES = 30;
const MISSED_CHANGES = 30;
/** Sources follow each other within so many seconds. */
const FOLLOW = 3;
/** What a market moves in so many seconds around a moment is no disagreement. */
const MOVE = 10;
/** A tolerance is at least so many usual spreads of both, and so many usual deviations. */
const SPREADS = 0.75;
const DEVIATIONS = 6;
const LEAST_TOLERANCE = 2;
const LONGEST_SPIKE = 60;
/** While another source sends nothing in place of so many updates, it cannot tell who left. */
const SILENT_UPDATES = 5;
/** Lags that are looked for, in seconds. */
const SHORTEST_LAG = 4;
const LONGEST_LAG = 60;
/** A delayed price is at most so many usual deviations from what the other one had. */
const LAG_DEVIATIONS = 3;
const MOST_SPIKES = 60;

/** Judges the hour of a window. The sources are in any order; the answer has the same. */
export function judgeHour(window: HourWindow): JudgedHour[] {
  return [...judgeInSteps(window)].flatMap((step) => step ?? []);
}

/**
 * The same in steps, between which a server answers calls: all together take tens of milliseconds. The last ones have the
 * hours, and those before null.
 */
export function* judgeInSteps(window: HourWindow): Generator<JudgedHour | null> {
  const tracks: Track[] = [];
  for (const source of window.sources) {
    tracks.push(createTrack(source, window));
    yield null;
  }
  for (const track of tracks) findSilences(track, tracks, window);
  yield null;
  for (const track of tracks) findFreezes(track, tracks, window);
  for (const track of tracks) {
    yield null;
    track.pairs = yield* comparePairs(track, tracks, window);
  }
  for (const track of tracks) yield* findLags(track, window);
  for (const track of tracks) findEpisodes(track);
  yield null;
  const judged = tracks.map((track) => ({ track, verdicts: judgeMinutes(track, window) }));
  for (const { track, verdicts } of judged) judgeExtremes(track, verdicts, judged);
  for (const { track, verdicts } of judged) yield summarise(track, verdicts, window);
}

/** What is known of a source while the hour is judged, in points. */
interface Track {
  readonly input: SourceWindow;
  readonly mids: Float64Array;
  readonly changed: Uint8Array;
  readonly usualSpread: number;
  readonly gap: Uint8Array;
  readonly frozen: Uint8Array;
  readonly late: Uint8Array;
  /** 1 in a spike, 2 off its level. */
  readonly apart: Uint8Array;
  readonly spikes: Spike[];
  pairs: readonly Pair[];
}

/** A source beside another one. */
interface Pair {
  readonly other: Track;
  /** How far it usually is from the other one, as brokers have different markups. */
  readonly usual: number;
  /** How much that varies: the median. */
  readonly deviation: number;
  readonly tolerance: number;
  /**
   * How far its bid was above every ask that the other one had within FOLLOW seconds, or its ask below every bid, which is
   * negative; 0 where their spreads overlap, NaN where one of them has no price.
   */
  readonly distances: Float64Array;
  /** The distance that is too far in each second. */
  readonly limits: Float64Array;
}

function createTrack(input: SourceWindow, { open }: HourWindow): Track {
  const { bids, asks } = input;
  const mids = bids.map((bid, i) => (bid + (asks[i] as number)) / 2);
  const changed = new Uint8Array(WINDOW);
  for (let i = 1; i < WINDOW; i++) {
    changed[i] = bids[i] !== bids[i - 1] || asks[i] !== asks[i - 1] ? (input.updated[i] as number) : 0;
  }
  const spreads = bids.map((bid, i) => (open[i] === 1 ? (asks[i] as number) - bid : NaN));
  const flags = () => new Uint8Array(WINDOW);
  return {
    ...{ input, mids, changed, usualSpread: getMedian(spreads), pairs: [], spikes: [] },
    ...{ gap: flags(), frozen: flags(), late: flags(), apart: flags() },
  };
}

/** Marks the seconds of silences that are too long for the source itself, or beside the updates of another one. */
function findSilences(track: Track, tracks: readonly Track[], { open, recorded }: HourWindow): void {
  const { updated } = track.input;
  const pace = countOnes(updated, 0, WINDOW) / Math.max(1, countOnes(open, 0, WINDOW));
  const others = tracks.filter((other) => other !== track).map((other) => countRatio(updated, other.input.updated));
  forEachRun(updated, (from, to) => {
    const seconds = countOnes(open, from, to);
    if (seconds < SHORTEST_SILENCE) return;
    const isMissed = others.some(({ ratio, count }) => ratio * count(from, to) >= MISSED_UPDATES);
    if (isMissed || pace * seconds >= OWN_UPDATES || seconds >= LEAD) track.gap.fill(1, from, to);
  });
  for (let i = 0; i < WINDOW; i++) if (recorded[i] === 0 || Number.isNaN(track.mids[i])) track.gap[i] = 1;
}

/** Marks the seconds in which a source sent the same price again and again while another one moved. */
function findFreezes(track: Track, tracks: readonly Track[], { open }: HourWindow): void {
  const others = tracks.filter((other) => other !== track).map((other) => countRatio(track.changed, other.changed));
  forEachRun(track.changed, (from, to) => {
    if (countOnes(open, from, to) < SHORTEST_FREEZE || countOnes(track.input.updated, from, to) === 0) return;
    const isMissed = others.some(({ ratio, count }) => ratio * count(from, to) >= MISSED_CHANGES);
    if (isMissed) track.frozen.fill(1, from, to);
  });
}

/** How often a source has something for each time that another one has it. */
function countRatio(own: Uint8Array, other: Uint8Array) {
  const sums = new Float64Array(WINDOW + 1);
  for (let i = 0; i < WINDOW; i++) sums[i + 1] = (sums[i] as number) + (other[i] as number);
  const all = sums[WINDOW] as number;
  return {
    ratio: all === 0 ? 0 : countOnes(own, 0, WINDOW) / all,
    count: (from: number, to: number) => (sums[to] as number) - (sums[from] as number),
  };
}

function* comparePairs(track: Track, tracks: readonly Track[], { open }: HourWindow): Generator<null, Pair[]> {
  const pairs: Pair[] = [];
  for (const other of tracks) {
    if (other === track) continue;
    yield null;
    const isKnown = (t: Track, i: number) => t.gap[i] === 0 && t.frozen[i] === 0;
    const differences = track.mids.map((mid, i) =>
      open[i] === 1 && isKnown(track, i) && isKnown(other, i) ? mid - (other.mids[i] as number) : NaN,
    );
    const spreads = track.usualSpread + other.usualSpread;
    const median = getMedian(differences);
    const usual = Math.max(-spreads / 2, Math.min(spreads / 2, median || 0));
    const deviation = getMedian(differences.map((each) => Math.abs(each - median))) || 0;
    const tolerance = Math.max(LEAST_TOLERANCE, SPREADS * spreads || 0, DEVIATIONS * deviation);
    const { bids, asks } = track.input;
    const [lowBids] = getRange(other.input.bids, FOLLOW);
    const [, highAsks] = getRange(other.input.asks, FOLLOW);
    const [lowest, highest] = getRange(other.mids, MOVE);
    const distances = bids.map((bid, i) => {
      if (open[i] === 0 || track.gap[i] === 1 || other.gap[i] === 1) return NaN;
      const above = bid - usual - (highAsks[i] as number);
      return above > 0 ? above : Math.min(0, (asks[i] as number) - usual - (lowBids[i] as number));
    });
    const limits = lowest.map((least, i) => Math.max(tolerance, (highest[i] as number) - least));
    pairs.push({ other, usual, deviation, tolerance, distances, limits });
  }
  return pairs;
}

/** Marks the minutes in which a source has what another one had some seconds before. */
function* findLags(track: Track, { open }: HourWindow): Generator<null> {
  for (let minute = 0; minute < HOUR / MINUTE; minute++) {
    yield null;
    const from = LEAD + minute * MINUTE;
    if (track.pairs.length > 0 && track.pairs.every((pair) => isLate(track, pair, from, open))) {
      track.late.fill(1, from, from + MINUTE);
    }
  }
}

/**
 * Whether a source repeated what another one had had some seconds before: shifted by them its prices are near, at most half
 * as far as without a shift, and half as far as from standing still.
 */
function isLate({ mids, gap, frozen }: Track, pair: Pair, from: number, open: Uint8Array): boolean {
  const { other, usual, deviation, tolerance } = pair;
  const [start, end] = [from - MINUTE, from + 2 * MINUTE];
  if (countOnes(gap, start, end) + countOnes(other.gap, start, end) + countOnes(frozen, start, end) > MINUTE)
    return false;
  if (countOnes(other.frozen, start, end) > 0 || countOnes(open, start, end) < end - start) return false;
  const own = mids.subarray(start, end);
  const getCost = (lag: number) =>
    getMedian(own.map((mid, i) => Math.abs(mid - usual - (other.mids[start + i - lag] as number))));
  const now = getCost(0);
  if (!(now >= tolerance / 4)) return false;
  let [best, least] = [0, now];
  for (let lag = 1; lag <= LONGEST_LAG; lag++) {
    const cost = getCost(lag);
    if (cost < least) [best, least] = [lag, cost];
  }
  const level = getMedian(own);
  const still = getMedian(own.map((mid) => Math.abs(mid - level)));
  const near = LAG_DEVIATIONS * Math.max(deviation, 0.5);
  return best >= SHORTEST_LAG && least <= Math.min(now / 2, still / 2, near);
}

/** Finds the times in which a source is too far from all others, and whether it is the one that left. */
function findEpisodes(track: Track): void {
  const { pairs, mids } = track;
  for (let i = 0; i < WINDOW; i++) {
    if (!isApart(pairs, i)) continue;
    let [from, to] = [i, i + 1];
    for (let next = from - 1; next >= 0 && next >= from - FOLLOW; next--)
      if (findNearest(pairs, next) !== 0) from = next;
    for (let next = to; next < WINDOW && next < to + FOLLOW; next++) if (findNearest(pairs, next) !== 0) to = next + 1;
    i = to;
    if (track.frozen[from] === 1 || isLateNear(track, from, to)) continue;
    if (!isLeaver(track, from, to)) continue;
    const isSpike = to - from <= LONGEST_SPIKE;
    track.apart.fill(isSpike ? 1 : 2, from, to);
    if (isSpike && to > LEAD && from < LEAD + HOUR && track.spikes.length < MOST_SPIKES) {
      const sizes = Array.from(mids.subarray(from, to), (_, k) => findNearest(pairs, from + k));
      const size = sizes.reduce((most, each) => (Math.abs(each) > Math.abs(most) ? each : most), 0);
      track.spikes.push({ from: Math.max(0, from - LEAD), to: Math.min(to - LEAD, HOUR), size });
    }
  }
}

/** Whether a source is too far from all others that have a price in a second. */
function isApart(pairs: readonly Pair[], i: number): boolean {
  let known = 0;
  for (const { distances, limits } of pairs) {
    const distance = distances[i] as number;
    if (Number.isNaN(distance)) continue;
    if (Math.abs(distance) <= (limits[i] as number)) return false;
    known++;
  }
  return known > 0;
}

function findNearest(pairs: readonly Pair[], i: number): number {
  let nearest = NaN;
  for (const { distances } of pairs) {
    const distance = distances[i] as number;
    if (!(Math.abs(distance) >= Math.abs(nearest))) nearest = Number.isNaN(distance) ? nearest : distance;
  }
  return Number.isNaN(nearest) ? 0 : nearest;
}

/**
 * Whether a source left the others in [from, to), and not they it. Two others that agree decide it. Of two sources, the
 * one left that moved away and came back; one that stayed while the other moved on is late, not off.
 */
function isLeaver(track: Track, from: number, to: number): boolean {
  const known = track.pairs.filter(({ distances }) => !Number.isNaN(distances[from]));
  if (known.length !== 1) return true;
  const { other, tolerance } = known[0] as Pair;
  if (other.frozen[from] === 1 || isLateNear(other, from, to)) return false;
  if (isSilent(other, from, to)) return false;
  const getWay = to - from <= LONGEST_SPIKE ? getExcursion : getJumps;
  const [own, others] = [getWay(track.mids, from, to), getWay(other.mids, from, to)];
  return own > others && own > tolerance;
}

/** Whether a source was late at some time around [from, to): where a lag begins and ends, it cannot tell who left. */
function isLateNear({ late }: Track, from: number, to: number): boolean {
  return countOnes(late, from - 2 * MINUTE, to + 2 * MINUTE) > 0;
}

/** Whether a source sent nothing in [from, to), although it usually would have. */
function isSilent({ input: { updated } }: Track, from: number, to: number): boolean {
  const usual = (countOnes(updated, 0, WINDOW) * (to - from)) / WINDOW;
  return usual >= SILENT_UPDATES && countOnes(updated, from, to) === 0;
}

/** How far a price went beyond where it was before [from, to) and after it. */
function getExcursion(mids: Float64Array, from: number, to: number): number {
  const before = mids[from - FOLLOW - 1] ?? NaN;
  const after = mids[to + FOLLOW] ?? NaN;
  if (Number.isNaN(before) || Number.isNaN(after)) return getJumps(mids, from, to);
  const [low, high] = [Math.min(before, after), Math.max(before, after)];
  let most = 0;
  for (let i = from; i < to; i++) {
    const mid = mids[i] as number;
    most = Math.max(most, mid - high, low - mid);
  }
  return most;
}

/** How far a price jumped when [from, to) began and when it ended. */
function getJumps(mids: Float64Array, from: number, to: number): number {
  const getJump = (a: number, b: number) => Math.abs((mids[a] ?? NaN) - (mids[b] ?? NaN)) || 0;
  return getJump(from - FOLLOW - 1, from + FOLLOW) + getJump(to - 1 - FOLLOW, to + FOLLOW);
}

function judgeMinutes(track: Track, { open }: HourWindow): Uint8Array {
  const verdicts = new Uint8Array(HOUR / MINUTE);
  for (let minute = 0; minute < verdicts.length; minute++) {
    const from = LEAD + minute * MINUTE;
    const to = from + MINUTE;
    const all = countOnes(open, from, to);
    const count = (isTrue: (i: number) => boolean) => {
      let sum = 0;
      for (let i = from; i < to; i++) if (open[i] === 1 && isTrue(i)) sum++;
      return sum;
    };
    const isMost = (isTrue: (i: number) => boolean) => 2 * count(isTrue) >= all;
    const judge = (): Verdict => {
      if (all === 0) return "closed";
      if (isMost((i) => track.gap[i] === 1)) return "gap";
      if (isMost((i) => track.frozen[i] === 1)) return "stale";
      if (track.late[from] === 1) return "lag";
      if (isMost((i) => track.apart[i] === 2)) return "off";
      if (count((i) => track.apart[i] !== 0) > 0) return "spike";
      if (isMost((i) => track.pairs.every(({ distances }) => Number.isNaN(distances[i])))) return "alone";
      return "agrees";
    };
    verdicts[minute] = VERDICTS.indexOf(judge());
  }
  return verdicts;
}

const AGREES = VERDICTS.indexOf("agrees");
const SPIKE = VERDICTS.indexOf("spike");

/** Finds prices within seconds that were beyond all that the others had in their minute. */
function judgeExtremes(
  track: Track,
  verdicts: Uint8Array,
  judged: readonly { readonly track: Track; readonly verdicts: Uint8Array }[],
): void {
  for (const [minute, verdict] of verdicts.entries()) {
    const [high, low] = [track.input.highs[minute] as number, track.input.lowAsks[minute] as number];
    const from = LEAD + minute * MINUTE;
    if (verdict !== AGREES || Number.isNaN(high) || isLateNear(track, from, from + MINUTE)) continue;
    let beyond = Infinity;
    for (const { other, usual, tolerance } of track.pairs) {
      const otherVerdict = judged.find((each) => each.track === other)?.verdicts[minute];
      if ((otherVerdict !== AGREES && otherVerdict !== SPIKE) || isLateNear(other, from, from + MINUTE)) continue;
      const { lowest, highest, range } = getMinuteRange(other.input, minute);
      const distance = Math.max(high - usual - highest, lowest - (low - usual));
      beyond = Math.min(beyond, distance / Math.max(tolerance, range));
    }
    if (Number.isFinite(beyond) && beyond > 1) verdicts[minute] = SPIKE;
  }
}

/** The lowest bid and the highest ask at the end of a second around a minute, and how far the price moved in it. */
function getMinuteRange({ bids, asks }: SourceWindow, minute: number) {
  let [lowest, highest, lowAsk, highBid] = [Infinity, -Infinity, Infinity, -Infinity];
  const from = LEAD + minute * MINUTE;
  for (let i = from - FOLLOW; i < from + MINUTE + FOLLOW; i++) {
    const [bid, ask] = [bids[i] as number, asks[i] as number];
    lowest = Math.min(lowest, bid);
    highBid = Math.max(highBid, bid);
    highest = Math.max(highest, ask);
    lowAsk = Math.min(lowAsk, ask);
  }
  return { lowest, highest, range: Math.min(highBid - lowest, highest - lowAsk) };
}

function summarise(track: Track, verdicts: Uint8Array, { open, recorded }: HourWindow): JudgedHour {
  const { input, gap, pairs, spikes } = track;
  const gaps: HourGap[] = [];
  const distances = new Map<number, number>();
  let [expected, updated, covered, run, longest] = [0, 0, 0, 0, 0];
  let isStopped = false;
  for (let i = 0; i < LEAD + HOUR; i++) {
    // After a start no source has a price until it sends one.
    isStopped = recorded[i] === 0 || (isStopped && Number.isNaN(track.mids[i]));
    if (i < LEAD || open[i] === 0) continue;
    expected++;
    updated += input.updated[i] as number;
    if (gap[i] === 0) covered++;
    else addSecond(gaps, i - LEAD, isStopped);
    const distance = getDistance(track, i);
    if (distance === null) continue;
    distances.set(distance, (distances.get(distance) ?? 0) + 1);
    run = isApart(pairs, i) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  const { bars, differingBars } = compareBars(track, verdicts);
  const { source } = input;
  return { source, expected, updated, covered, gaps, verdicts, spikes, distances, longest, bars, differingBars };
}

const WITHOUT_BAR: ReadonlySet<number> = new Set([VERDICTS.indexOf("closed"), VERDICTS.indexOf("gap")]);

/** Counts the bars, of bids, that can be compared, and those that differ. */
function compareBars({ input, pairs }: Track, verdicts: Uint8Array) {
  let [bars, differingBars] = [0, 0];
  for (const [minute, verdict] of verdicts.entries()) {
    if (WITHOUT_BAR.has(verdict)) continue;
    const own = createBar(input, minute);
    const ratios = pairs.flatMap(({ other, usual, tolerance }) => {
      const bar = createBar(other.input, minute);
      const far = own.reduce((most, price, i) => Math.max(most, Math.abs(price - usual - (bar[i] as number))), 0);
      const isKnown = own.every(Number.isFinite) && bar.every(Number.isFinite);
      return isKnown && countOnes(other.gap, LEAD + minute * MINUTE, LEAD + minute * MINUTE + MINUTE) === 0
        ? far / tolerance
        : [];
    });
    if (ratios.length === 0) continue;
    bars++;
    if (Math.min(...ratios) > 1) differingBars++;
  }
  return { bars, differingBars };
}

/** The first, highest, lowest and last bid of a minute. */
function createBar({ bids, highs, lows }: SourceWindow, minute: number): readonly number[] {
  const from = LEAD + minute * MINUTE;
  let [high, low] = [highs[minute] as number, lows[minute] as number];
  if (Number.isNaN(high)) [high, low] = [-Infinity, Infinity];
  for (let i = from; i < from + MINUTE; i++) {
    const bid = bids[i] as number;
    if (bid > high) high = bid;
    if (bid < low) low = bid;
  }
  return [bids[from] as number, high, low, bids[from + MINUTE - 1] as number];
}

/** How far a source is from the median of the others, in whole points; null without a price of both. */
function getDistance({ mids, gap, pairs }: Track, i: number): number | null {
  if (gap[i] === 1) return null;
  // A plain array: this is done for every second.
  const others: number[] = [];
  for (const { other } of pairs) if (other.gap[i] === 0) others.push(other.mids[i] as number);
  if (others.length === 0) return null;
  if (others.length > 1) others.sort((a, b) => a - b);
  const middle = others.length >>> 1;
  const upper = others[middle] as number;
  const median = others.length % 2 === 1 ? upper : (upper + (others[middle - 1] as number)) / 2;
  return Math.round(Math.abs((mids[i] as number) - median));
}

function addSecond(gaps: HourGap[], second: number, isStopped: boolean): void {
  const last = gaps.at(-1);
  if (last?.to === second && last.isStopped === isStopped) gaps[gaps.length - 1] = { ...last, to: second + 1 };
  else gaps.push({ from: second, to: second + 1, isStopped });
}

/** Calls `visit` with each run of zeros. */
function forEachRun(flags: Uint8Array, visit: (from: number, to: number) => void): void {
  let from = 0;
  for (let i = 0; i <= flags.length; i++) {
    if (i < flags.length && flags[i] === 0) continue;
    if (from < i) visit(from, i);
    from = i + 1;
  }
}

function countOnes(flags: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let i = Math.max(0, from); i < to; i++) sum += flags[i] ?? 0;
  return sum;
}

/** The lowest and the highest value within some seconds of each; NaN counts as none. */
function getRange(values: Float64Array, seconds: number): readonly [Float64Array, Float64Array] {
  const lows = new Float64Array(WINDOW);
  const highs = new Float64Array(WINDOW);
  for (let i = 0; i < WINDOW; i++) {
    let [low, high] = [Infinity, -Infinity];
    for (let at = Math.max(0, i - seconds); at <= Math.min(WINDOW - 1, i + seconds); at++) {
      const value = values[at] as number;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    lows[i] = low;
    highs[i] = high;
  }
  return [lows, highs];
}

/** The median of the numbers that are not NaN, of two middle ones their mean; NaN without one. */
export function getMedian(values: Float64Array): number {
  const copy = new Float64Array(values.length);
  let count = 0;
  // A loop, because filter() takes several times as long.
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!Number.isNaN(value)) copy[count++] = value;
  }
  if (count === 0) return NaN;
  const known = copy.subarray(0, count).sort();
  const middle = count >>> 1;
  const upper = known[middle] as number;
  return count % 2 === 1 ? upper : (upper + (known[middle - 1] as number)) / 2;
}
