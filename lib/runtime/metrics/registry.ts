import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { HealthStatus } from "@/lib/api/service/health-check";
import type { QuoteState } from "@/lib/book/freshness";
import type { SourceHealth, SourceState } from "@/lib/feeds/set/source-state";
import { DURATION_BUCKETS_S, type EndpointCounts } from "@/lib/platform/metrics/call-counts";
import { version } from "@/lib/platform/version";
import type { ApiProcessState, MetricsState } from "@/lib/runtime/metrics/state";
import { SECOND_MS } from "@/lib/time/units";

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A metric and how it follows from the state of the server. */
interface Metric {
  /** A counter only rises, and its name ends in "_total". */
  readonly type: "gauge" | "counter";
  readonly name: string;
  readonly help: string;
  /** The names of its labels, whose values are ours and few; none unless given. */
  readonly labels?: readonly string[];
  readonly read: (state: MetricsState) => Iterable<Sample> | number;
}

/** The metrics of Spotline, of the process and of Node. Each scrape reads the state that `getState` returns then. */
export function createRegistry(getState: () => MetricsState): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of [BUILD, ...describeServer(), ...describeMarket()]) addMetric(registry, metric, getState);
  registry.registerMetric(
    new DurationHistogram(
      { name: "spotline_http_request_duration_seconds", help: "Time from the call to its answer, by endpoint." },
      () => getState().calls,
    ),
  );
  return registry;
}

const BUILD: Metric = {
  type: "gauge",
  name: "spotline_build_info",
  help: "The version of Spotline; the value is 1.",
  labels: ["version"],
  read: () => [[{ version }, 1]],
};

function addMetric(
  registry: Registry,
  { type, name, help, labels = [], read }: Metric,
  getState: () => MetricsState,
): void {
  const list = (): Iterable<Sample> => {
    const found = read(getState());
    return typeof found === "number" ? [[{}, found]] : found;
  };
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === "gauge") {
    new Gauge({
      ...options,
      collect() {
        this.reset();
        // Without labels it would be 0 where there is no value.
        if (labels.length === 0) this.remove();
        for (const [values, value] of list()) this.set(values, value);
      },
    });
  } else {
    new Counter({
      ...options,
      collect() {
        this.reset();
        for (const [values, value] of list()) this.inc(values, value);
      },
    });
  }
}

const STATUS_VALUES: Readonly<Record<HealthStatus, number>> = { ok: 0, degraded: 1, down: 2 };

/** The metrics of calls, connections, health, database, pages and the processes that answer calls. */
function describeServer(): readonly Metric[] {
  return [...CALLS, ...DATABASE, ...PAGES, ...API_PROCESSES];
}

const CALLS: readonly Metric[] = [
  {
    type: "counter",
    name: "spotline_http_requests_total",
    help: "Answered requests by endpoint, as its path template, and status.",
    labels: ["endpoint", "status"],
    read: ({ calls }) =>
      calls.flatMap(({ endpoint, statuses }) =>
        Array.from(statuses, ([status, count]) => [{ endpoint, status: String(status) }, count] as const),
      ),
  },
  {
    type: "gauge",
    name: "spotline_http_connections",
    help: "Open connections of the public port.",
    read: ({ connections }) => connections,
  },
  {
    type: "gauge",
    name: "spotline_streams_open",
    help: "Open streams of prices: server-sent events and WebSockets.",
    read: ({ streams }) => streams,
  },
  {
    type: "gauge",
    name: "spotline_reader_lag_seconds",
    help: "How far the prices of this server are behind those of the writer; 0 on the writer.",
    read: ({ lagMs }) => lagMs / SECOND_MS,
  },
  {
    type: "gauge",
    name: "spotline_component_status",
    help: "The health of each component: 0 is ok, 1 degraded, 2 down.",
    labels: ["component"],
    read: ({ health }) =>
      Object.entries(health.components).map(([component, { status }]) => [{ component }, STATUS_VALUES[status]]),
  },
];

