"use client";

import { Notice } from "@/components/ui/notice";
import { useFresh } from "@/components/ui/use-fresh";
import { BusyTables } from "@/features/status/busy-tables";
import { FeedTable } from "@/features/status/feed-table";
import { StatusFacts } from "@/features/status/status-facts";
import { TrafficFacts } from "@/features/status/traffic-facts";
import type { StatusData } from "@/lib/pages/status-data";

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
