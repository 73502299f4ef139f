"use client";

import type { ReactNode } from "react";
import { BarAge } from "@/components/shared/bar-age";
import { Age, useMarketTime } from "@/components/shared/market-clock";
import { StateMark } from "@/components/shared/state-mark";
import { StrengthBar } from "@/components/shared/strength-bar";
import { useZone } from "@/components/shared/zone-context";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { useFresh } from "@/components/ui/use-fresh";
import { IMPACT_COLOURS } from "@/features/symbols/chart-events";
import { type LiveStore, useLive } from "@/features/symbols/live-store";
import type {
  PanelData,
  SessionState,
  SpreadFigures,
  StrengthFigure,
  SummaryFigures,
} from "@/features/symbols/read-panel";
import type { ChartEvent, PageQuote, SymbolInstrument } from "@/features/symbols/types";
import { formatPlansWith } from "@/lib/access/plans";
import { formatSentPrice, formatSpreadPips } from "@/lib/market/price";
import { CITIES } from "@/lib/market/sessions/session-hours";
import type { Timeframe } from "@/lib/market/timeframe";
import { formatTimeLeft } from "@/lib/time/duration";
import { DAY_MS } from "@/lib/time/units";

const REFRESH_MS = 15_000;

interface SymbolPanelProps {
  instrument: SymbolInstrument;
  timeframe: Timeframe;
  live: LiveStore;
  /** The data of the rendered page, and the timeframe of its summary. */
  initial: PanelData | null;
  firstTimeframe: Timeframe;
}

/** Everything else about a symbol, beside its chart. */
export function SymbolPanel({ instrument, timeframe, live, initial, firstTimeframe }: SymbolPanelProps) {
  const { symbol } = instrument;
  const { data, isOffline } = useFresh<PanelData>(
    `/symbols/${symbol}/panel?timeframe=${timeframe}`,
    REFRESH_MS,
    timeframe === firstTimeframe && initial !== null ? initial : undefined,
  );
  const shown = data ?? initial;
  return (
    <aside aria-label={`About ${symbol}`} className="grid min-w-0 content-start border-b border-line">
      <QuotePanel instrument={instrument} live={live} />
      {isOffline && (
        <Notice tone="error">
          {shown === null ? "The other figures" : "The figures below"} could not be updated. Trying again.
        </Notice>
      )}
      {shown !== null && <Figures {...{ instrument, timeframe, live, shown, data }} />}
    </aside>
  );
}

interface FiguresProps extends Pick<SymbolPanelProps, "instrument" | "timeframe" | "live"> {
  shown: PanelData;
  /** That of the timeframe, once it is known. */
  data: PanelData | undefined;
}

function Figures({ instrument: { symbol, digits }, timeframe, live, shown, data }: FiguresProps) {
  return (
    <>
      <SpreadPart symbol={symbol} figures={shown.spread} live={live} />
      <PanelPart id="sessions-title" title="Sessions" href="/sessions" linkText="All hours">
        <dl>
          {shown.sessions.map((session) => (
            <PanelLine key={session.name} name={CITIES[session.name]}>
              <SessionText session={session} />
            </PanelLine>
          ))}
        </dl>
      </PanelPart>
      <EventList events={shown.events} />
      {shown.strength.length > 0 && (
        <PanelPart id="strength-title" title="Strength, H1" href="/strength?timeframe=H1" linkText="All currencies">
          <dl>
            {shown.strength.map((figure) => (
              <StrengthLine key={figure.currency} figure={figure} />
            ))}
          </dl>
        </PanelPart>
      )}
      <SummaryPart
        symbol={symbol}
        digits={digits}
        timeframe={timeframe}
        summary={data?.summary ?? null}
        bar={data?.bar ?? null}
      />
    </>
  );
}

