import { SECOND_MS } from "@/lib/time/units";

/** The upper bounds of the buckets of durations, in seconds. */
export const DURATION_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const BOUNDS_MS = Float64Array.from(DURATION_BUCKETS_S, (bound) => bound * SECOND_MS);

/** The calls of one endpoint since the start. */
export interface EndpointCounts {
  readonly endpoint: string;
  /** Calls by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Calls by duration: one number for each bucket, not added up, and last those longer than all bounds. */
  readonly buckets: Float64Array;
  readonly totalMs: number;
}

/**
 * Counts answered calls and their durations. A call costs two look-ups and three additions; what Prometheus reads is
 * made of the counts when it reads.
 */
export class CallCounts {
  readonly #endpoints = new Map<string, Counts>();

  /** @param endpoint a path template or another name of ours, never what a caller sent: each has counts for good */
  readonly count = (endpoint: string, status: number, ms: number): void => {
    let counts = this.#endpoints.get(endpoint);
    if (counts === undefined) this.#endpoints.set(endpoint, (counts = new Counts(endpoint)));
    counts.add(status, ms);
  };

  list(): readonly EndpointCounts[] {
    return [...this.#endpoints.values()];
  }
}

class Counts implements EndpointCounts {
  readonly statuses = new Map<number, number>();
  readonly buckets = new Float64Array(BOUNDS_MS.length + 1);
  totalMs = 0;

  constructor(readonly endpoint: string) {}

  add(status: number, ms: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.totalMs += ms;
    let index = 0;
    while (index < BOUNDS_MS.length && ms > (BOUNDS_MS[index] as number)) index++;
    this.buckets[index] = (this.buckets[index] as number) + 1;
  }
}
