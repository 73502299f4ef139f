import { ScrollRegion } from "@/components/ui/table";
import { REFUSAL_WORDS } from "@/features/feeds/format";
import type { FeedRefusal } from "@/features/feeds/types";
import { formatCount } from "@/lib/text/text";

const CELL = "py-0.5 pr-4 text-left font-normal whitespace-nowrap";

/** The refused ticks of each reason, and the last of them as the source sent them. */
export function RefusedTicks({ refusals }: { refusals: readonly FeedRefusal[] }) {
  return (
    <ScrollRegion label="Refused ticks">
      <table className="w-full text-xs12 tabular-nums">
        <thead className="text-faint">
          <tr>
            {["Spelling", "Bid", "Ask", "Its time, UTC"].map((heading) => (
              <th key={heading} scope="col" className={CELL}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        {refusals.map(({ reason, count, samples }) => (
          <tbody key={reason}>
            <tr className="border-t border-line">
              <th scope="rowgroup" colSpan={4} className={`${CELL} pt-1.5 text-xs13`}>
                {REFUSAL_WORDS[reason]} <span className="text-dim">{formatCount(count)}</span>
              </th>
            </tr>
            {samples.map(({ spelling, bid, ask, timeMs }, index) => (
              <tr key={index} className="font-mono text-dim">
                <td className={`${CELL} max-w-48 truncate`} title={spelling}>
                  {spelling}
                </td>
                <td className={CELL}>{bid ?? "–"}</td>
                <td className={CELL}>{ask ?? "–"}</td>
                <td className={CELL}>{timeMs === null ? "–" : formatTime(timeMs)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </ScrollRegion>
  );
}

/** "2026-01-14 09:30:00.250". */
function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace("T", " ").replace("Z", "");
}
