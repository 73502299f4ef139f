"use client";

import type { ReactNode } from "react";
import { Sparkline } from "@/components/shared/sparkline";
import { Fact } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { State } from "@/components/ui/state";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { useFresh } from "@/components/ui/use-fresh";
import type { StatusClass, Traffic } from "@/lib/access/usage/traffic";
import { listProblems } from "@/lib/api/service/health-check";
import type { BusyKey, StatusData } from "@/lib/pages/status-data";
import type { ServerStatus } from "@/lib/readers/messages";
import { formatBytes, formatCount, formatDecimal } from "@/lib/text/text";
import { formatAge, formatUptime } from "@/lib/time/duration";
import { SECOND_MS } from "@/lib/time/units";

/** The interval at which the server reports to its pages. */
const REFRESH_MS = 2_000;

/** The status page's figures, refreshed every few seconds. Without a script they do not change. */
export function StatusView({ initial }: { initial: StatusData }) {
  const { data = initial, isOffline } = useFresh<StatusData>("/status/data", REFRESH_MS, initial);
  const { status, nowMs } = data;
  if (status === null) {
    return (
      <p className="p-4 text-dim">The server has not reported its status yet. It will appear here in a few seconds.</p>
    );
  }
  return (
    <>
      {isOffline && (
        <div className="px-4 pb-3">
          <Notice tone="error">The server is not responding. These figures may be out of date.</Notice>
        </div>
      )}
      <TrafficFacts traffic={status.traffic} />
      <BusyTables traffic={status.traffic} keys={data.keys} />
      <StatusFacts status={status} data={data} />
      <FeedTable feeds={status.feeds} nowMs={nowMs} />
    </>
  );
}

/** Facts of the processes, the database and the recorder. */
export function StatusFacts({ status, data }: { status: ServerStatus; data: StatusData }) {
  const { recorded, merged, repeated, tooLate, dropped, standbyFor } = status.recorder;
  const { delayMs, residentBytes, heapBytes, uptimeS } = status.vitals;
  const { kind, bytes } = data.database;
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-4 border-t border-line p-4 text-xs13 tabular-nums max-md:grid-cols-2">
      <Fact name="Health">
        <State look={status.health.status === "ok" ? "good" : "warning"}>
          {[status.health.status, ...listProblems(status.health.components)].join("; ")}
        </State>
      </Fact>
      <Fact name="Event-loop delay, last seconds">
        p50 {delayMs.p50} ms, p99 {delayMs.p99} ms, max {delayMs.max} ms
      </Fact>
      <Fact name="Memory, server">
        {formatBytes(residentBytes)}, heap {formatBytes(heapBytes)}
      </Fact>
      {data.pages !== null && <Fact name="Memory, pages">{formatBytes(data.pages.residentBytes)}</Fact>}
      <Fact name="Uptime">{formatUptime(uptimeS * SECOND_MS)}</Fact>
      <Fact name="Open board streams">{formatCount(data.streams)}</Fact>
      <Fact name="Database">
        {kind === "embedded" ? "embedded PostgreSQL" : "PostgreSQL"}
        {bytes !== null && `, ${formatBytes(bytes)}`}
      </Fact>
      <Fact name="Recorder">{standbyFor === null ? "This server" : `Standby for ${standbyFor}`}</Fact>
      <Fact name="Seconds recorded">{formatCount(recorded)}</Fact>
      <Fact name="Updates merged, repeated">
        {formatCount(merged)}, {formatCount(repeated)}
      </Fact>
      <Fact name="Too late, dropped">
        {formatCount(tooLate)}, {formatCount(dropped)}
      </Fact>
      <Fact name="Backfill">{standbyFor === null ? formatBackfill(status.backfill) : "Done by the recorder"}</Fact>
    </dl>
  );
}

function formatBackfill({ phase, done, total }: ServerStatus["backfill"]): string {
  if (phase === "off") return "This feed has no history";
  if (phase === "done") return "Complete";
  const symbols = `${done} of ${total} symbols`;
  if (phase === "filling") return symbols;
  return phase === "failed" ? `Failed after ${symbols}, see the log` : `Stopped after ${symbols}`;
}

type Feed = ServerStatus["feeds"][number];

/** Each source's ticks since the server started. */
function FeedTable({ feeds, nowMs }: { feeds: readonly Feed[]; nowMs: number }) {
  const columns: Column<Feed>[] = [
    {
      heading: "Source",
      cell: ({ source }) => (
        <span translate="no" className="font-medium">
          {source}
        </span>
      ),
    },
    {
      heading: "Connection",
      cell: ({ status }) => (
        <State look={status === null ? "off" : status === "connected" ? "good" : "warning"}>
          {status ?? "nothing received"}
        </State>
      ),
    },
    {
      heading: "Last tick",
      cell: ({ lastTickAtMs }) => (lastTickAtMs === null ? "never" : `${formatAge(nowMs - lastTickAtMs)} ago`),
    },
    { heading: "Accepted", isNumeric: true, cell: ({ accepted }) => formatCount(accepted) },
    { heading: "Refused", cell: ({ refused }) => formatRefused(refused) },
  ];
  return (
    <>
      <ScrollRegion label="Sources">
        <Table
          look="text"
          caption="Sources"
          isCaptionShown
          captionClassName="px-4 pt-4 pb-2 text-sm font-medium"
          className="w-full text-xs13 tabular-nums"
          cellClassName="border-t border-line px-4 py-1.75"
          columns={columns}
          rows={feeds}
          getKey={({ source }) => source}
        />
      </ScrollRegion>
      <p className="border-t border-line px-4 py-2.5 text-xs13">
        <Link href="/operator/feeds" className="text-dim underline underline-offset-4 hover:text-ink">
          Pace, refused ticks and aliases of each source
        </Link>
      </p>
    </>
  );
}

