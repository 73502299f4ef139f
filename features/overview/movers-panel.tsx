import { NothingHere, Part, SymbolLink } from "@/features/overview/part";
import type { MarketSummary, Mover } from "@/features/overview/types";

/** The symbols whose price has changed most since 17:00 in New York. */
export function MoversPanel({ market: { rising, falling, moving } }: { market: MarketSummary }) {
  const most = Math.max(...[...rising, ...falling].map(({ percent }) => Math.abs(percent)));
  return (
    <Part id="overview-movers" title="Movers" href="/quotes?sort=-percent" note="since 17:00 New York">
      {rising.length + falling.length === 0 ? (
        <NothingHere>
          {moving === 0
            ? "No price is live now: the markets are closed, or no source is connected."
            : "No price has changed since 17:00 in New York, or the day’s first prices are not recorded yet."}
        </NothingHere>
      ) : (
        <div className="grid grid-cols-2 gap-x-4 max-md:grid-cols-1">
          <MoverTable caption="Rising" movers={rising} most={most} />
          <MoverTable caption="Falling" movers={falling} most={most} />
        </div>
      )}
    </Part>
  );
}

interface MoverTableProps {
  caption: string;
  movers: readonly Mover[];
  /** The largest change of all, in percent: the length of a full bar. */
  most: number;
}

function MoverTable({ caption, movers, most }: MoverTableProps) {
  return (
    <table className="w-full table-fixed self-start text-xs13">
      <caption className="pb-0.5 text-left text-xs12 text-faint">{caption}</caption>
      <colgroup>
        <col />
        <col className="w-18" />
        <col className="w-17" />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col">Symbol</th>
          <th scope="col">Bid</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {movers.map(({ symbol, bid, percent }) => (
          <tr key={symbol} className="h-7.5">
            <th scope="row" className="truncate text-left font-normal">
              <SymbolLink symbol={symbol} />
            </th>
            <td className="numerals text-right text-dim">{bid}</td>
            <td className="pl-2">
              <span className={`numerals block text-right whitespace-nowrap ${percent > 0 ? "text-up" : "text-down"}`}>
                {percent > 0 ? "+" : "−"}
                {Math.abs(percent).toFixed(2)} %
              </span>
              <span aria-hidden className="flex h-[3px] justify-end rounded-sm bg-hover">
                <span
                  className={`block rounded-sm ${percent > 0 ? "bg-up" : "bg-down"}`}
                  style={{ inlineSize: `${(Math.abs(percent) / most) * 100}%` }}
                />
              </span>
            </td>
          </tr>
        ))}
        {movers.length === 0 && (
          <tr className="h-8">
            <td colSpan={3} className="text-dim">
              None
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