const DATABASE: readonly Metric[] = [
  {
    type: "gauge",
    name: "spotline_database_up",
    help: "1 if the database answered this scrape within 1.5 seconds, else 0.",
    read: ({ databaseMs }) => (databaseMs === null ? 0 : 1),
  },
  {
    type: "gauge",
    name: "spotline_database_latency_seconds",
    help: "How long the database took to answer this scrape; absent if it did not.",
    read: ({ databaseMs }) => (databaseMs === null ? [] : [[{}, databaseMs / SECOND_MS]]),
  },
  {
    type: "gauge",
    name: "spotline_database_connections",
    help: "Connections of the pool by state, and work that waits for one.",
    labels: ["state"],
    read: ({ pool }) => [
      [{ state: "busy" }, pool.totalCount - pool.idleCount],
      [{ state: "idle" }, pool.idleCount],
      [{ state: "waiting" }, pool.waitingCount],
    ],
  },
  {
    type: "gauge",
    name: "spotline_usage_lag_seconds",
    help: "Seconds since the counts of calls were last written.",
    read: ({ usageSilenceMs }) => usageSilenceMs / SECOND_MS,
  },
  {
    type: "gauge",
    name: "spotline_keys_lag_seconds",
    help: "Seconds since accounts and keys were last read.",
    read: ({ keysSilenceMs }) => keysSilenceMs / SECOND_MS,
  },
];

const PAGES: readonly Metric[] = [
  {
    type: "gauge",
    name: "spotline_pages_up",
    help: "1 if the process of the pages answers, else 0; absent where the server has no pages.",
    read: ({ pages }) => (pages === null ? [] : [[{}, pages.isAnswering ? 1 : 0]]),
  },
  {
    type: "counter",
    name: "spotline_pages_restarts_total",
    help: "How often the process of the pages was started again.",
    read: ({ pages }) => (pages === null ? [] : [[{}, pages.restarts]]),
  },
  {
    type: "gauge",
    name: "spotline_pages_resident_memory_bytes",
    help: "Memory of the process of the pages.",
    read: ({ pages }) => (pages === null ? [] : [[{}, pages.residentBytes]]),
  },
];

/** One sample of each process that answers calls. */
function readApiProcesses(read: (process: ApiProcessState) => number): Metric["read"] {
  return ({ apiProcesses }) => apiProcesses.map((each) => [{ process: each.name }, read(each)] as const);
}

const API_PROCESSES: readonly Metric[] = [
  {
    type: "gauge",
    name: "spotline_api_process_up",
    help: "1 if the process answers calls, else 0; absent where there is only one.",
    labels: ["process"],
    read: readApiProcesses(({ isAnswering }) => (isAnswering ? 1 : 0)),
  },
  {
    type: "counter",
    name: "spotline_api_process_restarts_total",
    help: "How often the process was started again.",
    labels: ["process"],
    read: readApiProcesses(({ restarts }) => restarts),
  },
  {
    type: "gauge",
    name: "spotline_api_process_resident_memory_bytes",
    help: "Memory of the process.",
    labels: ["process"],
    read: readApiProcesses(({ residentBytes }) => residentBytes),
  },
  {
    type: "gauge",
    name: "spotline_api_process_eventloop_delay_max_seconds",
    help: "The longest delay of the event loop of the process since the scrape before.",
    labels: ["process"],
    read: readApiProcesses(({ delayMs }) => delayMs / SECOND_MS),
  },
  {
    type: "gauge",
    name: "spotline_api_process_lag_seconds",
    help: "How far the prices of the process are behind those of the writer; absent before its first report.",
    labels: ["process"],
    read: ({ apiProcesses }) =>
      apiProcesses.flatMap(({ name, lagMs }) => (lagMs === null ? [] : [[{ process: name }, lagMs / SECOND_MS]])),
  },
];

const QUOTE_STATES: readonly QuoteState[] = ["live", "delayed", "stale", "closed"];

/** The metrics of sources, quotes and recording. */
function describeMarket(): readonly Metric[] {
  return [...SOURCES, ...QUOTES, ...RECORDER];
}

