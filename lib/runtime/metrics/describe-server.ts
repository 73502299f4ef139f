import type { HealthStatus } from "@/lib/api/service/health-check";
import type { Metric } from "@/lib/runtime/metrics/registry";
import type { ApiProcessState } from "@/lib/runtime/metrics/state";
import { SECOND_MS } from "@/lib/time/units";

const STATUS_VALUES: Readonly<Record<HealthStatus, number>> = { ok: 0, degraded: 1, down: 2 };

/** The metrics of calls, connections, health, database, pages and the processes that answer calls. */
export function describeServer(): readonly Metric[] {
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
