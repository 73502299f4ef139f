import type { PageEvent } from "@/features/calendar/types";

/** A figure of an event. On a phone its column has no heading, so the label is beside it. */
export function Figure({ label, text }: { label: string; text: string }) {
  if (text === "") return null;
  return (
    <>
      <span className="hidden font-sans text-faint max-md:inline" aria-hidden>
        {label}{" "}
      </span>
      {text}
    </>
  );
}

const MARKS = { beat: "▲", miss: "▼", "in line": "=" } as const;

export function getOutcomeColour(outcome: PageEvent["outcome"]): string {
  if (outcome === "beat") return "text-up";
  return outcome === "miss" ? "text-down" : "text-ink";
}

/** Whether the figure is better or worse for the currency than forecast: a sign beside the colour. */
export function OutcomeMark({ outcome }: { outcome: keyof typeof MARKS }) {
  const words =
    outcome === "in line" ? "as expected" : outcome === "beat" ? "better than expected" : "worse than expected";
  return (
    <span className="text-xs11" title={words}>
      <span aria-hidden> {MARKS[outcome]}</span>
      <span className="sr-only"> {words}</span>
    </span>
  );
}