function SessionText({ session: { isOpen, changesAtMs } }: { session: SessionState }) {
  const left = useMarketTime((nowMs) => formatTimeLeft(Math.max(0, changesAtMs - nowMs)));
  return (
    <span className={isOpen ? "text-ink" : "text-dim"}>
      <span>{isOpen ? "open" : "closed"}</span>
      <span className="ml-2 text-xs12 text-dim">
        {isOpen ? "closes in" : "opens in"} <Figure>{left}</Figure>
      </span>
    </span>
  );
}

function StrengthLine({ figure: { currency, strength, change, trend } }: { figure: StrengthFigure }) {
  return (
    <PanelLine name={currency}>
      <span className="flex items-center gap-2.5">
        <span className="w-20">
          <StrengthBar strength={strength} />
        </span>
        <Figure className="w-10 text-right">{strength.toFixed(2)}</Figure>
        <span className="w-20 text-right text-xs12 text-dim">
          {trend}
          <span className="sr-only">, change {change.toFixed(2)}</span>
        </span>
      </span>
    </PanelLine>
  );
}

/** The served quote, and the quotes of all sources below it. */
function QuotePanel({ instrument, live: store }: { instrument: SymbolInstrument; live: LiveStore }) {
  const { live, connection } = useLive(store);
  const { symbol, digits } = instrument;
  const { quote, sources, best } = live;
  if (quote === null) {
    return (
      <section aria-label="Quote" className="border-t border-line px-4 py-3 text-xs13 text-dim">
        No source has quoted {symbol} yet.
      </section>
    );
  }
  const [bid, ask] = [formatSentPrice(quote.bid, digits), formatSentPrice(quote.ask, digits)];
  // Coins at a millionth of a dollar have ten digits.
  const isLong = Math.max(bid.length, ask.length) > LONG_PRICE;
  return (
    <section aria-labelledby="quote-title" className="grid gap-2 border-t border-line px-4 py-3 max-md:px-3">
      <h2 id="quote-title" className="sr-only">
        Quote of {symbol}
      </h2>
      <dl
        data-long={isLong || undefined}
        className={`grid grid-cols-3 gap-x-4 data-long:grid-cols-[repeat(3,auto)] data-long:gap-x-2 ${connection === "offline" ? "text-faint" : ""}`}
      >
        <Price name="Bid" text={bid} />
        <Price name="Ask" text={ask} />
        <Price name="Spread" text={formatSpreadPips(quote.spreadPips)} unit="pips" />
      </dl>
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-xs12 text-dim">
        <span translate="no">{quote.source}</span>
        {connection === "offline" ? <span className="text-down">not updating</span> : <StateMark state={quote.state} />}
        <Figure>
          <Age timeMs={quote.timeMs} />
        </Figure>
      </p>
      {sources.length > 1 && (
        <ScrollRegion label={`Sources of ${symbol}`}>
          <Table
            look="dense"
            className="w-full text-xs12"
            caption={`Quotes of ${symbol} by source`}
            columns={getColumns(digits, best, quote.source)}
            rows={sources}
            getKey={({ source }) => source}
            cellClassName="pl-2 first:pl-0"
          />
        </ScrollRegion>
      )}
      {best !== null && sources.length > 1 && (
        <p className="flex justify-between gap-3 text-xs12 text-dim">
          <span>Best of live sources</span>
          <Figure>
            {formatSentPrice(best.bid, digits)} / {formatSentPrice(best.ask, digits)} ·{" "}
            {formatSpreadPips(best.spreadPips)}
            {best.spreadPips < 0 && <span className="text-warn"> crossed</span>}
          </Figure>
        </p>
      )}
    </section>
  );
}

const LONG_PRICE = 9;

function Price({ name, text, unit }: { name: string; text: string; unit?: string }) {
  return (
    <div>
      <dt className="text-xs12 text-faint">{name}</dt>
      <Figure as="dd" className="text-lg/7 in-data-long:text-xs13/7">
        {text}
        {unit !== undefined && <span className="ml-1 font-sans text-xs12 text-dim">{unit}</span>}
      </Figure>
    </div>
  );
}

