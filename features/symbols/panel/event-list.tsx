import { useMarketTime } from "@/components/shared/market-clock";
import { useZone } from "@/components/shared/zone-context";
import { PanelPart } from "@/features/symbols/panel/panel-part";
import type { ChartEvent } from "@/features/symbols/types";
import { formatPlansWith } from "@/lib/access/plan-text";
import { formatTimeLeft } from "@/lib/time/duration";
import { DAY_MS } from "@/lib/time/units";

const IMPACT_COLOURS = { high: "bg-down", medium: "bg-warn", low: "bg-faint" } as const;

/** The next events of the symbol's currencies. `events` is null if the plan does not include them. */
export function EventList({ events }: { events: readonly ChartEvent[] | null }) {
  return (
    <PanelPart id="events-title" title="Next events" href="/calendar" linkText="Calendar">
      {events === null && <p className="text-xs13 text-dim">Events are included in {formatPlansWith("calendar")}.</p>}
      {events?.length === 0 && <p className="text-xs13 text-dim">Nothing in the next seven days.</p>}
      {events !== null && events.length > 0 && (
        <ul className="grid gap-1.5 text-xs13">
          {events.map(({ id, timeMs, currency, title, impact, forecast }) => (
            <li key={id} className="grid grid-cols-[auto_2.25rem_minmax(0,1fr)_auto] items-baseline gap-x-2">
              <span
                role="img"
                aria-label={`${impact} impact`}
                title={`${impact} impact`}
                className={`size-2 rounded-full ${IMPACT_COLOURS[impact]}`}
              />
              <span className="numerals text-dim">{currency}</span>
              <span className="min-w-0">
                {title}
                {forecast !== "" && <span className="text-xs12 text-faint"> · forecast {forecast}</span>}
              </span>
              <EventTime timeMs={timeMs} />
            </li>
          ))}
        </ul>
      )}
    </PanelPart>
  );
}

/** The countdown to an event of the next day, the weekday and time of a later one. */
function EventTime({ timeMs }: { timeMs: number }) {
  const zone = useZone();
  const write = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit", ...options }).format(timeMs);
  const text = useMarketTime((nowMs) =>
    timeMs - nowMs < DAY_MS
      ? `in ${formatTimeLeft(Math.max(0, timeMs - nowMs))}`
      : write({ weekday: "short" }).replace(",", ""),
  );
  return (
    <time
      dateTime={new Date(timeMs).toISOString()}
      title={`${write({ day: "numeric", month: "short", year: "numeric" })} ${zone}`}
      className="numerals text-xs12 text-dim"
    >
      {text}
    </time>
  );
}
