import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { isWordless } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";

/** One column of a table, defined once for its heading, its cells and its label on a phone. */
export interface Column<Row> {
  /** Unique within the table. */
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** Tooltip of the heading. */
  readonly tip?: string;
  /** Where the heading leads, to sort the rows by this column. */
  readonly sortHref?: string;
  /** Whether the rows are sorted by this column. */
  readonly isSorted?: boolean;
  /** Whether sorting by this column puts the highest first. */
  readonly isDescending?: boolean;
  /** A small line below the heading. */
  readonly note?: string | undefined;
  /** Right-aligned, with figures of equal width. */
  readonly isNumeric?: boolean;
  /** Codes, times or other figures, which a browser must not translate. Numbers are such figures. */
  readonly isFigure?: boolean;
  /** Leaves the heading to screen readers. */
  readonly isHeadingHidden?: boolean;
  /** Classes of the heading and of every cell. */
  readonly className?: string;
  /** Classes of the body's cells alone. */
  readonly cellClassName?: string | ((row: Row) => string);
  /** Classes of the heading alone. */
  readonly headingClassName?: string;
}

interface TableProps<Row> {
  caption: string;
  isCaptionShown?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string | number;
  /**
   * "cards": a row becomes a card below 75rem. "lines", "dense": one line a row. "text": wrapped text. "plain": no
   * height.
   */
  look?: TableLook;
  /** Whether the first column names its row. */
  hasRowHeadings?: boolean;
  rowProps?: (row: Row) => RowProps;
  className?: string;
  /** Classes of every heading and every cell. */
  cellClassName?: string;
  /** Classes of every heading; replaces its size. */
  headingClassName?: string;
  /** Leaves all headings to screen readers. */
  areHeadingsHidden?: boolean;
  captionClassName?: string;
  /** Shown in place of the rows if there are none. */
  empty?: ReactNode;
  foot?: ReactNode;
}

interface RowProps {
  readonly className?: string | undefined;
  readonly [attribute: `data-${string}`]: string | boolean | undefined;
}

interface LookClasses {
  readonly table: string;
  readonly head: string;
  readonly body: string;
  readonly row: string;
  readonly heading: string;
  readonly cell: string;
  readonly rowHeading: string;
  readonly numeric: string;
}

const PLAIN: LookClasses = {
  table: "",
  head: "",
  body: "",
  row: "",
  heading: "font-normal text-faint whitespace-nowrap",
  cell: "font-normal",
  rowHeading: "",
  numeric: "tabular-nums",
};

const LOOKS = {
  plain: PLAIN,
  text: { ...PLAIN, cell: "font-normal align-top" },
  lines: { ...PLAIN, heading: `h-7.5 ${PLAIN.heading}`, cell: "h-8.5 font-normal whitespace-nowrap" },
  dense: { ...PLAIN, heading: `h-7 ${PLAIN.heading}`, cell: "h-7 font-normal whitespace-nowrap" },
  cards: {
    table: "max-wide:block",
    head: "max-wide:sr-only",
    body: "max-wide:block",
    row: "hover:bg-hover max-wide:grid max-wide:grid-cols-2 max-wide:gap-x-4 max-wide:gap-y-2.5 max-wide:border-b max-wide:border-line max-wide:px-4 max-md:px-3 max-wide:pt-3.5 max-wide:pb-4 max-wide:first:border-t md:max-wide:grid-cols-4",
    heading: `h-7.5 border-y border-line pr-4 first:pl-4 ${PLAIN.heading}`,
    cell: "font-normal wide:h-11 wide:border-b wide:border-line wide:py-1.5 wide:pr-4 wide:first:pl-4 max-wide:data-label:before:block max-wide:data-label:before:text-xs12 max-wide:data-label:before:text-faint max-wide:data-label:before:content-[attr(data-label)]",
    rowHeading: "max-wide:col-span-full max-wide:row-start-1 max-wide:self-center max-wide:text-sm",
    numeric: "tabular-nums wide:pr-10",
  },
} as const satisfies Readonly<Record<string, LookClasses>>;

type TableLook = keyof typeof LOOKS;

/** The name of the column of buttons at the end of each row. A card shows them in its upper right corner. */
const ACTIONS = "Actions";

/** Creates the column of actions on a row. */
export function createActionsColumn<Row>(cell: (row: Row) => ReactNode): Column<Row> {
  return {
    heading: ACTIONS,
    cell,
    isHeadingHidden: true,
    cellClassName: "text-right max-wide:row-start-1 max-wide:col-start-2 md:max-wide:col-start-4",
  };
}