type Best = { readonly bid: number; readonly ask: number } | null;

function getColumns(digits: number, best: Best, served: string): Column<PageQuote>[] {
  const mark = (isBest: boolean) => `font-mono ${isBest ? "text-accent-ink" : ""}`;
  return [
    {
      heading: "Source",
      cell: ({ source, state }) => (
        <span className={source === served ? "text-ink" : "text-dim"}>
          <span translate="no">{source}</span>
          {state !== "live" && <span className="text-faint"> · {state}</span>}
        </span>
      ),
    },
    {
      heading: "Bid",
      isNumeric: true,
      cell: ({ bid }) => formatSentPrice(bid, digits),
      cellClassName: ({ bid }) => mark(best?.bid === bid),
    },
    {
      heading: "Ask",
      isNumeric: true,
      cell: ({ ask }) => formatSentPrice(ask, digits),
      cellClassName: ({ ask }) => mark(best?.ask === ask),
    },
    { heading: "Pips", isNumeric: true, cell: (line) => formatSpreadPips(line.spreadPips), cellClassName: "font-mono" },
  ];
}

interface SpreadPartProps {
  symbol: string;
  /** The spreads of the last 24 hours; null if nothing was recorded. */
  figures: SpreadFigures | null;
  live: LiveStore;
}

/** The spread now, beside those of the last 24 hours. */
function SpreadPart({ symbol, figures, live }: SpreadPartProps) {
  const { quote } = useLive(live).live;
  const now = quote?.spreadPips ?? null;
  const isWide = now !== null && figures !== null && now > figures.p95;
  return (
    <PanelPart
      id="spread-title"
      title="Spread in pips, 24 hours"
      href={`/spreads?symbols=${symbol}`}
      linkText="History"
    >
      {figures === null ? (
        <p className="text-xs13 text-dim">Nothing was recorded in the last 24 hours.</p>
      ) : (
        <dl>
          <PanelLine name="Now">
            <Figure className={isWide ? "text-warn" : ""}>{now === null ? "–" : formatSpreadPips(now)}</Figure>
            {isWide && <span className="ml-2 text-xs12 text-warn">wider than in 95 %</span>}
          </PanelLine>
          <PanelLine name="Mean">
            <Figure>{figures.avg.toFixed(2)}</Figure>
          </PanelLine>
          <PanelLine name="5–95 % of 24 hours">
            <Figure>
              {figures.p5.toFixed(1)}–{figures.p95.toFixed(1)}
            </Figure>
          </PanelLine>
        </dl>
      )}
    </PanelPart>
  );
}

const BIAS_MARKS: Readonly<Record<SummaryFigures["bias"], readonly [mark: string, colour: string]>> = {
  bullish: ["▲", "text-up"],
  bearish: ["▼", "text-down"],
  neutral: ["–", "text-dim"],
  overbought: ["▲", "text-warn"],
  oversold: ["▼", "text-warn"],
};

interface SummaryPartProps {
  symbol: string;
  digits: number;
  timeframe: Timeframe;
  summary: SummaryFigures | null;
  bar: PanelData["bar"];
}

