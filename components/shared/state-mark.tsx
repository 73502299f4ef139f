import { type DotLook, State } from "@/components/ui/state";
import type { QuoteState } from "@/lib/book/freshness";

interface Look {
  readonly dot: DotLook;
  readonly colour: string;
  readonly meaning: string;
}

const LOOKS: Readonly<Record<QuoteState, Look>> = {
  live: { dot: "good", colour: "text-dim", meaning: "Updating at its usual pace" },
  delayed: { dot: "late", colour: "text-warn", meaning: "No update for longer than usual" },
  stale: { dot: "old", colour: "text-ink", meaning: "Too old to rely on while the market is open" },
  closed: { dot: "off", colour: "text-dim", meaning: "The market is closed; this is the last price" },
};

/** The state of a quote: a shape, a word and a colour, never the colour alone. */
export function StateMark({ state, className = "" }: { state: QuoteState; className?: string }) {
  const { dot, colour, meaning } = LOOKS[state];
  return (
    <State look={dot} title={meaning} className={`text-xs12 ${colour} ${className}`}>
      {state}
    </State>
  );
}
