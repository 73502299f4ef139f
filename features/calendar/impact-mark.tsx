import type { Impact } from "@/lib/calendar/event";

const LOOKS = {
  low: { bars: 1, colour: "fill-accent-ink" },
  medium: { bars: 2, colour: "fill-warn" },
  high: { bars: 3, colour: "fill-down" },
} as const;

/** The impact of a release: a colour, and one to three bars. */
export function ImpactMark({ impact, withWord = false }: { impact: Impact; withWord?: boolean }) {
  const { bars, colour } = LOOKS[impact];
  const word = `${impact.charAt(0).toUpperCase()}${impact.slice(1)}`;
  return (
    <span
      className="inline-flex items-center gap-1.5"
      data-impact={impact}
      title={withWord ? undefined : `${word} impact`}
    >
      <svg viewBox="0 0 14 12" width="14" height="12" aria-hidden>
        {[0, 1, 2].map((index) => (
          <rect
            key={index}
            x={index * 5}
            y={8 - index * 4}
            width="3.5"
            height={4 + index * 4}
            rx="0.75"
            className={index < bars ? colour : "fill-line"}
          />
        ))}
      </svg>
      <span className={withWord ? "" : "sr-only"}>{word}</span>
    </span>
  );
}
