import { Link } from "@/components/ui/link";
import type { StrengthData } from "@/features/strength/types";

/** The pair that strength points to, and when the latest bar ended. */
export function StrengthFacts({ data: { timeMs, widestPair, timeframe } }: { data: StrengthData }) {
  if (timeMs === null) return null;
  const time = new Date(timeMs).toISOString();
  return (
    <p className="ml-auto flex flex-wrap gap-x-4 gap-y-0.5 text-xs13 text-dim max-md:order-2 max-md:ml-0">
      {widestPair !== null && (
        <span>
          Strongest against weakest: {widestPair.strongest} over {widestPair.weakest},{" "}
          <Link
            href={`/symbols/${widestPair.symbol}`}
            className="font-medium text-ink underline decoration-edge underline-offset-3 hover:decoration-ink"
          >
            {widestPair.side} {widestPair.symbol}
          </Link>
        </span>
      )}
      <span>
        Last {timeframe} bar ended{" "}
        <time dateTime={time} className="numerals">
          {time.slice(0, 16).replace("T", " ")}
        </time>{" "}
        UTC
      </span>
    </p>
  );
}
