import { type Column, Table } from "@/components/ui/table";

interface PriceTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => number;
}

/** A dense table of recorded prices, all in figures of equal width. */
export function PriceTable<Row>({ columns, ...rest }: PriceTableProps<Row>) {
  return (
    <Table
      look="dense"
      isCaptionShown
      captionClassName="pb-1.5 text-xs12 text-faint"
      cellClassName="border-t border-line px-2 tabular-nums first:pl-0 max-md:px-1 max-md:text-xs12"
      headingClassName=""
      columns={columns.map((column) => ({ ...column, cellClassName: "font-mono" }))}
      {...rest}
    />
  );
}
