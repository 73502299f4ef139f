"use client";

import { useMarketTime } from "@/components/shared/market-clock";
import type { DataMode } from "@/lib/market/bar";
import { isWeekend } from "@/lib/market/sessions/session-week";

/** Below the badge, or below the page's header in browsers without anchor positioning. */
const POPOVER_CLASS =
  "inset-auto m-1.5 w-[min(20rem,calc(100vw-1rem))] rounded-lg border border-line bg-raised p-3 shadow-float [position-area:bottom_span-left] [position-try-fallbacks:flip-inline] not-supports-[position-area:bottom]:top-12 not-supports-[position-area:bottom]:right-2";

type What = "prices" | "events";

interface Label {
  readonly label: string;
  readonly text: string;
}

/** Returns what the badge says; null for live data. A simulated market moves at weekends, when real ones are closed. */
export function formatDataMode(mode: DataMode, what: What, isAtWeekend: boolean): Label | null {
  if (mode === "live") return null;
  if (mode === "replay") {
    return {
      label: "Replay",
      text: `These ${what} were recorded earlier and are replayed. They are not today’s market.`,
    };
  }
  const text = `These ${what} are simulated. They follow no real market. Use them for testing, never to trade.`;
  if (!isAtWeekend || what === "events") return { label: "Simulated", text };
  return {
    label: "Simulated weekend",
    text: `${text} It is the weekend: real markets are closed, the simulation goes on.`,
  };
}

/** Labels prices or events that do not come from a live market. */
export function DataModeBadge({ mode, what = "prices" }: { mode: DataMode; what?: What }) {
  const isAtWeekend = useMarketTime((nowMs) => Number(isWeekend(nowMs))) === 1;
  const said = formatDataMode(mode, what, isAtWeekend);
  if (said === null) return null;
  const { label, text } = said;
  const id = `data-mode-${mode}`;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        title={text}
        className="inline-flex h-6 items-center rounded-sm border border-dashed border-note px-2 text-xs12 whitespace-nowrap text-note hover:bg-hover"
      >
        {label}
        <span className="sr-only"> data: what does this mean?</span>
      </button>
      <div id={id} popover="auto" className={POPOVER_CLASS}>
        <p className="font-medium">{label} data</p>
        <p className="mt-1 text-xs13 text-dim">{text}</p>
      </div>
    </>
  );
}
