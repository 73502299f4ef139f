import { writeCurl } from "@/components/shared/write-curl";
import { Figure } from "@/components/ui/figure";
import type { LandingQuote } from "@/features/landing/data";

interface CallJsonProps {
  quote: Pick<LandingQuote, "symbol" | "bid" | "ask" | "spread" | "spreadPips" | "timeMs" | "source">;
  /** The origin of the API. */
  origin: string;
}

/** A call of the API and its answer. */
export function CallJson({ quote, origin }: CallJsonProps) {
  const { symbol, bid, ask, spread, spreadPips, timeMs, source } = quote;
  const fields: readonly (readonly [string, string | number])[] = [
    ["symbol", symbol],
    ["bid", bid],
    ["ask", ask],
    ["spread", spread],
    ["spread_pips", spreadPips],
    ["timestamp", new Date(timeMs).toISOString()],
    ["source", source],
  ];
  return (
    <Figure
      as="pre"
      tabIndex={0}
      aria-label="A call and its answer"
      className="overflow-x-auto border-t border-line bg-bg px-5 py-4 text-xs12 leading-[1.375rem] text-dim"
    >
      <span className="text-faint">$ </span>
      <span className="text-ink">{writeCurl(`${origin}/v1/quote?symbol=${symbol}`, "$KEY")}</span>
      {'\n{\n  "success": true,\n  "data": {\n'}
      {fields.map(([name, value], index) => (
        <span key={name}>
          {`    "${name}": `}
          <span className={name === "bid" || name === "ask" ? "text-accent-ink" : "text-ink"}>
            {JSON.stringify(value)}
          </span>
          {index < fields.length - 1 ? ",\n" : "\n"}
        </span>
      ))}
      {"  }\n}"}
    </Figure>
  );
}
