import { Sparkline } from "@/components/shared/sparkline";
import type { StatusClass, Traffic } from "@/lib/access/usage/traffic";
import { formatDecimal } from "@/lib/text/text";

const RECENT_SECONDS = 5;

const CLASSES: readonly (readonly [name: StatusClass, word: string, colour: string])[] = [
  ["2xx", "answered", ""],
  ["3xx", "unchanged", ""],
  ["4xx", "refused", "text-warn"],
  ["5xx", "failed", "text-down"],
];

/** The rate of calls, and their statuses. */
export function TrafficFacts({ traffic: { seconds, statuses } }: { traffic: Traffic }) {
  const recent = seconds.slice(-RECENT_SECONDS);
  const perSecond = recent.reduce((sum, calls) => sum + calls, 0) / RECENT_SECONDS;
  const total = CLASSES.reduce((sum, [name]) => sum + statuses[name], 0);
  return (
    <section
      aria-labelledby="traffic-title"
      className="grid grid-cols-[auto_minmax(12rem,1fr)_auto] items-end gap-x-10 gap-y-4 border-y border-line p-4 max-lg:grid-cols-1 max-lg:gap-3"
    >
      <div>
        <h2 id="traffic-title" className="text-xs12 text-faint">
          Requests per second
        </h2>
        <p className="text-[1.75rem]/9 tabular-nums">{formatDecimal(perSecond)}</p>
        <p className="text-xs12 text-faint">Average of {RECENT_SECONDS} seconds, calls with a known key</p>
      </div>
      <Sparkline values={seconds} label="Requests in each second of the last minute" />
      <dl className="grid grid-cols-[repeat(4,auto)] gap-x-6 gap-y-2 tabular-nums max-lg:grid-cols-[repeat(auto-fit,minmax(7rem,1fr))]">
        {CLASSES.map(([name, word, colour]) => (
          <div key={name}>
            <dt className="text-xs12 whitespace-nowrap text-faint">
              {name} {word}
            </dt>
            <dd className={statuses[name] > 0 ? colour : ""}>
              {formatDecimal(statuses[name])}
              {total > 0 && (
                <span className="text-xs12 text-faint"> {formatDecimal((100 * statuses[name]) / total)}%</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
