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

/** The readings of one category. A reading without enough bars shows how many it needs. */
export function ReadingTable({ group, bars }: { group: Group; bars: number }) {
  return (
    <Table
      look="dense"
      caption={TITLES[group.category]}
      isCaptionShown
      captionClassName="pb-1.5 text-xs12 text-faint"
      areHeadingsHidden
      rowProps={() => ({ className: "border-t border-line" })}
      columns={getColumns(bars)}
      rows={group.lines}
      getKey={({ name }) => name}
    />
  );
}

function getColumns(bars: number): Column<ReadingLine>[] {
  return [
    { heading: "Indicator", cell: ({ name, description }) => <span title={description}>{name}</span> },
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
