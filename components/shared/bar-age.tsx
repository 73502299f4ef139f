import { Figure } from "@/components/ui/figure";
import { State } from "@/components/ui/state";
import type { BarState } from "@/lib/market/expected-bars";

const MEANINGS: Readonly<Record<Exclude<BarState, "current">, string>> = {
  short: "Made of the few bars that are stored so far: it changes once those before them are filled in",
  behind: "The newest bars are missing although the market was open",
  outdated: "Too old to rely on: many newer bars are missing although the market was open",
};

/** Up to when figures reach, in UTC, if their bar is not the newest that there can be; nothing if it is. */
export function BarAge({ state, closedMs, className = "" }: { state: BarState; closedMs: number; className?: string }) {
  if (state === "current") return null;
  const iso = new Date(closedMs).toISOString();
  const look = state === "outdated" ? "old" : "late";
  const colour = state === "outdated" ? "text-ink" : "text-warn";
  return (
    <State look={look} title={MEANINGS[state]} className={`text-xs12 whitespace-nowrap ${colour} ${className}`}>
      {state === "short" ? "few bars, as of" : "as of"}{" "}
      <Figure as="time" dateTime={iso}>
        {iso.slice(0, 16).replace("T", " ")}
      </Figure>
    </State>
  );
}
