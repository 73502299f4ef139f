import { Histogram } from "prom-client";
import { DURATION_BUCKETS_S, type EndpointCounts } from "@/lib/platform/metrics/call-counts";
import { SECOND_MS } from "@/lib/time/units";

type Answer = Awaited<ReturnType<Histogram<"endpoint" | "le">["get"]>>;

/** A histogram of durations by endpoint that is made of counts when it is read. */
export class DurationHistogram extends Histogram<"endpoint" | "le"> {
  readonly #name: string;
  readonly #help: string;
  readonly #read: () => Iterable<EndpointCounts>;

  constructor({ name, help }: { readonly name: string; readonly help: string }, read: () => Iterable<EndpointCounts>) {
    super({ name, help, labelNames: ["endpoint"], buckets: DURATION_BUCKETS_S, registers: [] });
    this.#name = name;
    this.#help = help;
    this.#read = read;
  }

  override async get(): Promise<Answer> {
    const values = Array.from(this.#read(), (counts) => listSamples(this.#name, counts)).flat();
    // The type of prom-client is a numeric enum, but the texts need the word.
    const type = "histogram" as unknown as Answer["type"];
    return { name: this.#name, help: this.#help, type, aggregator: "sum", values, collect: () => {} };
  }

  /** The registry writes its text from this method where a metric has it. */
  async getForPromString(): Promise<Answer> {
    return this.get();
  }
}

function listSamples(name: string, { endpoint, buckets, totalMs }: EndpointCounts): Answer["values"] {
  let calls = 0;
  const bounds: (number | string)[] = [...DURATION_BUCKETS_S, "+Inf"];
  const samples = bounds.map((le, index) => {
    calls += buckets[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { endpoint, le }, value: calls };
  });
  return [
    ...samples,
    { metricName: `${name}_sum`, labels: { endpoint }, value: totalMs / SECOND_MS },
    { metricName: `${name}_count`, labels: { endpoint }, value: calls },
  ];
}
