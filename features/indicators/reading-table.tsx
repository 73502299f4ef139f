import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { SignalMark } from "@/features/indicators/signal-mark";
import type { IndicatorData, ReadingLine } from "@/features/indicators/types";

type Group = IndicatorData["groups"][number];

const TITLES: Readonly<Record<Group["category"], string>> = {
  trend: "Trend",
  oscillator: "Oscillators",
  volatility: "Volatility",
  volume: "Volume",
};

/** The readings of one category, each with a link to its line on the chart. A reading without enough bars shows how many it needs. */
export function ReadingTable({ group, data }: { group: Group; data: IndicatorData }) {
  return (
    <Table
      look="dense"
      caption={TITLES[group.category]}
      isCaptionShown
      captionClassName="pb-1.5 text-xs12 text-faint"
      areHeadingsHidden
      rowProps={() => ({ className: "border-t border-line" })}
      columns={getColumns(data)}
      rows={group.lines}
      getKey={({ name }) => name}
    />
  );
}

function getColumns({ symbol, timeframe, bars }: IndicatorData): Column<ReadingLine>[] {
  return [
    {
      heading: "Indicator",
      cell: ({ name, description }) => (
        <Link
          href={`/symbols/${symbol}?timeframe=${timeframe}&indicators=${name}`}
          title={`${description}. Opens the chart.`}
          className="underline-offset-[3px] hover:underline"
        >
          {name}
        </Link>
      ),
    },
    {
      heading: "Value",
      cell: ({ value }) => <span className="numerals">{value}</span>,
      isNumeric: true,
    },
    {
      heading: "Signal",
      cell: ({ value, signal, warmUp }) => {
        if (value === null) {
          return (
            <span className="block text-right text-faint">
              {bars} of {warmUp} bars
            </span>
          );
        }
        return signal === null ? <span className="sr-only">none</span> : <SignalMark signal={signal} />;
      },
      cellClassName: "w-29 pl-5",
    },
  ];
}
