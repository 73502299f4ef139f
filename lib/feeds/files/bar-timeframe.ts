import { findNamedMinutes } from "@/lib/feeds/files/file-names";
import { FileRefused, IMPORT_TIMEFRAMES, type PriceFile } from "@/lib/feeds/files/price-rows";
import type { StoredTimeframe } from "@/lib/market/timeframe";
import { MINUTE_MS } from "@/lib/time/units";

/** How long the bars of a file are. */

/** Rows from which the timeframe of bars is recognised. */
const SAMPLE_BARS = 2_000;

const MINUTES: Readonly<Partial<Record<StoredTimeframe, number>>> = { M1: 1, M5: 5, M15: 15, M30: 30, H1: 60 };

type ImportTimeframe = (typeof IMPORT_TIMEFRAMES)[number];

interface FoundTimeframe {
  readonly timeframe: ImportTimeframe;
  readonly reason: string;
}

/**
 * The timeframe of a file of bars: the usual distance of its rows, or what its name tells if it has one row. Throws
 * FileRefused if they cannot be imported.
 */
export function findTimeframe(file: PriceFile, zone: string, isClock = false): FoundTimeframe {
  requireOneTimeframe(file, zone, isClock);
  const { rows } = file.open(zone, isClock);
  const times: number[] = [];
  let fault: string | null = null;
  let doubts = 0;
  for (let read = 0; read < SAMPLE_BARS && rows.next(); read++) {
    if (rows.doubt !== null) doubts++;
    if (rows.fault !== null) fault ??= `line ${rows.at}: ${rows.describe()} (expected ${rows.fault})`;
    if (rows.fault === null && rows.doubt === null) times.push(rows.timeMs);
  }
  if (times.length + doubts === 0 && fault !== null) {
    throw new FileRefused(file.path, `its rows cannot be read as they were recognised: ${fault}`);
  }
  // Rows may come in any order.
  times.sort((a, b) => a - b);
  const counts = new Map<number, number>();
  times.forEach((timeMs, i) => {
    const step = i === 0 ? 0 : (timeMs - (times[i - 1] as number)) / MINUTE_MS;
    if (step > 0) counts.set(step, (counts.get(step) ?? 0) + 1);
  });
  const usual = findUsualStep(counts);
  const minutes = usual ?? findNamedMinutes(file.path);
  const timeframe = IMPORT_TIMEFRAMES.find((each) => MINUTES[each] === minutes);
  if (timeframe !== undefined) {
    checkBeginnings(file, times, MINUTES[timeframe] ?? 1);
    return { timeframe, reason: usual === null ? "its name tells it" : "the usual distance of its bars" };
  }
  const few = doubts === 0 ? "" : ` whose times are neither skipped nor shown twice by the clocks of ${zone}`;
  const distance = usual === null ? `it has fewer than two bars${few}` : `its bars are ${formatDistance(usual)} apart`;
  // Minutes without a price have no bar.
  const isThin = usual !== null && usual > 1 && usual < 60 && Number.isInteger(usual);
  const thin = isThin ? `; if they are shorter, and some are missing, give their length, such as --timeframe M1` : "";
  throw new FileRefused(
    file.path,
    `${distance}: expected bars of ${IMPORT_TIMEFRAMES.join(", ")}, since longer ones depend on the broker's day${thin}`,
  );
}

function formatDistance(minutes: number): string {
  const [count, unit] =
    minutes < 1
      ? [minutes * 60, "second"]
      : minutes % 1440 === 0
        ? [minutes / 1440, "day"]
        : minutes % 60 === 0
          ? [minutes / 60, "hour"]
          : [minutes, "minute"];
  return `${Number(count.toFixed(3))} ${unit}${count === 1 ? "" : "s"}`;
}

/** Rows that are looked through for bars of another length. */
const MOST_ROWS = 500_000;
/** So many bars in a row that are as long as a timeframe, each beginning with it, are bars of it. */
const LEAST_RUN = 6;
/** Lengths of bars that files have, in minutes. */
const LENGTHS = [1, 5, 15, 30, 60, 240, 1_440];
/** So many rows with the time of another and other prices, and their share, are no corrections. */
const LEAST_DOUBLED = 3;
const LEAST_DOUBLED_SHARE = 0.01;

/** Throws FileRefused for rows of two timeframes: one behind the other, or mixed. */
function requireOneTimeframe(file: PriceFile, zone: string, isClock: boolean): void {
  const { rows } = file.open(zone, isClock);
  const runs = new Map<number, number>();
  const seen = new Map<number, string>();
  let [beforeMs, beforeAt, length, run, startAt, doubled, count] = [NaN, 0, 0, 0, 0, 0, 0];
  for (; count < MOST_ROWS && rows.next(); count++) {
    if (rows.fault !== null || rows.doubt !== null) continue;
    const step = Math.abs(rows.timeMs - beforeMs) / MINUTE_MS;
    const isGrid = LENGTHS.includes(step) && rows.timeMs % (step * MINUTE_MS) === 0;
    run = isGrid && step === length ? run + 1 : 1;
    length = isGrid ? step : 0;
    if (run === 1) startAt = beforeAt;
    if (run >= LEAST_RUN && !runs.has(length)) runs.set(length, startAt);
    beforeMs = rows.timeMs;
    beforeAt = rows.at;
    if (count >= SAMPLE_BARS) continue;
    const prices = [rows.open, rows.high, rows.low, rows.close].join(" ");
    if ((seen.get(beforeMs) ?? prices) !== prices) doubled++;
    seen.set(beforeMs, prices);
  }
  if (runs.size > 1) {
    const [one, two] = [...runs].map(([minutes, at]) => `of ${formatDistance(minutes)} from line ${at} on`);
    throw new FileRefused(
      file.path,
      `its bars are ${one}, and ${two}: import each as a file of its own, or give --timeframe if all are of one length`,
    );
  }
  if (doubled < LEAST_DOUBLED || doubled < LEAST_DOUBLED_SHARE * Math.min(count, SAMPLE_BARS)) return;
  throw new FileRefused(
    file.path,
    `${doubled} of its first bars have the time of another and other prices: are they of several timeframes or sources? Import each as a file of its own`,
  );
}

/** The share of bars that must begin at the same minutes. */
const MOST_ALIKE = 0.8;

/** Throws FileRefused if bars begin at different minutes of their timeframe: they are shorter than they seem. */
function checkBeginnings(file: PriceFile, times: readonly number[], minutes: number): void {
  const counts = new Map<number, number>();
  for (const timeMs of times) {
    const late = timeMs % (minutes * MINUTE_MS);
    counts.set(late, (counts.get(late) ?? 0) + 1);
  }
  if (Math.max(0, ...counts.values()) >= MOST_ALIKE * times.length) return;
  throw new FileRefused(
    file.path,
    `its bars are mostly ${minutes} minutes apart, but begin at different ones: give their length with --timeframe`,
  );
}

/** The share of distances that must be as long as the bars. */
const LEAST_SHARE = 0.1;

/**
 * The most frequent distance of bars in minutes; of a market with few trades a shorter one, if it is frequent too and
 * the other is a multiple of it. Null without a distance.
 */
function findUsualStep(counts: ReadonlyMap<number, number>): number | null {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [usual] = [...counts].sort(([a, many], [b, more]) => more - many || a - b);
  if (usual === undefined) return null;
  const shorter = [...counts]
    .filter(([step, count]) => step < usual[0] && usual[0] % step === 0 && count >= LEAST_SHARE * all)
    .map(([step]) => step);
  return Math.min(usual[0], ...shorter);
}
