"use client";

import { Moment } from "@/components/shared/moment";
import { Figure } from "@/components/ui/figure";
import { Notice } from "@/components/ui/notice";
import { ListPart } from "@/components/ui/page-part";
import { type DotLook, State } from "@/components/ui/state";
import { type Column, createActionsColumn, Table } from "@/components/ui/table";
import { pickNewer, useFresh } from "@/components/ui/use-fresh";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { ShownTerminal, TerminalsData } from "@/features/terminals/data";
import { formatCount } from "@/lib/text/text";
import { formatAge } from "@/lib/time/duration";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** The interval at which the server reports to its pages. */
const REFRESH_MS = 2_000;

interface TerminalsViewProps {
  initial: TerminalsData;
  end: FormAction;
}

/** The terminals and what they send, refreshed every two seconds. */
export function TerminalsView({ initial, end }: TerminalsViewProps) {
  const fresh = useFresh<TerminalsData>("/operator/terminals/data", REFRESH_MS, initial);
  const { nowMs, terminals } = pickNewer(fresh.data, initial);
  if (terminals.length === 0) return null;
  const columns: readonly Column<ShownTerminal>[] = [
    {
      heading: "Source",
      cell: ({ source }) => (
        <b translate="no" className="mr-2 font-medium">
          {source}
        </b>
      ),
    },
    { heading: "State", cell: (terminal) => <TerminalLook terminal={terminal} nowMs={nowMs} /> },
    { heading: "Last tick", cell: ({ state }) => <LastTick state={state} /> },
    { heading: "Ticks", isNumeric: true, cell: ({ state }) => (state === null ? "–" : formatCount(state.ticks)) },
    { heading: "Trouble", cell: ({ state }) => formatTrouble(state) },
    { heading: "Token", cell: ({ start, last4 }) => <Figure>{`${start}…${last4}`}</Figure> },
    {
      heading: "Last used",
      cell: ({ lastUsedAtMs }) =>
        lastUsedAtMs === null ? <span className="text-dim">never</span> : <Moment atMs={lastUsedAtMs} nowMs={nowMs} />,
    },
    createActionsColumn(({ id, source, endedAtMs }) =>
      endedAtMs === null ? (
        <ActionForm
          id={id}
          action={end}
          submit={
            <>
              End<span className="sr-only"> the token of {source}</span>
            </>
          }
        />
      ) : null,
    ),
  ];
  return (
    <ListPart titleId="terminals-title" title="Terminals">
      {fresh.isOffline && (
        <div className="px-4 pb-3">
          <Notice tone="error">The server is not responding. This list may be out of date.</Notice>
        </div>
      )}
      <div aria-live="polite" className="sr-only">
        {terminals.flatMap(({ source, state }) => (state?.lastTick ? [`${source} sends prices.`] : [])).join(" ")}
      </div>
      <Table
        caption="Terminals"
        columns={columns}
        rows={terminals}
        getKey={({ id }) => id}
        look="cards"
        rowProps={({ endedAtMs }) => ({ className: endedAtMs === null ? undefined : "text-dim" })}
      />
    </ListPart>
  );
}

function TerminalLook({ terminal, nowMs }: { terminal: ShownTerminal; nowMs: number }) {
  const { look, text } = readLook(terminal, nowMs);
  return <State look={look}>{text}</State>;
}

function LastTick({ state }: Pick<ShownTerminal, "state">) {
  if (state === null || state.lastTick === null) return <span className="text-dim">–</span>;
  const { symbol, bid, ask } = state.lastTick;
  return <Figure>{`${symbol} ${bid} / ${ask}`}</Figure>;
}

function formatTrouble(state: ShownTerminal["state"]): string {
  if (state === null) return "none";
  const counts = [
    [state.skipped, "batches missing"],
    [state.conflicts, "batches of a second terminal"],
    [state.undated, "ticks without a time"],
  ] as const;
  const parts = counts.flatMap(([count, what]) => (count === 0 ? [] : [`${formatCount(count)} ${what}`]));
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** A terminal sends at least an empty batch every five seconds. */
const SILENT_MS = 20 * SECOND_MS;

interface Look {
  readonly look: DotLook;
  readonly text: string;
}

/** The state of a terminal in words. */
export function readLook({ endedAtMs, lastUsedAtMs, state }: ShownTerminal, nowMs: number): Look {
  if (endedAtMs !== null) return { look: "off", text: "ended" };
  const heardAtMs = state?.lastBatchAtMs ?? lastUsedAtMs;
  if (heardAtMs === null) return { look: "waiting", text: "waiting for the first tick" };
  const silentMs = nowMs - heardAtMs;
  if (silentMs > SILENT_MS) return { look: "failed", text: `silent for ${formatAge(silentMs)}` };
  if (state === null || state.ticks === 0) return { look: "waiting", text: "connected, waiting for the first tick" };
  if (state.offsetMs === null) return { look: "late", text: "measuring the trade server’s clock" };
  return { look: "good", text: `receiving, server time ${formatOffset(state.offsetMs)}` };
}

/** "UTC+3", "UTC−4:30". */
export function formatOffset(offsetMs: number): string {
  const hours = Math.trunc(Math.abs(offsetMs) / HOUR_MS);
  const minutes = Math.round((Math.abs(offsetMs) % HOUR_MS) / MINUTE_MS);
  return `UTC${offsetMs < 0 ? "−" : "+"}${hours}${minutes === 0 ? "" : `:${String(minutes).padStart(2, "0")}`}`;
}
