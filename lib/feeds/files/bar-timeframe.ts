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
  const distance = usual === null ? `it has fewer than two bars${few}` : `its bars are ${usual} minutes apart`;
  throw new FileRefused(
    file.path,
    `${distance}: expected bars of ${IMPORT_TIMEFRAMES.join(", ")}, since longer ones depend on the broker's day`,
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
