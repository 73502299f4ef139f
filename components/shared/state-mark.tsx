import type { QuoteState } from "@/lib/book/freshness";

const meanings: Readonly<Record<QuoteState, string>> = {
  live: "Updating at its usual pace",
  delayed: "Quiet for longer than usual",
  stale: "Too old to rely on while the market is open",
  closed: "The market is closed; this is the last price",
};

/** How far a price may be trusted: a shape, a word and a colour, never the colour alone. */
export function StateMark({ state }: { state: QuoteState }) {
  return (
    <span className="state-mark" data-state={state} title={meanings[state]}>
      <span aria-hidden className="state-dot" />
      {state}
    </span>
  );
}