const QUOTES: readonly Metric[] = [
  {
    type: "gauge",
    name: "spotline_quotes",
    help: "Symbols by the state of their served quote.",
    labels: ["state"],
    read: ({ quotes }) =>
      QUOTE_STATES.map((state) => [{ state }, quotes.filter((quote) => quote.state === state).length]),
  },
  {
    type: "gauge",
    name: "spotline_quote_age_seconds",
    help: "Age of the served quote of each symbol, by the time of its source.",
    labels: ["symbol"],
    read: ({ quotes, marketNowMs }) =>
      quotes.map(({ symbol, timeMs }) => [{ symbol }, Math.max(0, marketNowMs - timeMs) / SECOND_MS]),
  },
  {
    type: "gauge",
    name: "spotline_book_quotes",
    help: "Quotes in the book: one for each symbol and source.",
    read: ({ storedQuotes }) => storedQuotes,
  },
];

const RECORDER: readonly Metric[] = [
  {
    type: "gauge",
    name: "spotline_recorder_active",
    help: "1 if this server records, 0 if it is a standby; absent where it follows another one.",
    read: ({ recorder }) => (recorder === null ? [] : [[{}, recorder.standbyFor === null ? 1 : 0]]),
  },
  {
    type: "gauge",
    name: "spotline_recorder_lag_seconds",
    help: "Seconds since everything was last written; on a standby, since the journal was last read.",
    read: ({ recorder }) => (recorder === null ? [] : [[{}, recorder.silenceMs / SECOND_MS]]),
  },
  {
    type: "counter",
    name: "spotline_recorder_seconds_total",
    help: "Seconds written, and prices that were not, by what became of them.",
    labels: ["outcome"],
    read: ({ recorder }) =>
      recorder === null
        ? []
        : [
            [{ outcome: "recorded" }, recorder.recorded],
            [{ outcome: "merged" }, recorder.merged],
            [{ outcome: "repeated" }, recorder.repeated],
            [{ outcome: "too_late" }, recorder.tooLate],
            [{ outcome: "dropped" }, recorder.dropped],
          ],
  },
];

const SOURCE_STATES: readonly SourceHealth[] = ["ok", "slow", "down", "paused", "closed"];

/** One sample of each source; none for those where `read` returns null. */
function readSources(read: (source: SourceState) => number | null): Metric["read"] {
  return ({ sources }) =>
    sources.flatMap((state) => {
      const value = read(state);
      return value === null ? [] : [[{ source: state.source }, value] as const];
    });
}

/** The metrics of each source. */
const SOURCES: readonly Metric[] = [
  {
    type: "gauge",
    name: "spotline_source_state",
    help: "1 for the state that the source is in, 0 for the others.",
    labels: ["source", "state"],
    read: ({ sources }) =>
      sources.flatMap(({ source, health }) =>
        SOURCE_STATES.map((state) => [{ source, state }, health === state ? 1 : 0] as const),
      ),
  },
  {
    type: "counter",
    name: "spotline_source_reconnections_total",
    help: "How often the source was connected again after an interruption.",
    labels: ["source"],
    read: readSources(({ reconnections }) => reconnections),
  },
  {
    type: "counter",
    name: "spotline_source_ticks_total",
    help: "Accepted ticks.",
    labels: ["source"],
    read: readSources(({ accepted }) => accepted),
  },
  {
    type: "counter",
    name: "spotline_source_refused_total",
    help: "Refused ticks by reason.",
    labels: ["source", "reason"],
    read: ({ sources }) =>
      sources.flatMap(({ source, refused }) =>
        Object.entries(refused).map(([reason, count]) => [{ source, reason }, count] as const),
      ),
  },
  {
    type: "gauge",
    name: "spotline_source_last_tick_age_seconds",
    help: "Seconds since the last accepted tick of the source; absent before the first.",
    labels: ["source"],
    read: (state) =>
      readSources(({ lastTickAtMs }) =>
        lastTickAtMs === null ? null : Math.max(0, state.marketNowMs - lastTickAtMs) / SECOND_MS,
      )(state),
  },
  {
    type: "gauge",
    name: "spotline_source_latency_seconds",
    help: "Mean time from the clock of the source to ours in the last minute; absent without a recent tick.",
    labels: ["source"],
    read: readSources(({ latencyMs }) => (latencyMs === null ? null : latencyMs / SECOND_MS)),
  },
];

type Answer = Awaited<ReturnType<Histogram<"endpoint" | "le">["get"]>>;

/** A histogram of durations by endpoint that is made of counts when it is read. */
class DurationHistogram extends Histogram<"endpoint" | "le"> {
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
