import { useZone } from "@/components/shared/zone-context";
import { Link } from "@/components/ui/link";
import { ListPart } from "@/components/ui/page-part";
import { type Column, Table } from "@/components/ui/table";
import { DeliveryText } from "@/features/alerts/components/alert-table";
import type { AlertsData, LogLine } from "@/features/alerts/types";

/** The newest firings of all alerts, or of the chosen one, with what became of their messages. */
export function AlertLog({ data: { log, alerts }, alertId }: { data: AlertsData; alertId: string | null }) {
  const chosen = alerts.find(({ id }) => id === alertId);
  const columns: readonly Column<LogLine>[] = [
    { heading: "Time", cell: ({ atMs }) => <LogTime atMs={atMs} />, cellClassName: "wide:w-36" },
    {
      heading: "What fired",
      cellClassName: "max-wide:col-span-full",
      cell: ({ message, alertName }) => (
        <>
          {message}
          <span className="block text-2xs text-faint">{alertName}</span>
        </>
      ),
    },
    {
      heading: "Messages",
      cellClassName: "wide:w-64 max-wide:col-span-full",
      cell: ({ deliveries }) =>
        deliveries.length === 0 ? (
          <span className="text-dim">shown on this site</span>
        ) : (
          deliveries.map((delivery) => <DeliveryText key={delivery.channel} delivery={delivery} />)
        ),
    },
  ];
  return (
    <ListPart titleId="log-title" title={chosen === undefined ? "Log" : `Log of “${chosen.name}”`}>
      {chosen !== undefined && (
        <p className="mx-4 mb-2 text-xs13">
          <Link href="/alerts" scroll={false} className="text-accent-ink underline underline-offset-4">
            Show the log of all alerts
          </Link>
        </p>
      )}
      {log.length === 0 ? (
        <p className="mx-4 text-xs13 text-dim">Nothing has fired in the last 30 days.</p>
      ) : (
        <Table caption="Log" columns={columns} rows={log} getKey={({ id }) => id} look="cards" />
      )}
    </ListPart>
  );
}

/** A time to the second in the zone of the pages. */
export function LogTime({ atMs }: { atMs: number }) {
  const zone = useZone();
  const format = new Intl.DateTimeFormat("en-GB", {
    ...({ timeZone: zone, day: "numeric", month: "short" } as const),
    ...({ hour: "2-digit", minute: "2-digit", second: "2-digit" } as const),
  });
  return (
    <time dateTime={new Date(atMs).toISOString()} className="font-normal whitespace-nowrap text-dim tabular-nums">
      {format.format(atMs)}
    </time>
  );
}
