import type { UsageCell } from "@/lib/access/usage/usage-cells";
import type { Clock } from "@/lib/platform/clock";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/**
 * What was called within the last minute, for the operator to watch. It is made of the counts that usage takes out
 * once a second anyway, so no call pays for it; calls without a key that is known are in neither.
 */

export interface Traffic {
  /** Calls in each second of the last minute, oldest first; a fraction where a count spans two. */
  readonly seconds: readonly number[];
  /** Calls of the last minute, by the first digit of their status. */
  readonly statuses: Readonly<Record<StatusClass, number>>;
  /** Most calls first. */
  readonly endpoints: readonly (Calls & { readonly endpoint: string })[];
  /** The busiest keys, most calls first. */
  readonly keys: readonly (Calls & { readonly keyId: string })[];
}

export type StatusClass = "2xx" | "3xx" | "4xx" | "5xx";

interface Calls {
  calls: number;
  /** Those of them that were answered with a status of 400 or more. */
  refused: number;
}

/** Calls by name. */
type Totals = Map<string, Calls>;

interface Sums {
  /** By the first digit of the status, by endpoint, and by key. */
  readonly statuses: Totals;
  readonly endpoints: Totals;
  readonly keys: Totals;
}

/** What one count has brought. */
interface Slice extends Sums {
  readonly fromMs: number;
  readonly toMs: number;
  readonly calls: number;
}

const windowMs = MINUTE_MS;
const mostKeys = 10;
/** Of more keys in one count only the busiest are kept, so that a minute of them stays small. */
const mostKeysInSlice = 1_000;

export function createTraffic({ now }: { readonly now: Clock }) {
  let slices: Slice[] = [];
  let takenUntilMs = now();
  // Running totals: what is read every other second must not walk over a minute of counts.
  const sums: Sums = { statuses: new Map(), endpoints: new Map(), keys: new Map() };

  function add(slice: Slice, sign: 1 | -1): void {
    for (const what of ["statuses", "endpoints", "keys"] as const) {
      for (const [name, { calls, refused }] of slice[what]) addTo(sums[what], name, sign * calls, sign * refused);
    }
  }

  function drop(isOver: (slice: Slice) => boolean): void {
    for (const slice of slices) if (isOver(slice)) add(slice, -1);
    slices = slices.filter((slice) => !isOver(slice));
  }

  return {
    /** Takes what was counted since it was last told. */
    take(cells: readonly UsageCell[]): void {
      const [fromMs, toMs] = [takenUntilMs, now()];
      takenUntilMs = toMs;
      if (toMs < fromMs) drop(() => true);
      drop((slice) => slice.toMs <= toMs - windowMs);
      // Counts that the database kept waiting for so long say nothing of the last minute; nor does a clock set back.
      if (toMs < fromMs || toMs - fromMs > windowMs) return;
      const slice = { fromMs, toMs, ...summed(cells) };
      slices.push(slice);
      add(slice, 1);
    },

    /** The minute up to what was taken last. */
    read(): Traffic {
      drop((slice) => slice.toMs <= now() - windowMs);
      const count = (digit: StatusClass) => sums.statuses.get(digit)?.calls ?? 0;
      return {
        seconds: secondsOf(slices, takenUntilMs),
        statuses: { "2xx": count("2xx"), "3xx": count("3xx"), "4xx": count("4xx"), "5xx": count("5xx") },
        endpoints: busiest(sums.endpoints).map(([endpoint, calls]) => ({ endpoint, ...calls })),
        keys: busiest(sums.keys, mostKeys).map(([keyId, calls]) => ({ keyId, ...calls })),
      };
    },
  };
}

function addTo(totals: Totals, name: string, calls: number, refused: number): void {
  let total = totals.get(name);
  if (total === undefined) totals.set(name, (total = { calls: 0, refused: 0 }));
  total.calls += calls;
  total.refused += refused;
  if (total.calls === 0) totals.delete(name);
}

function summed(cells: readonly UsageCell[]): Sums & { calls: number } {
  const [statuses, endpoints, keys]: [Totals, Totals, Totals] = [new Map(), new Map(), new Map()];
  let total = 0;
  for (const { keyId, endpoint, status, calls } of cells) {
    const refused = status >= 400 ? calls : 0;
    total += calls;
    addTo(statuses, `${Math.floor(status / 100)}xx`, calls, refused);
    addTo(endpoints, endpoint, calls, refused);
    addTo(keys, keyId, calls, refused);
  }
  const kept = keys.size > mostKeysInSlice ? new Map(busiest(keys, mostKeysInSlice)) : keys;
  return { statuses, endpoints, keys: kept, calls: total };
}

function busiest(totals: ReadonlyMap<string, Calls>, most = Infinity): [string, Calls][] {
  return [...totals].sort(([, a], [, b]) => b.calls - a.calls).slice(0, most);
}

/** Spreads the calls of every slice evenly over the time it spans. */
function secondsOf(slices: readonly Slice[], untilMs: number): number[] {
  const seconds = new Array<number>(windowMs / SECOND_MS).fill(0);
  const startMs = untilMs - windowMs;
  for (const { fromMs, toMs, calls } of slices) {
    const lengthMs = Math.max(1, toMs - fromMs);
    const last = Math.ceil((toMs - startMs) / SECOND_MS) - 1;
    for (let at = Math.max(0, Math.floor((toMs - lengthMs - startMs) / SECOND_MS)); at <= last; at++) {
      const beginMs = startMs + at * SECOND_MS;
      const sharedMs = Math.min(toMs, beginMs + SECOND_MS) - Math.max(toMs - lengthMs, beginMs);
      seconds[at] = (seconds[at] ?? 0) + (calls * sharedMs) / lengthMs;
    }
  }
  return seconds.map((calls) => Math.round(calls * 10) / 10);
}
