import { useAge } from "@/components/shared/market-clock";
import { StateMark } from "@/components/shared/state-mark";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { type LiveStore, useLive } from "@/features/symbols/stream/live-store";
import type { PageQuote, SymbolInstrument } from "@/features/symbols/types";

/** The served quote, and the quotes of all sources below it. */
export function QuotePanel({ instrument, live: store }: { instrument: SymbolInstrument; live: LiveStore }) {
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
  return (
    <section aria-labelledby="quote-title" className="grid gap-2 border-t border-line px-4 py-3 max-md:px-3">
      <h2 id="quote-title" className="sr-only">
        Quote of {symbol}
      </h2>
      <dl className={`grid grid-cols-3 gap-x-4 ${connection === "offline" ? "text-faint" : ""}`}>
        <Price name="Bid" text={quote.bid.toFixed(digits)} />
        <Price name="Ask" text={quote.ask.toFixed(digits)} />
        <Price name="Spread" text={`${quote.spreadPips.toFixed(1)}`} unit="pips" />
      </dl>
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-xs12 text-dim">
        <span>{quote.source}</span>
        {connection === "offline" ? <span className="text-down">not updating</span> : <StateMark state={quote.state} />}
        <span className="numerals">
          <Age timeMs={quote.timeMs} />
        </span>
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
          <span className="numerals">
            {best.bid.toFixed(digits)} / {best.ask.toFixed(digits)} · {best.spreadPips.toFixed(1)}
            {best.spreadPips < 0 && <span className="text-warn"> crossed</span>}
          </span>
        </p>
      )}
    </section>
  );
}

function Price({ name, text, unit }: { name: string; text: string; unit?: string }) {
  return (
    <div>
      <dt className="text-xs12 text-faint">{name}</dt>
      <dd className="numerals text-lg/7">
        {text}
        {unit !== undefined && <span className="ml-1 font-sans text-xs12 text-dim">{unit}</span>}
      </dd>
    </div>
  );
}

function Age({ timeMs }: { timeMs: number }) {
  return useAge(timeMs);
}

type Best = { readonly bid: number; readonly ask: number } | null;

function getColumns(digits: number, best: Best, served: string): Column<PageQuote>[] {
  const mark = (isBest: boolean) => `font-mono ${isBest ? "text-accent-ink" : ""}`;
  return [
    {
      heading: "Source",
      cell: ({ source, state }) => (
        <span className={source === served ? "text-ink" : "text-dim"}>
          {source}
          {state !== "live" && <span className="text-faint"> · {state}</span>}
        </span>
      ),
    },
    {
      heading: "Bid",
      isNumeric: true,
      cell: ({ bid }) => bid.toFixed(digits),
      cellClassName: ({ bid }) => mark(best?.bid === bid),
    },
    {
      heading: "Ask",
      isNumeric: true,
      cell: ({ ask }) => ask.toFixed(digits),
      cellClassName: ({ ask }) => mark(best?.ask === ask),
    },
    { heading: "Pips", isNumeric: true, cell: (line) => line.spreadPips.toFixed(1), cellClassName: "font-mono" },
  ];
}
