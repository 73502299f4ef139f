import type { Signal } from "@/lib/analytics/indicators/definition";

const meanings: Readonly<Record<Signal, string>> = {
  bullish: "Speaks for rising prices",
  bearish: "Speaks for falling prices",
  overbought: "Above its upper level",
  oversold: "Below its lower level",
  neutral: "Says neither",
};

/** What a reading says: a shape, a word and a colour, never the colour alone. */
export function SignalMark({ signal }: { signal: Signal }) {
  return (
    <span className="signal-mark" data-signal={signal} title={meanings[signal]}>
      <span aria-hidden className="signal-shape" />
      {signal}
    </span>
  );
}
