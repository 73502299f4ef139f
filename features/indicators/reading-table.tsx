import { SignalMark } from "@/features/indicators/signal-mark";
import type { IndicatorSheet } from "@/features/indicators/types";

const titles: Readonly<Record<IndicatorSheet["groups"][number]["category"], string>> = {
  trend: "Trend",
  oscillator: "Oscillators",
  volatility: "Volatility",
  volume: "Volume",
};

/** The readings of one category. One that still warms up says how far it is. */
export function ReadingTable({ group, bars }: { group: IndicatorSheet["groups"][number]; bars: number }) {
  return (
    <table className="reading-table">
      <caption>{titles[group.category]}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Indicator</th>
          <th scope="col">Value</th>
          <th scope="col">Signal</th>
        </tr>
      </thead>
      <tbody>
        {group.lines.map(({ name, description, value, signal, warmUp }) => (
          <tr key={name}>
            <th scope="row" title={description}>
              {name}
            </th>
            {value === null ? (
              <td colSpan={2} className="reading-missing">
                {bars} of {warmUp} bars
              </td>
            ) : (
              <>
                <td className="numerals">{value}</td>
                <td>{signal === null ? <span className="sr-only">none</span> : <SignalMark signal={signal} />}</td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
