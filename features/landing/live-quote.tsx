"use client";

import { useEffect, useState } from "react";
import { StateMark } from "@/components/shared/state-mark";
import { Figure } from "@/components/ui/figure";
import { CallJson } from "@/features/landing/call-json";
import type { LandingQuote } from "@/features/landing/data";
import { countDigits, formatSentPrice, formatSpreadPips } from "@/lib/market/price";

const SIMULATED = "This price is simulated and follows no real market.";
const REPLAYED = "This price was recorded earlier and is replayed.";

interface LiveQuoteProps {
  initial: LandingQuote;
  /** The origin of the API. */
  origin: string;
}

/** One quote as the dashboard shows it, and below it the same quote as the API answers it. */
export function LiveQuote({ initial, origin }: LiveQuoteProps) {
  const { quote, isOld } = useQuote(initial);
  const { symbol, name, mode, state, timeMs, source, spreadPips } = quote;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-panel">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 pt-4">
        <p translate="no" className="font-semibold">
          {symbol}
        </p>
        <p className="text-xs13 text-dim">{name}</p>
        {mode !== "live" && (
          <p
            title={mode === "simulated" ? SIMULATED : REPLAYED}
            className="ml-auto rounded-sm border border-dashed border-note px-2 text-xs12 leading-5.5 text-note"
          >
            {mode === "simulated" ? "Simulated" : "Replay"}
          </p>
        )}
      </div>
      <dl className={`grid grid-cols-2 px-5 pt-3 pb-4 ${isOld ? "hatched" : ""}`}>
        <Price name="Bid" price={quote.bid} quote={quote} />
        <Price name="Ask" price={quote.ask} quote={quote} />
      </dl>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-2.5 text-xs12 text-dim tabular-nums">
        {isOld ? <span className="text-warn">not updating</span> : <StateMark state={state} />}
        <span translate="no">
          {new Date(timeMs).toISOString().slice(11, 19)} <span className="text-faint">UTC</span>
        </span>
        <span>
          <span translate="no">{formatSpreadPips(spreadPips)}</span> <span className="text-faint">pips</span>
        </span>
        <span translate="no" className="ml-auto text-faint">
          {source}
        </span>
      </p>
      <CallJson quote={quote} origin={origin} />
    </div>
  );
}

interface PriceProps {
  name: string;
  price: number;
  quote: LandingQuote;
}

/** A price with its pips in front, as trading screens show it. */
function Price({ name, price, quote }: PriceProps) {
  const text = formatSentPrice(price, quote.digits);
  const digits = Math.max(quote.digits, countDigits(price));
  // The digits after the pip, such as the last one of 1.08523.
  const pipette = Math.max(0, digits - Math.round(-Math.log10(quote.pipSize)));
  const end = text.length - pipette;
  return (
    <div>
      <dt className="text-xs12 text-faint">{name}</dt>
      <Figure as="dd" className="flex items-baseline text-[1.5rem]/11 text-dim">
        <span className="sr-only">{text}</span>
        <span aria-hidden>{text.slice(0, end - 2)}</span>
        <span aria-hidden className="text-[2.5rem] tracking-[-0.03em] text-ink">
          {text.slice(end - 2, end)}
        </span>
        <span aria-hidden className="self-start text-[1.125rem]">
          {text.slice(end)}
        </span>
      </Figure>
    </div>
  );
}

const REFRESH_MS = 1_000;
const RETRY_MS = 5_000;
const TIMEOUT_MS = 5_000;

/** Polls the public quote once a second while the page is visible. `isOld`: the last request failed. */
function useQuote(initial: LandingQuote): { readonly quote: LandingQuote; readonly isOld: boolean } {
  const [state, setState] = useState({ quote: initial, isOld: false });
  useEffect(() => {
    const stopping = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function poll(): Promise<void> {
      let pauseMs = REFRESH_MS;
      try {
        if (!document.hidden) setState({ quote: await fetchQuote(stopping.signal), isOld: false });
      } catch {
        if (stopping.signal.aborted) return;
        setState(({ quote }) => ({ quote, isOld: true }));
        pauseMs = RETRY_MS;
      }
      if (!stopping.signal.aborted) timer = setTimeout(() => void poll(), pauseMs);
    }
    timer = setTimeout(() => void poll(), REFRESH_MS);
    return () => {
      stopping.abort();
      clearTimeout(timer);
    };
  }, []);
  return state;
}

async function fetchQuote(signal: AbortSignal): Promise<LandingQuote> {
  const answer = await fetch("/landing/quote", { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return (await answer.json()) as LandingQuote;
}
