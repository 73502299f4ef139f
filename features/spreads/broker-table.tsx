import { StateMark } from "@/components/shared/state-mark";
import { type Column, Table } from "@/components/ui/table";
import { getCurrentClass } from "@/features/spreads/spread-table";
import { formatMean, formatPips, formatSince } from "@/features/spreads/spread-text";
import type { SpreadDetailData } from "@/features/spreads/types";

type Source = SpreadDetailData["sources"][number];

const NUMBER = { isNumeric: true, cellClassName: "font-mono" } as const;

const getColumns = (nowMs: number): readonly Column<Source>[] => [
  {
    heading: "Source",
    cell: ({ source, sinceMs }) => (
      <>
        {source}
        {sinceMs !== null && (
          <span className="block text-2xs text-warn" title="Earlier quotes of this source are not recorded">
            {formatSince(sinceMs, nowMs)}
          </span>
        )}
      </>
    ),
  },
  { heading: "Now", isNumeric: true, cell: ({ current }) => formatPips(current), cellClassName: getCurrentClass },
  { heading: "Average", cell: ({ avg }) => formatMean(avg), ...NUMBER },
  { heading: "Lowest", cell: ({ min }) => formatPips(min), ...NUMBER },
  { heading: "Highest", cell: ({ max }) => formatPips(max), ...NUMBER },
  {
    heading: "State",
    isHeadingHidden: true,
    // On a phone only the dot is shown; its shape depends on the state.
    cell: ({ state }) =>
      state !== null && <StateMark state={state} className="max-md:text-[0px] in-data-offline:invisible" />,
  },
];

/** The spreads of one symbol by source. */
export function BrokerTable({ data: { symbol, sources, nowMs } }: { data: SpreadDetailData }) {
  return (
    <Table
      look="plain"
      caption={`Spreads of ${symbol} by source, tightest on average first`}
      cellClassName="border-b border-line pl-4 first:pl-0 max-md:pl-2"
      headingClassName="h-4 pb-1.5 text-xs12/4"
      rowProps={() => ({ className: "whitespace-nowrap [&>*]:h-8.5" })}
      columns={getColumns(nowMs)}
      rows={sources}
      getKey={({ source }) => source}
    />
  );
}
