import { SECOND_MS } from "@/lib/time/units";

/** The upper bounds of the buckets of durations, in seconds. */
export const DURATION_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const BOUNDS_MS = Float64Array.from(DURATION_BUCKETS_S, (bound) => bound * SECOND_MS);

/** The calls of one endpoint since the start. */
export interface EndpointCounts {
  readonly endpoint: string;
  /** Calls by status. */
  readonly statuses: Iterable<readonly [status: number, calls: number]>;
  /** Calls by duration: one number for each bucket, not added up, and last those longer than all bounds. */
  readonly buckets: ArrayLike<number>;
  readonly totalMs: number;
}

/**
 * Counts answered calls and their durations. A call costs two look-ups and three additions; what Prometheus reads is
 * made of the counts when it reads.
 */
export class CallCounts {
  readonly #endpoints = new Map<string, Counts>();

  /** @param endpoint a path template or another name of ours, never what a caller sent: each has counts for good */
  readonly count = (endpoint: string, status: number, ms: number): void => this.#find(endpoint).add(status, ms);

  /** Adds the counts of another process. */
  addAll(others: readonly EndpointCounts[]): void {
    for (const counts of others) this.#find(counts.endpoint).addAll(counts);
  }

  list(): readonly EndpointCounts[] {
    return [...this.#endpoints.values()];
  }

  /** The same as `list`, of arrays only, so that a message to another process can contain it. */
  toJSON(): readonly EndpointCounts[] {
    return this.list().map(({ endpoint, statuses, buckets, totalMs }) => ({
      ...{ endpoint, totalMs, statuses: [...statuses], buckets: Array.from(buckets) },
    }));
  }

  #find(endpoint: string): Counts {
    let counts = this.#endpoints.get(endpoint);
    if (counts === undefined) this.#endpoints.set(endpoint, (counts = new Counts(endpoint)));
    return counts;
  }
}

class Counts implements EndpointCounts {
  readonly statuses = new Map<number, number>();
  readonly buckets = new Float64Array(BOUNDS_MS.length + 1);
  totalMs = 0;

  constructor(readonly endpoint: string) {}

  add(status: number, ms: number): void {
    let index = 0;
    while (index < BOUNDS_MS.length && ms > (BOUNDS_MS[index] as number)) index++;
    this.#add(status, 1);
    this.buckets[index] = (this.buckets[index] as number) + 1;
    this.totalMs += ms;
  }

  addAll({ statuses, buckets, totalMs }: EndpointCounts): void {
    for (const [status, calls] of statuses) this.#add(status, calls);
    this.buckets.forEach((calls, index) => (this.buckets[index] = calls + (buckets[index] ?? 0)));
    this.totalMs += totalMs;
  }

  #add(status: number, calls: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + calls);
  }
}
