import type { Impact } from "@/lib/calendar/event";

const bars = { low: 1, medium: 2, high: 3 } as const;

/** How much a release matters: as colour, and as one to three bars for those who do not see it. */
export function ImpactMark({ impact, withWord = false }: { impact: Impact; withWord?: boolean }) {
  const word = `${impact.charAt(0).toUpperCase()}${impact.slice(1)}`;
  return (
    <span className="impact-mark" data-impact={impact} title={withWord ? undefined : `${word} impact`}>
      <svg viewBox="0 0 14 12" width="14" height="12" aria-hidden>
        {[0, 1, 2].map((index) => (
          <rect
            key={index}
            x={index * 5}
            y={8 - index * 4}
            width="3.5"
            height={4 + index * 4}
            rx="0.75"
            className={index < bars[impact] ? "impact-bar" : "impact-bar-empty"}
          />
        ))}
      </svg>
      <span className={withWord ? "" : "sr-only"}>{word}</span>
    </span>
  );
}
