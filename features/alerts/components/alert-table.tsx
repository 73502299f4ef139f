import { Moment } from "@/components/shared/moment";
import { Link } from "@/components/ui/link";
import { StateDot } from "@/components/ui/state";
import { type Column, Table } from "@/components/ui/table";
import { AlertButtons, type AlertRowActions } from "@/features/alerts/components/alert-row-actions";
import { StatusMark } from "@/features/alerts/components/status-mark";
import type { AlertLine, AlertsData, DeliveryLine } from "@/features/alerts/types";
import { formatCount } from "@/lib/text/text";

interface AlertTableProps {
  data: AlertsData;
  chosenId: string | null;
  actions: AlertRowActions;
}

/** One row for each alert: what it waits for, where the market is, and what became of its last firing. */
export function AlertTable({ data: { alerts, nowMs }, chosenId, actions }: AlertTableProps) {
  const columns: readonly Column<AlertLine>[] = [
    { heading: "Alert", cell: (alert) => <AlertName alert={alert} /> },
    { heading: "State", cell: (alert) => <StatusMark alert={alert} nowMs={nowMs} /> },
    { heading: "Now", cell: ({ now, away }) => <Now now={now} away={away} /> },
    { heading: "Last fired", cell: (alert) => <LastFired alert={alert} nowMs={nowMs} /> },
    { heading: "Sent to", cell: ({ channels }) => <Channels names={channels} /> },
    {
      heading: "Change",
      isHeadingHidden: true,
      cell: (alert) => <AlertButtons alert={alert} actions={actions} />,
      cellClassName: "max-wide:col-span-full max-wide:before:hidden! wide:pr-2!",
    },
  ];
  return (
    <Table
      caption="Alerts"
      columns={columns}
      rows={alerts}
      getKey={({ id }) => id}
      look="cards"
      rowProps={({ id, status }) => ({
        "data-status": status.kind,
        className: id === chosenId ? "bg-hover shadow-[inset_2px_0_0_var(--accent)]" : undefined,
      })}
    />
  );
}

function AlertName({ alert: { id, name, words, symbol, repeats, firings } }: { alert: AlertLine }) {
  const details = [name === words ? "" : words, repeats, firings > 0 ? `fired ${formatCount(firings)}×` : ""];
  // The symbol within the words leads to its page.
  const rest = symbol !== null && name.startsWith(`${symbol} `) ? name.slice(symbol.length + 1) : null;
  return (
    <>
      {symbol !== null && (
        <Link
          href={`/symbols/${symbol}`}
          className="mr-1 font-medium text-accent-ink underline-offset-4 hover:underline"
        >
          {symbol}
        </Link>
      )}
      <Link
        href={`/alerts?alert=${id}`}
        scroll={false}
        title="Show its log"
        className="font-medium underline-offset-4 [overflow-wrap:anywhere] hover:underline"
      >
        {rest ?? name}
      </Link>
      <span className="block text-2xs text-faint">{details.filter((part) => part !== "").join(" · ")}</span>
    </>
  );
}

function Now({ now, away }: Pick<AlertLine, "now" | "away">) {
  if (now === null) return <span className="text-dim">–</span>;
  return (
    <>
      <span className="numerals">{now}</span>
      {away !== null && <span className="block text-2xs text-faint">{away}</span>}
    </>
  );
}

function LastFired({ alert: { lastFiredAtMs, deliveries }, nowMs }: { alert: AlertLine; nowMs: number }) {
  if (lastFiredAtMs === null) return <span className="text-dim">never</span>;
  return (
    <>
      <Moment atMs={lastFiredAtMs} nowMs={nowMs} />
      {deliveries.map((delivery) => (
        <DeliveryText key={delivery.channel} delivery={delivery} />
      ))}
    </>
  );
}

/** What became of one message. */
export function DeliveryText({ delivery: { channel, look, text } }: { delivery: DeliveryLine }) {
  return (
    <span className="flex items-baseline gap-1.5 text-2xs text-dim">
      <StateDot look={look} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {channel} {text}
      </span>
    </span>
  );
}

function Channels({ names }: { names: readonly string[] }) {
  return names.length === 0 ? (
    <span className="whitespace-nowrap text-dim">this site</span>
  ) : (
    <span className="whitespace-nowrap">{names.join(", ")}</span>
  );
}
