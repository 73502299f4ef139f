import { Meter } from "@/features/usage/meter";
import type { OpenMinute } from "@/lib/access/admission/counters";
import { NO_LIMIT } from "@/lib/access/plans";
import { formatCount } from "@/lib/text/number";

export interface MinuteLine extends OpenMinute {
  readonly label: string;
  /** The last characters of the key. */
  readonly last4: string;
}

/** The minute windows that are open, key by key. */
export function MinuteList({ minutes }: { minutes: readonly MinuteLine[] }) {
  if (minutes.length === 0) return <p className="limit-outlook">No key has called within the last minute.</p>;
  return (
    <ul className="limit-minutes">
      {minutes.map(({ keyId, label, last4, used, limit, resetSeconds }) => {
        const isTight = limit !== NO_LIMIT && used >= limit;
        return (
          <li key={keyId}>
            <p className="limit-key">
              <span>{label}</span> <span>…{last4}</span>
              <span className="numerals">
                {formatCount(used)}
                {limit !== NO_LIMIT && ` of ${formatCount(limit)}`}
              </span>
            </p>
            <Meter label={`${label} …${last4}: calls used this minute`} used={used} limit={limit} isTight={isTight} />
            <p className="limit-outlook" data-tight={isTight || undefined}>
              {isTight ? "Used up: calls are refused for" : "A new window in"} {resetSeconds} s
            </p>
          </li>
        );
      })}
    </ul>
  );
}
