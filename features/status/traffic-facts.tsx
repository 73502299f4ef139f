import { Sparkline } from "@/components/shared/sparkline";
import type { StatusClass, Traffic } from "@/lib/access/usage/traffic";
import { formatDecimal } from "@/lib/text/number";

const RECENT_SECONDS = 5;

const classes: readonly (readonly [StatusClass, string])[] = [
  ["2xx", "answered"],
  ["3xx", "unchanged"],
  ["4xx", "refused"],
  ["5xx", "failed"],
];

/** How many calls there are, and how they end. */
export function TrafficFacts({ traffic: { seconds, statuses } }: { traffic: Traffic }) {
  const recent = seconds.slice(-RECENT_SECONDS);
  const perSecond = recent.reduce((sum, calls) => sum + calls, 0) / RECENT_SECONDS;
  const total = classes.reduce((sum, [name]) => sum + statuses[name], 0);
  return (
    <section aria-labelledby="traffic-title" className="traffic">
      <div>
        <h2 id="traffic-title">Requests a second</h2>
        <p className="traffic-rate">{formatDecimal(perSecond)}</p>
        <p className="traffic-note">Over {RECENT_SECONDS} seconds, with keys that are known</p>
      </div>
      <Sparkline values={seconds} label="Requests in each second of the last minute" />
      <dl className="traffic-classes">
        {classes.map(([name, word]) => (
          <div key={name} data-class={name} data-any={statuses[name] > 0 || undefined}>
            <dt>
              {name} {word}
            </dt>
            <dd>
              {formatDecimal(statuses[name])}
              {total > 0 && <span> {formatDecimal((100 * statuses[name]) / total)}%</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
