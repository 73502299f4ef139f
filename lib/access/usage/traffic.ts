import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/**
 * The calls of the last minute, for the operator. Computed from the counts that usage drains once a second, so it costs
 * no call anything. Calls without a valid key are not included.
 */

export interface Traffic {
  /** Calls in each second of the last minute, oldest first. A fraction if a count spans two seconds. */
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
  /** The calls with a status of 400 or more. */
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

/** One drained count. */
interface Slice extends Sums {
  readonly fromMs: number;
  readonly toMs: number;
  readonly calls: number;
}

const WINDOW_MS = MINUTE_MS;
const MAX_KEYS = 10;
/** Only the busiest keys of a count are kept, to bound the memory of a minute. */
const MAX_KEYS_IN_SLICE = 1_000;

export function createTraffic({ now }: { readonly now: Clock }) {
  let slices: Slice[] = [];
  let countedUntilMs = now();
  // Running totals, because reading every other second must not add up a minute of counts.
  const sums: Sums = { statuses: new Map(), endpoints: new Map(), keys: new Map() };

  function addSlice(slice: Slice, sign: 1 | -1): void {
    for (const field of ["statuses", "endpoints", "keys"] as const) {
      for (const [name, { calls, refused }] of slice[field]) addTo(sums[field], name, sign * calls, sign * refused);
    }
  }

  function drop(isOver: (slice: Slice) => boolean): void {
    for (const slice of slices) if (isOver(slice)) addSlice(slice, -1);
    slices = slices.filter((slice) => !isOver(slice));
  }

  return {
    /** Adds the counts since the last call. */
    add(cells: readonly UsageCell[]): void {
      const [fromMs, toMs] = [countedUntilMs, now()];
      countedUntilMs = toMs;
      if (toMs < fromMs) drop(() => true);
      drop((slice) => slice.toMs <= toMs - WINDOW_MS);
      // A count over more than a minute, or after the clock was set back, cannot be assigned to the last minute.
      if (toMs < fromMs || toMs - fromMs > WINDOW_MS) return;
      const slice = { fromMs, toMs, ...sumCells(cells) };
      slices.push(slice);
      addSlice(slice, 1);
    },

    /** The minute up to the last counts. */
    read(): Traffic {
      drop((slice) => slice.toMs <= now() - WINDOW_MS);
      const count = (digit: StatusClass) => sums.statuses.get(digit)?.calls ?? 0;
      return {
        seconds: spreadOverSeconds(slices, countedUntilMs),
        statuses: { "2xx": count("2xx"), "3xx": count("3xx"), "4xx": count("4xx"), "5xx": count("5xx") },
        endpoints: listBusiest(sums.endpoints).map(([endpoint, calls]) => ({ endpoint, ...calls })),
        keys: listBusiest(sums.keys, MAX_KEYS).map(([keyId, calls]) => ({ keyId, ...calls })),
      };
    },
  };
}

/** The traffic of several processes together. */
export function joinTraffic(parts: readonly Traffic[]): Traffic {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const count = (digit: StatusClass) => parts.reduce((sum, { statuses }) => sum + statuses[digit], 0);
  const [endpoints, keys]: [Totals, Totals] = [new Map(), new Map()];
  for (const part of parts) {
    for (const { endpoint, calls, refused } of part.endpoints) addTo(endpoints, endpoint, calls, refused);
    for (const { keyId, calls, refused } of part.keys) addTo(keys, keyId, calls, refused);
  }
  const seconds = Array.from({ length: WINDOW_MS / SECOND_MS }, (_, second) =>
    parts.reduce((sum, part) => sum + (part.seconds[second] ?? 0), 0),
  );
  return {
    seconds: seconds.map((calls) => Math.round(calls * 10) / 10),
    statuses: { "2xx": count("2xx"), "3xx": count("3xx"), "4xx": count("4xx"), "5xx": count("5xx") },
    endpoints: listBusiest(endpoints).map(([endpoint, calls]) => ({ endpoint, ...calls })),
    keys: listBusiest(keys, MAX_KEYS).map(([keyId, calls]) => ({ keyId, ...calls })),
  };
}

function addTo(totals: Totals, name: string, calls: number, refused: number): void {
  let total = totals.get(name);
  if (total === undefined) totals.set(name, (total = { calls: 0, refused: 0 }));
  total.calls += calls;
  total.refused += refused;
  if (total.calls === 0) totals.delete(name);
}

function sumCells(cells: readonly UsageCell[]): Sums & { calls: number } {
  const [statuses, endpoints, keys]: [Totals, Totals, Totals] = [new Map(), new Map(), new Map()];
  let total = 0;
  for (const { keyId, endpoint, status, calls } of cells) {
    const refused = status >= 400 ? calls : 0;
    total += calls;
    addTo(statuses, `${Math.floor(status / 100)}xx`, calls, refused);
    addTo(endpoints, endpoint, calls, refused);
    addTo(keys, keyId, calls, refused);
  }
  const busiestKeys = keys.size > MAX_KEYS_IN_SLICE ? new Map(listBusiest(keys, MAX_KEYS_IN_SLICE)) : keys;
  return { statuses, endpoints, keys: busiestKeys, calls: total };
}

function listBusiest(totals: ReadonlyMap<string, Calls>, limit = Infinity): [string, Calls][] {
  return [...totals].sort(([, a], [, b]) => b.calls - a.calls).slice(0, limit);
}

/** Spreads the calls of each slice evenly over its time. */
function spreadOverSeconds(slices: readonly Slice[], untilMs: number): number[] {
  const seconds = new Array<number>(WINDOW_MS / SECOND_MS).fill(0);
  const startMs = untilMs - WINDOW_MS;
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

/** Calls of one key in one UTC hour, by endpoint and status: a row of usage_hour. */
export interface UsageCell {
  readonly keyId: string;
  readonly accountId: string;
  readonly hourMs: number;
  readonly endpoint: string;
  readonly status: number;
  calls: number;
  credits: number;
}
