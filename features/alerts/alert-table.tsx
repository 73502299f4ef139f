"use client";

import { Pause, Pencil, Play, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Moment } from "@/components/shared/moment";
import { useZone } from "@/components/shared/zone-context";
import { announce } from "@/components/ui/announcer";
import { Button, getButtonClass } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { ListPart } from "@/components/ui/page-part";
import { type DotLook, State, StateDot } from "@/components/ui/state";
import { type Column, Table } from "@/components/ui/table";
import type { AlertLine, AlertsData, AlertStatus, DeliveryLine, LogLine } from "@/features/alerts/types";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
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

export function AlertName({ alert: { id, name, words, symbol, repeats, firings } }: { alert: AlertLine }) {
  const details = [name === words ? "" : words, repeats, firings > 0 ? `fired ${formatCount(firings)}×` : ""];
  // The symbol within the words leads to its page.
  const rest = symbol !== null && name.startsWith(`${symbol} `) ? name.slice(symbol.length + 1) : null;
  return (
    <>
      {symbol !== null && (
        <Link
          href={`/symbols/${symbol}`}
          translate="no"
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

export function Now({ now, away }: Pick<AlertLine, "now" | "away">) {
  if (now === null) return <span className="text-dim">–</span>;
  return (
    <>
      <Figure>{now}</Figure>
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
function DeliveryText({ delivery: { channel, look, text } }: { delivery: DeliveryLine }) {
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

const LOOKS: Readonly<Record<AlertStatus["kind"], readonly [dot: DotLook, colour: string]>> = {
  armed: ["good", "text-ink"],
  quiet: ["late", "text-ink"],
  fired: ["old", "text-accent-ink"],
  ended: ["off", "text-dim"],
  paused: ["off", "text-dim"],
  locked: ["failed", "text-dim"],
};

/** The state of an alert, with the time that belongs to it. */
export function StatusMark({ alert, nowMs }: { alert: AlertLine; nowMs: number }) {
  const { status, lastFiredAtMs } = alert;
  const [dot, colour] = LOOKS[status.kind];
  return (
    <State look={dot} className={colour}>
      {status.kind === "locked" ? "not in your plan" : status.kind === "ended" ? "ended with its line" : status.kind}
      {status.kind === "fired" && lastFiredAtMs !== null && (
        <>
          {" "}
          <Moment atMs={lastFiredAtMs} nowMs={nowMs} />
        </>
      )}
      {status.kind === "quiet" && (
        <span className="text-dim">
          {" "}
          until <Hour atMs={status.untilMs} />
        </span>
      )}
      {status.kind === "locked" && <span className="block text-2xs">included in {status.plans}</span>}
    </State>
  );
}

function Hour({ atMs }: { atMs: number }) {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: useZone(), hour: "2-digit", minute: "2-digit" });
  return <time dateTime={new Date(atMs).toISOString()}>{format.format(atMs)}</time>;
}

export interface AlertRowActions {
  readonly pause: FormAction;
  readonly resume: FormAction;
  readonly remove: FormAction;
}

const ICON_CLASS = getButtonClass("quiet", "sm");

/** The buttons of one alert: pause or resume, edit, delete. All work without a script. */
function AlertButtons({ alert, actions }: { alert: AlertLine; actions: AlertRowActions }) {
  const { id, name, isActive } = alert;
  return (
    <div className="flex items-start justify-end gap-0.5 max-wide:justify-start">
      <ActionForm
        id={id}
        action={isActive ? actions.pause : actions.resume}
        look="quiet"
        size="sm"
        className="grid max-w-48 gap-1"
        submit={<IconText Icon={isActive ? Pause : Play} text={isActive ? "Pause" : "Resume"} name={name} />}
      />
      <Link href={`/alerts?edit=${id}`} title="Edit" className={ICON_CLASS}>
        <Pencil aria-hidden size={14} />
        <span className="sr-only">Edit {name}</span>
      </Link>
      <DeleteAlert id={id} name={name} action={actions.remove} />
    </div>
  );
}

function IconText({ Icon, text, name }: { Icon: typeof Pause; text: string; name: string }): ReactNode {
  return (
    <span title={text}>
      <Icon aria-hidden size={14} />
      <span className="sr-only">
        {text} {name}
      </span>
    </span>
  );
}

/** Deletes an alert after a confirmation. Without a script the link leads to the same form below that of the alert. */
function DeleteAlert({ id, name, action }: { id: string; name: string; action: FormAction }) {
  const [isOpen, setIsOpen] = useState(false);
  const remove: FormAction = async (before, form) => {
    const after = await action(before, form);
    if (after.done) {
      setIsOpen(false);
      announce("Alert deleted");
    }
    return after;
  };
  return (
    <>
      <Link
        href={`/alerts?edit=${id}#delete`}
        prefetch={false}
        title="Delete"
        className={ICON_CLASS}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          setIsOpen(true);
        }}
      >
        <Trash2 aria-hidden size={14} />
        <span className="sr-only">Delete {name}</span>
      </Link>
      <Dialog open={isOpen} title="Delete this alert?" onDismiss={() => setIsOpen(false)}>
        <p className="mt-2 mb-4 text-dim">“{name}” and its log are deleted for good.</p>
        <ActionForm
          id={id}
          action={remove}
          submit="Delete alert"
          look="danger"
          aside={
            <Button look="quiet" onClick={() => setIsOpen(false)}>
              Keep alert
            </Button>
          }
        />
      </Dialog>
    </>
  );
}

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
