import { getForecastClass } from "@/features/usage/day-quota";
import { Meter } from "@/features/usage/meter";
import type { MinuteLine } from "@/features/usage/types";
import { NO_LIMIT } from "@/lib/access/plans";
import { formatCount } from "@/lib/text/text";

/** The open minute windows by key. */
export function MinuteList({ minutes }: { minutes: readonly MinuteLine[] }) {
  if (minutes.length === 0) return <p className={getForecastClass(false)}>No calls in the last minute.</p>;
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-2 pt-1.5 text-xs13">
      {minutes.map(({ keyId, label, last4, used, limit, resetSeconds }) => {
        const isTight = limit !== NO_LIMIT && used >= limit;
        return (
          <li key={keyId}>
            <p className="flex gap-1 whitespace-nowrap">
              <span className="overflow-hidden text-ellipsis">{label}</span> <span>…{last4}</span>
              <span className="numerals ml-auto pl-3">
                {formatCount(used)}
                {limit !== NO_LIMIT && ` of ${formatCount(limit)}`}
              </span>
            </p>
            <Meter label={`${label} …${last4}: calls used this minute`} used={used} limit={limit} isTight={isTight} />
            <p className={getForecastClass(isTight)}>
              {isTight ? "Used up. Calls are refused for" : "Resets in"} {resetSeconds} s
            </p>
          </li>
        );
      })}
    </ul>
  );
}