function formatRefused(refused: Feed["refused"]): string {
  const reasons = Object.entries(refused).filter(([, count]) => count > 0);
  if (reasons.length === 0) return "none";
  return reasons.map(([reason, count]) => `${formatCount(count)} ${reason.replaceAll("_", " ")}`).join(", ");
}

/** The calls of the last minute, by endpoint and by key. */
function BusyTables({ traffic, keys }: { traffic: Traffic; keys: readonly BusyKey[] }) {
  return (
    <div className="grid grid-cols-2 items-start max-lg:grid-cols-1">
      <CallTable
        caption="Endpoints, last minute"
        heading="Endpoint"
        rows={traffic.endpoints.map(({ endpoint, ...calls }) => ({ id: endpoint, name: endpoint, ...calls }))}
      />
      <CallTable
        caption="Busiest keys, last minute"
        heading="Key"
        rows={keys.map((key) => ({ ...key, name: <KeyName busyKey={key} /> }))}
        className="lg:border-l lg:border-line"
      />
    </div>
  );
}

function KeyName({ busyKey: { id, label, account } }: { busyKey: BusyKey }) {
  if (label === null) return "deleted key";
  return (
    <>
      <Link href={`/operator/keys/${id}`} className="underline-offset-4 hover:underline">
        {label}
      </Link>
      <span className="block text-2xs text-faint">{account}</span>
    </>
  );
}

interface CallRow {
  readonly id: string;
  readonly name: ReactNode;
  readonly calls: number;
  readonly refused: number;
}

interface CallTableProps {
  caption: string;
  heading: string;
  rows: readonly CallRow[];
  className?: string;
}

function CallTable({ caption, heading, rows, className = "" }: CallTableProps) {
  const columns: Column<CallRow>[] = [
    { heading, cell: ({ name }) => name, cellClassName: "[overflow-wrap:anywhere]" },
    { heading: "Calls", isNumeric: true, className: "w-24", cell: ({ calls }) => formatCount(calls) },
    { heading: "4xx, 5xx", isNumeric: true, className: "w-24", cell: ({ refused }) => formatCount(refused) },
  ];
  return (
    <Table
      look="text"
      caption={caption}
      isCaptionShown
      captionClassName="px-4 pt-4 pb-2 text-sm font-medium"
      className={`w-full text-xs13 tabular-nums ${className}`}
      cellClassName="border-t border-line px-4 py-1.75"
      columns={columns}
      rows={rows}
      getKey={({ id }) => id}
      empty="No calls in the last minute"
    />
  );
}

const RECENT_SECONDS = 5;

const CLASSES: readonly (readonly [name: StatusClass, word: string, colour: string])[] = [
  ["2xx", "answered", ""],
  ["3xx", "unchanged", ""],
  ["4xx", "refused", "text-warn"],
  ["5xx", "failed", "text-down"],
];

/** The rate of calls, and their statuses. */
function TrafficFacts({ traffic: { seconds, statuses } }: { traffic: Traffic }) {
  const recent = seconds.slice(-RECENT_SECONDS);
  const perSecond = recent.reduce((sum, calls) => sum + calls, 0) / RECENT_SECONDS;
  const total = CLASSES.reduce((sum, [name]) => sum + statuses[name], 0);
  return (
    <section
      aria-labelledby="traffic-title"
      className="grid grid-cols-[auto_minmax(12rem,1fr)_auto] items-end gap-x-10 gap-y-4 border-y border-line p-4 max-lg:grid-cols-1 max-lg:gap-3"
    >
      <div>
        <h2 id="traffic-title" className="text-xs12 text-faint">
          Requests per second
        </h2>
        <p translate="no" className="text-[1.75rem]/9 tabular-nums">
          {formatDecimal(perSecond)}
        </p>
        <p className="text-xs12 text-faint">Average of {RECENT_SECONDS} seconds, calls with a known key</p>
      </div>
      <Sparkline values={seconds} label="Requests in each second of the last minute" />
      <dl className="grid grid-cols-[repeat(4,auto)] gap-x-6 gap-y-2 tabular-nums max-lg:grid-cols-[repeat(auto-fit,minmax(7rem,1fr))]">
        {CLASSES.map(([name, word, colour]) => (
          <div key={name}>
            <dt className="text-xs12 whitespace-nowrap text-faint">
              {name} {word}
            </dt>
            <dd translate="no" className={statuses[name] > 0 ? colour : ""}>
              {formatDecimal(statuses[name])}
              {total > 0 && (
                <span className="text-xs12 text-faint"> {formatDecimal((100 * statuses[name]) / total)}%</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
