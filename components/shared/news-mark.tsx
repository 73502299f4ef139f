"use client";

import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { useFresh } from "@/components/ui/use-fresh";
import { joinWindows, MARK_LEAD_MS, MARK_MARGINS, type NewsWindow } from "@/lib/calendar/news-window";
import { MINUTE_MS } from "@/lib/time/units";

/** A release of high impact. */
interface NewsEvent {
  /** UTC milliseconds. */
  readonly timeMs: number;
  readonly currency: string;
  readonly title: string;
}

/** The releases around now, oldest first, for the marks of all pages. */
export interface NewsData {
  /** Whether the calendar reaches far enough; "locked" on plans without it. */
  readonly status: "current" | "stale" | "missing" | "locked";
  readonly events: readonly NewsEvent[];
}

const REFRESH_MS = MINUTE_MS;
/** For so long after a release its mark is not that of a later one. */
const FRESH_MS = 5 * MINUTE_MS;

/** The releases around now. All marks of a page share one request a minute. */
function useNews(): NewsData | undefined {
  return useFresh<NewsData>("/calendar/news", REFRESH_MS).data;
}

const NewsContext = createContext<NewsData | undefined>(undefined);

/** Gives the marks of a table their data. A table of hundreds of rows has one subscription. */
export function NewsProvider({ children }: { children: ReactNode }) {
  return <NewsContext value={useNews()}>{children}</NewsContext>;
}

/** The mark of a row: the minutes until the next release of its currencies ("USD,EUR"), red inside of its window. */
export function RowNews({ currencies }: { currencies: string }) {
  const windows = useWindows(useContext(NewsContext), currencies);
  return windows.length > 0 && <ShortMark windows={windows} />;
}

/** The mark of a page's header, of all currencies or of those of its symbol ("USD,EUR"). */
export function NewsMark({ currencies }: { currencies?: string }) {
  const news = useNews();
  const windows = useWindows(news, currencies);
  if (news === undefined || news.status === "locked") return null;
  if (windows.length > 0) return <LongMark windows={windows} />;
  if (news.status === "current") return null;
  return (
    <span className="text-xs12 whitespace-nowrap text-dim" title="No source lists events of now: releases may be near.">
      {news.status === "missing" ? "No calendar" : "Calendar is out of date"}
    </span>
  );
}

type Windows = readonly NewsWindow<NewsEvent>[];

function useWindows(news: NewsData | undefined, currencies: string | undefined): Windows {
  return useMemo(() => {
    const codes = currencies?.split(",");
    const events = (news?.events ?? []).filter(({ currency }) => codes === undefined || codes.includes(currency));
    return joinWindows(events, MARK_MARGINS);
  }, [news, currencies]);
}

/** The release that a mark shows. */
export interface NearNews {
  readonly event: NewsEvent;
  readonly isInside: boolean;
  /** Whole minutes: until the release, rounded up, or negative since it, rounded down. */
  readonly minutes: number;
}

/** Finds what a mark shows at a moment; null for none. */
export function findNear(windows: Windows, nowMs: number): NearNews | null {
  for (const { fromMs, toMs, events } of windows) {
    if (toMs <= nowMs) continue;
    const event =
      events.findLast(({ timeMs }) => timeMs <= nowMs && nowMs - timeMs < FRESH_MS) ??
      events.find(({ timeMs }) => timeMs > nowMs) ??
      events.at(-1);
    if (event === undefined || event.timeMs - nowMs > MARK_LEAD_MS) return null;
    const ms = event.timeMs - nowMs;
    const minutes = ms > 0 ? Math.ceil(ms / MINUTE_MS) : -Math.floor(-ms / MINUTE_MS);
    return { event, isInside: fromMs <= nowMs, minutes };
  }
  return null;
}

/** "USD CPI (MoM) in 12 min", "USD CPI (MoM) 3 min ago", "USD CPI (MoM) now". */
export function describeNear({ event: { currency, title }, minutes }: NearNews): string {
  return `${currency} ${title} ${formatWhen(minutes)}`;
}

function formatWhen(minutes: number): string {
  return minutes > 0 ? `in ${minutes} min` : minutes === 0 ? "now" : `${-minutes} min ago`;
}

/** Renders again only when the text or the colour changes. */
function useNear(windows: Windows) {
  const text = useMarketTime((nowMs) => {
    const near = findNear(windows, nowMs);
    return near === null ? "" : `${near.isInside ? "!" : " "}${near.minutes}|${describeNear(near)}`;
  });
  if (text === "") return null;
  const [minutes = "", words = ""] = text.slice(1).split(/\|(.*)/s);
  return { isInside: text.startsWith("!"), minutes: Number(minutes), words };
}

function ShortMark({ windows }: { windows: Windows }) {
  const near = useNear(windows);
  if (near === null) return null;
  const { isInside, minutes, words } = near;
  return (
    <span
      data-news={isInside ? "inside" : "near"}
      title={words}
      className={getLook(isInside, "row-news px-1 text-2xs")}
    >
      <span aria-hidden translate="no" className="numerals">
        {minutes > 0 ? `${minutes}m` : minutes === 0 ? "now" : `+${-minutes}m`}
      </span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

function LongMark({ windows }: { windows: Windows }) {
  const near = useNear(windows);
  if (near === null) return null;
  const { isInside, minutes, words } = near;
  const when = formatWhen(minutes);
  return (
    <span
      data-news={isInside ? "inside" : "near"}
      title={`${words}. News window: 15 min before to 30 min after`}
      className={getLook(isInside, "h-6 max-w-72 min-w-0 items-center gap-1 px-2 text-xs12 max-md:max-w-48")}
    >
      <span className="truncate">{words.slice(0, -when.length - 1)}</span>
      <span className="flex-none tabular-nums">{when}</span>
    </span>
  );
}

const getLook = (isInside: boolean, shape: string) =>
  `inline-flex flex-none rounded-sm border font-medium whitespace-nowrap ${shape} ${
    isInside ? "border-down text-down" : "border-line text-dim"
  }`;
