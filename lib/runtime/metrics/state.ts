import type { Server } from "node:http";
import type { Pool } from "pg";
import type { Health } from "@/lib/api/service/health-check";
import type { PriceStreams } from "@/lib/api/stream/price-streams";
import type { ServedQuote } from "@/lib/book/quote";
import type { SourceState } from "@/lib/feeds/set/source-state";
import type { RecordingStatus } from "@/lib/history/recording/recording";
import type { PagesProcess } from "@/lib/pages/pages-process";
import { CallCounts, type EndpointCounts } from "@/lib/platform/metrics/call-counts";
import { monotonicClock } from "@/lib/platform/timing/clock";
import type { ReaderProcess } from "@/lib/readers/reader-process";
import type { ServerRuntime } from "@/lib/runtime/server";
import { SECOND_MS } from "@/lib/time/units";

export const METRICS_PATH = "/metrics";

/** What the metrics are read from. */
export interface MetricsParts extends Pick<
  ServerRuntime,
  "book" | "database" | "instruments" | "lagMs" | "marketNow" | "readHealth" | "recorderStatus" | "sourceStates"
> {
  readonly usage: Pick<ServerRuntime["usage"], "getSilenceMs">;
  readonly directory: Pick<ServerRuntime["directory"], "getSilenceMs">;
  readonly streams: Pick<PriceStreams, "size">;
  /** Null where the server has no pages. */
  readonly pages: Pick<PagesProcess, "isAnswering" | "restarts" | "residentBytes"> | null;
  /** The processes that answer calls beside this one; none where this one answers them itself. */
  readonly apiProcesses: readonly Pick<ReaderProcess, "isAnswering" | "restarts" | "residentBytes" | "reports">[];
  readonly server: Pick<Server, "getConnections">;
  readonly calls: Pick<CallCounts, "list">;
}

/**
 * The state of a server at one moment, from which one scrape is written. Calls, connections and streams are those of all
 * its processes.
 */
export interface MetricsState {
  readonly calls: readonly EndpointCounts[];
  readonly connections: number;
  /** None on a server that follows another one. */
  readonly sources: readonly SourceState[];
  /** The served quote of each symbol that has one. */
  readonly quotes: readonly ServedQuote[];
  /** Quotes of all sources in the book. */
  readonly storedQuotes: number;
  /** The market clock, UTC milliseconds. */
  readonly marketNowMs: number;
  /** Null on a server that follows another one. */
  readonly recorder: RecordingStatus | null;
  readonly health: Health;
  readonly pool: Pick<Pool, "totalCount" | "idleCount" | "waitingCount">;
  /** How long the database took to answer, in milliseconds; null if it did not. */
  readonly databaseMs: number | null;
  readonly usageSilenceMs: number;
  readonly keysSilenceMs: number;
  readonly streams: number;
  /** How far the prices of this process are behind those of the writer; 0 on the writer. */
  readonly lagMs: number;
  readonly pages: ProcessState | null;
  readonly apiProcesses: readonly ApiProcessState[];
}

interface ProcessState {
  readonly isAnswering: boolean;
  readonly restarts: number;
  readonly residentBytes: number;
}

export interface ApiProcessState extends ProcessState {
  /** Its number, from "1" on. The process that is started in its place has the same. */
  readonly name: string;
  /** The longest delay of its event loop since the scrape before. */
  readonly delayMs: number;
  /** How far its prices are behind those of the writer; null before its first report. */
  readonly lagMs: number | null;
}

/** A scrape waits no longer for the database. */
const DATABASE_TIMEOUT_MS = 1.5 * SECOND_MS;

export async function readState(parts: MetricsParts): Promise<MetricsState> {
  const { book, instruments, database, pages, apiProcesses } = parts;
  const nowMs = parts.marketNow();
  const [health, databaseMs, connections] = await Promise.all([
    parts.readHealth(),
    measureDatabase(database.pool),
    countConnections(parts.server),
  ]);
  const { totalCount, idleCount, waitingCount } = database.pool;
  const reports = apiProcesses.map((each) => each.reports);
  return {
    calls: joinCalls(parts),
    connections: connections + sum(reports.map((report) => report.connections)),
    sources: parts.sourceStates(),
    quotes: instruments.flatMap(({ symbol }) => book.served(symbol, nowMs) ?? []),
    storedQuotes: instruments.reduce((sum, { symbol }) => sum + book.sources(symbol).length, 0),
    marketNowMs: nowMs,
    recorder: parts.recorderStatus(),
    health,
    pool: { totalCount, idleCount, waitingCount },
    databaseMs,
    usageSilenceMs: parts.usage.getSilenceMs(),
    keysSilenceMs: parts.directory.getSilenceMs(),
    streams: parts.streams.size + sum(reports.map((report) => report.streams)),
    lagMs: parts.lagMs(),
    pages: pages && readProcess(pages),
    apiProcesses: apiProcesses.map((each, index) => {
      const { reports } = each;
      return {
        ...{ ...readProcess(each), name: String(index + 1) },
        ...{ delayMs: reports.readDelayMs(), lagMs: reports.lagMs },
      };
    }),
  };
}

/** Copies what a process is at this moment. */
function readProcess({ isAnswering, restarts, residentBytes }: ProcessState): ProcessState {
  return { isAnswering, restarts, residentBytes };
}

function joinCalls({ calls, apiProcesses }: Pick<MetricsParts, "calls" | "apiProcesses">): readonly EndpointCounts[] {
  if (apiProcesses.length === 0) return calls.list();
  const all = new CallCounts();
  all.addAll(calls.list());
  for (const { reports } of apiProcesses) reports.addTo(all);
  return all.list();
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

async function measureDatabase(pool: Pool): Promise<number | null> {
  const startedAtMs = monotonicClock();
  const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), DATABASE_TIMEOUT_MS).unref());
  const query = { text: "SELECT 1", query_timeout: DATABASE_TIMEOUT_MS };
  const answer = pool.query(query).then(
    () => monotonicClock() - startedAtMs,
    () => null,
  );
  return Promise.race([answer, timeout]);
}

/** Resolves with the open connections of a server; 0 where they cannot be counted. */
export function countConnections(server: MetricsParts["server"]): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error === null ? count : 0)));
}