/** The indicators' summary of the chart's timeframe, as the page of indicators has it. */
function SummaryPart({ symbol, digits, timeframe, summary, bar }: SummaryPartProps) {
  const [mark, colour] = BIAS_MARKS[summary?.bias ?? "neutral"];
  const levels = (prices: readonly number[]) =>
    prices.map((price) => formatSentPrice(price, digits)).join(" · ") || "–";
  return (
    <PanelPart
      id="summary-title"
      title={`Indicators, ${timeframe}`}
      href={`/indicators?symbol=${symbol}&timeframe=${timeframe}`}
      linkText="All readings"
    >
      {summary === null ? (
        <p className="min-h-30 text-xs13 text-dim">
          {bar?.state === "outdated" ? (
            <>
              No summary: the newest bar is outdated, <BarAge {...bar} />
            </>
          ) : (
            "No summary: too few bars have closed."
          )}
        </p>
      ) : (
        <dl className="min-h-30">
          <PanelLine name="Bias">
            <span className={colour}>
              <span aria-hidden>{mark} </span>
              {summary.isStrong && "strong "}
              {summary.bias}
            </span>
            <span className="ml-2 text-xs12 text-dim">confidence {summary.confidencePercent} %</span>
            {bar && <BarAge {...bar} className="ml-2" />}
          </PanelLine>
          <PanelLine name="Trend">
            <Figure>{summary.trendScore}</Figure>
          </PanelLine>
          <PanelLine name="Momentum">
            <Figure>{summary.momentumScore}</Figure>
          </PanelLine>
          <PanelLine name="Resistance">
            <Figure className="text-xs12">{levels(summary.resistance)}</Figure>
          </PanelLine>
          <PanelLine name="Support">
            <Figure className="text-xs12">{levels(summary.support)}</Figure>
          </PanelLine>
        </dl>
      )}
    </PanelPart>
  );
}

/** The next events of the symbol's currencies. `events` is null if the plan does not include them. */
function EventList({ events }: { events: readonly ChartEvent[] | null }) {
  return (
    <PanelPart id="events-title" title="Next events" href="/calendar" linkText="Calendar">
      {events === null && <p className="text-xs13 text-dim">Events are included in {formatPlansWith("calendar")}.</p>}
      {events?.length === 0 && <p className="text-xs13 text-dim">Nothing in the next seven days.</p>}
      {events !== null && events.length > 0 && (
        <ul className="grid gap-1.5 text-xs13">
          {events.map(({ id, timeMs, currency, title, impact, forecast }) => (
            <li key={id} className="grid grid-cols-[auto_2.25rem_minmax(0,1fr)_auto] items-baseline gap-x-2">
              <span
                role="img"
                aria-label={`${impact} impact`}
                title={`${impact} impact`}
                className={`size-2 rounded-full ${IMPACT_COLOURS[impact]}`}
              />
              <Figure className="text-dim">{currency}</Figure>
              <span className="min-w-0">
                {title}
                {forecast !== "" && <span className="text-xs12 text-faint"> · forecast {forecast}</span>}
              </span>
              <EventTime timeMs={timeMs} />
            </li>
          ))}
        </ul>
      )}
    </PanelPart>
  );
}

/** The countdown to an event of the next day, the weekday and time of a later one. */
function EventTime({ timeMs }: { timeMs: number }) {
  const zone = useZone();
  const write = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit", ...options }).format(timeMs);
  const text = useMarketTime((nowMs) =>
    timeMs - nowMs < DAY_MS
      ? `in ${formatTimeLeft(Math.max(0, timeMs - nowMs))}`
      : write({ weekday: "short" }).replace(",", ""),
  );
  return (
    <Figure
      as="time"
      dateTime={new Date(timeMs).toISOString()}
      title={`${write({ day: "numeric", month: "short", year: "numeric" })} ${zone}`}
      className="text-xs12 text-dim"
    >
      {text}
    </Figure>
  );
}

interface PanelPartProps {
  id: string;
  title: string;
  /** The page that has more of it. */
  href: string;
  linkText: string;
  children: ReactNode;
}

/** One part of the column beside the chart. */
function PanelPart({ id, title, href, linkText, children }: PanelPartProps) {
  return (
    <section aria-labelledby={id} className="grid content-start gap-1.5 border-t border-line px-4 py-3 max-md:px-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={id} className="text-xs12 text-faint">
          {title}
        </h2>
        <Link href={href} className="py-1 text-xs12 text-dim underline-offset-[3px] hover:text-ink hover:underline">
          {linkText}
        </Link>
      </div>
      {children}
    </section>
  );
}

/** A line of a part: a name and a figure. */
function PanelLine({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-6 items-center justify-between gap-3 text-xs13">
      <dt className="text-dim">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
