import { type DotLook, State } from "@/components/ui/state";
import type { FeedCondition } from "@/features/feeds/types";

const LOOKS: Readonly<Record<FeedCondition, { readonly dot: DotLook; readonly colour: string }>> = {
  ok: { dot: "good", colour: "text-up" },
  check: { dot: "warning", colour: "text-warn" },
  slow: { dot: "late", colour: "text-warn" },
  down: { dot: "failed", colour: "text-down" },
  closed: { dot: "off", colour: "text-dim" },
  paused: { dot: "off", colour: "text-dim" },
  pausing: { dot: "waiting", colour: "text-dim" },
  resuming: { dot: "waiting", colour: "text-dim" },
};

/** The state of a source: green only where everything holds. */
export function Condition({ condition }: { condition: FeedCondition }) {
  const { dot, colour } = LOOKS[condition];
  return (
    <State look={dot} className={`whitespace-nowrap ${colour}`}>
      {condition}
    </State>
  );
}

/** The colour of what is wrong with a source. */
export function getConcernColour(condition: FeedCondition): string {
  return condition === "down" ? "text-down" : condition === "check" || condition === "slow" ? "text-warn" : "text-dim";
}
