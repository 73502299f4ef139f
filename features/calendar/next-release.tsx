import { useMarketTime } from "@/components/shared/market-clock";
import { Figure } from "@/components/ui/figure";
import { ImpactMark } from "@/features/calendar/impact-mark";
import type { PageEvent } from "@/features/calendar/types";
import { formatTimeLeft } from "@/lib/time/duration";

/** The next of the shown releases, and the time until it. */
export function NextRelease({ events }: { events: readonly PageEvent[] }) {
  const nextMs = useMarketTime((nowMs) => events.find((event) => isUpcoming(event, nowMs))?.timeMs ?? 0);
  const left = useMarketTime((nowMs) => formatTimeLeft(nextMs - nowMs));
  if (nextMs === 0) return null;
  const [first, ...others] = events.filter((event) => event.timeMs === nextMs && event.hasHour);
  if (first === undefined) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-t border-line bg-panel px-4 py-2 text-xs13 narrow:px-3 narrow:py-1.5">
      <span className="text-faint">Next</span>
      <ImpactMark impact={first.impact} />
      <span>
        <Figure>{first.currency}</Figure> {first.title}
        {others.length > 0 && <span className="text-faint"> and {others.length} more</span>}
      </span>
      <Figure
        role="timer"
        aria-live="off"
        aria-label="Time to the next release"
        className="ml-auto text-[0.9375rem] text-accent-ink"
      >
        {left}
      </Figure>
    </p>
  );
}

function isUpcoming({ timeMs, hasHour }: PageEvent, nowMs: number): boolean {
  return timeMs > nowMs && hasHour;
}
