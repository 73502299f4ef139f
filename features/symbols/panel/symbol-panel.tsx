"use client";

import { useMarketTime } from "@/components/shared/market-clock";
import { StrengthBar } from "@/components/shared/strength-bar";
import { Notice } from "@/components/ui/notice";
import { useFresh } from "@/components/ui/use-fresh";
import { EventList } from "@/features/symbols/panel/event-list";
import { PanelLine, PanelPart } from "@/features/symbols/panel/panel-part";
import type { PanelData, SessionState, StrengthFigure } from "@/features/symbols/panel/panel-types";
import { QuotePanel } from "@/features/symbols/panel/quote-panel";
import { SpreadPart } from "@/features/symbols/panel/spread-part";
import { SummaryPart } from "@/features/symbols/panel/summary-part";
import type { LiveStore } from "@/features/symbols/stream/live-store";
import type { SymbolInstrument } from "@/features/symbols/types";
import { CITIES } from "@/lib/market/sessions/session-hours";
import type { Timeframe } from "@/lib/market/timeframe";
import { formatTimeLeft } from "@/lib/time/duration";

const REFRESH_MS = 15_000;

interface SymbolPanelProps {
  instrument: SymbolInstrument;
  timeframe: Timeframe;
  live: LiveStore;
  /** The data of the rendered page, and the timeframe of its summary. */
  initial: PanelData;
  firstTimeframe: Timeframe;
}

/** Everything else about a symbol, beside its chart. */
export function SymbolPanel({ instrument, timeframe, live, initial, firstTimeframe }: SymbolPanelProps) {
  const { symbol, digits } = instrument;
  const { data, isOffline } = useFresh<PanelData>(
    `/symbols/${symbol}/panel?timeframe=${timeframe}`,
    REFRESH_MS,
    timeframe === firstTimeframe ? initial : undefined,
  );
  const shown = data ?? initial;
  return (
    <aside aria-label={`About ${symbol}`} className="grid min-w-0 content-start border-b border-line">
      <QuotePanel instrument={instrument} live={live} />
      {isOffline && <Notice tone="error">The figures below could not be updated. Trying again.</Notice>}
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
      <SummaryPart symbol={symbol} digits={digits} timeframe={timeframe} summary={data?.summary ?? null} />
    </aside>
  );
}

function SessionText({ session: { isOpen, changesAtMs } }: { session: SessionState }) {
  const left = useMarketTime((nowMs) => formatTimeLeft(Math.max(0, changesAtMs - nowMs)));
  return (
    <span className={isOpen ? "text-ink" : "text-dim"}>
      {isOpen ? "open" : "closed"}
      <span className="numerals ml-2 text-xs12 text-dim">
        {isOpen ? "closes in" : "opens in"} {left}
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
        <span className="numerals w-10 text-right">{strength.toFixed(2)}</span>
        <span className="w-20 text-right text-xs12 text-dim">
          {trend}
          <span className="sr-only">, change {change.toFixed(2)}</span>
        </span>
      </span>
    </PanelLine>
  );
}