/** A table of data. It renders on the server and needs no script. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, isCaptionShown = false, columns, rows, look = "lines", className = "w-full text-xs13" } = props;
  const classes = LOOKS[look];
  const captionClass = isCaptionShown ? `text-left ${props.captionClassName ?? ""}` : "sr-only";
  return (
    <table className={`${className} ${classes.table}`}>
      <caption className={captionClass}>{caption}</caption>
      <thead className={props.areHeadingsHidden ? "sr-only" : classes.head}>
        <tr>
          {columns.map((column) => (
            <Heading
              key={column.heading}
              column={column}
              look={look}
              className={`${props.cellClassName ?? ""} ${props.headingClassName ?? "text-xs12"}`}
            />
          ))}
        </tr>
      </thead>
      <tbody className={classes.body}>
        {rows.map((row) => (
          <BodyRow key={props.getKey(row)} row={row} {...props} />
        ))}
        {rows.length === 0 && props.empty !== undefined && (
          <tr>
            <td colSpan={columns.length} className={`${classes.cell} text-dim ${props.cellClassName ?? ""}`}>
              {props.empty}
            </td>
          </tr>
        )}
      </tbody>
      {props.foot}
    </table>
  );
}

interface HeadingProps<Row> {
  column: Column<Row>;
  look: TableLook;
  className: string;
}

function Heading<Row>({ column, look, className }: HeadingProps<Row>) {
  const own = `${column.className ?? ""} ${column.headingClassName ?? ""}`;
  return (
    <th
      scope="col"
      title={column.tip}
      aria-sort={column.isSorted ? (column.isDescending ? "descending" : "ascending") : undefined}
      className={`${LOOKS[look].heading} ${getAlignment(column, look)} ${className} ${own}`}
    >
      {column.sortHref !== undefined ? (
        <SortLink column={column} href={column.sortHref} />
      ) : column.isHeadingHidden ? (
        <span className="sr-only">{column.heading}</span>
      ) : (
        column.heading
      )}
      {column.note !== undefined && <span className="block text-2xs font-normal">{column.note}</span>}
    </th>
  );
}

function SortLink<Row>({ column, href }: { column: Column<Row>; href: string }) {
  return (
    <Link
      href={href}
      scroll={false}
      className={`inline-flex h-7 items-center gap-0.5 hover:text-ink ${column.isSorted ? "text-ink" : ""}`}
    >
      {column.isSorted &&
        (column.isDescending ? <ArrowDown aria-hidden size={11} /> : <ArrowUp aria-hidden size={11} />)}
      {column.heading}
    </Link>
  );
}

function BodyRow<Row>({ row, columns, look = "lines", ...props }: TableProps<Row> & { row: Row }) {
  const { hasRowHeadings = true, cellClassName = "" } = props;
  const { className: rowClass = "", ...data } = props.rowProps?.(row) ?? {};
  const classes = LOOKS[look];
  const hasActions = columns.some(({ heading }) => heading === ACTIONS);
  return (
    <tr className={`${classes.row} ${rowClass}`} {...data}>
      {columns.map((column, index) => {
        const own = typeof column.cellClassName === "function" ? column.cellClassName(row) : column.cellClassName;
        const content = column.cell(row);
        const translate = column.isFigure || column.isNumeric || isWordless(content) ? "no" : undefined;
        const cell = `${classes.cell} ${getAlignment(column, look)} ${column.isFigure ? "numerals" : ""} ${cellClassName} ${column.className ?? ""} ${own ?? ""}`;
        if (index === 0 && hasRowHeadings) {
          const room = look === "cards" && hasActions ? "max-wide:pr-24" : "";
          return (
            <th
              key={column.heading}
              scope="row"
              translate={translate}
              className={`${cell} ${classes.rowHeading} ${room}`}
            >
              {content}
            </th>
          );
        }
        const label = look === "cards" && column.heading !== ACTIONS ? column.heading : undefined;
        return (
          <td key={column.heading} data-label={label} translate={translate} className={cell}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}

function getAlignment<Row>({ isNumeric, heading }: Column<Row>, look: TableLook): string {
  if (heading === ACTIONS) return "";
  if (!isNumeric) return "text-left";
  return `${look === "cards" ? "text-left wide:text-right" : "text-right"} ${LOOKS[look].numeric}`;
}

interface ScrollRegionProps {
  /** The accessible name. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** Scrolls content that is wider than the page. It can be focused and scrolled with the keyboard. */
export function ScrollRegion({ label, className = "", children }: ScrollRegionProps) {
  return (
    <div role="region" aria-label={label} tabIndex={0} className={`overflow-x-auto ${className}`}>
      {children}
    </div>
  );
}
