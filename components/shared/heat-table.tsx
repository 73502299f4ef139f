"use client";

import { type FocusEvent, type KeyboardEvent, type ReactNode, useState } from "react";
import { Link } from "@/components/ui/link";

interface HeatCell {
  readonly text: string;
  /** From −1 to 1 by its sign in red and green; with `tone` "one", from 0 to 1 in one colour. Null for no colour. */
  readonly heat: number | null;
  /** What the cell says to screen readers and as its tooltip. */
  readonly label: string;
  readonly href?: string;
}

interface HeatTableProps {
  caption: string;
  tone?: "two" | "one";
  /** The heading above the row headings. */
  corner?: ReactNode;
  columns: readonly { readonly key: string; readonly head: ReactNode }[];
  rows: readonly { readonly key: string; readonly head: ReactNode; readonly cells: readonly (HeatCell | null)[] }[];
  /** Classes of every row, such as its height. */
  rowClassName?: string;
  /** Classes of the column of row headings. */
  headClassName?: string;
}

/** A table whose cells are coloured by their values. Arrow keys move between its links. */
export function HeatTable(props: HeatTableProps) {
  const { caption, tone = "two", corner, columns, rows, rowClassName = "h-9", headClassName = "w-12" } = props;
  const first = rows.findIndex(({ cells }) => cells.some((cell) => cell?.href !== undefined));
  const place = rows[first]?.cells.findIndex((cell) => cell?.href !== undefined) ?? 0;
  const { grid, getTabIndex } = useGridKeys(`${first},${place}`);
  return (
    <table className="w-full table-fixed border-separate border-spacing-0.5 text-xs12 max-md:text-2xs" {...grid}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="h-7">
          <th scope="col" className={`text-left font-normal text-faint ${headClassName}`}>
            {corner ?? <span className="sr-only">Row</span>}
          </th>
          {columns.map(({ key, head }) => (
            <th key={key} scope="col" className="text-center font-normal text-dim">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, head, cells }, row) => (
          <tr key={key} className={rowClassName}>
            <th scope="row" className="text-left font-medium whitespace-nowrap">
              {head}
            </th>
            {cells.map((cell, column) => (
              <Cell
                key={columns[column]?.key}
                cell={cell}
                tone={tone}
                place={`${row},${column}`}
                tabIndex={getTabIndex(`${row},${column}`)}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps {
  cell: HeatCell | null;
  tone: "two" | "one";
  place: string;
  tabIndex: number;
}

/** Positioned, so that the text for screen readers stays within a region that scrolls. */
const BOX = "relative grid size-full min-h-6 place-items-center rounded-[2px] font-mono tabular-nums slashed-zero";

function Cell({ cell, tone, place, tabIndex }: CellProps) {
  if (cell === null) return <td className="bg-hover/50" />;
  const { text, heat, label, href } = cell;
  const style = { background: heat === null ? "var(--hover)" : getHeatColour(heat, tone) };
  return (
    <td className="p-0">
      {href === undefined ? (
        <span title={label} className={BOX} style={style}>
          <span translate="no" aria-hidden>
            {text}
          </span>
          <span className="sr-only">{label}</span>
        </span>
      ) : (
        <Link
          href={href}
          data-cell={place}
          translate="no"
          tabIndex={tabIndex}
          aria-label={label}
          title={label}
          className={`${BOX} hover:outline-1 hover:outline-ink focus-visible:z-1`}
          style={style}
        >
          {text}
        </Link>
      )}
    </td>
  );
}

/** The strongest colour is still a background on which text can be read. */
const MOST_PERCENT = 46;
const LEAST_PERCENT = 4;

/** The background of a value, as CSS. */
function getHeatColour(heat: number, tone: "two" | "one"): string {
  const size = Math.min(1, Math.abs(heat));
  const percent = LEAST_PERCENT + size * (MOST_PERCENT - LEAST_PERCENT);
  const colour = tone === "one" ? "--accent" : heat < 0 ? "--down" : "--up";
  return `color-mix(in oklab, var(${colour}) ${percent.toFixed(1)}%, var(--panel))`;
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * Makes the links of a table one stop of the Tab key, between which the arrow keys move: spread `grid` on the table, and
 * give the link at a place `data-cell={key}` and `tabIndex={getTabIndex(key)}`. Keys are "row,column"; places without a
 * link are skipped.
 */
function useGridKeys(firstKey: string) {
  const [current, setCurrent] = useState(firstKey);

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const step = STEPS[event.key];
    const key = (event.target as HTMLElement).dataset.cell;
    if (step === undefined || key === undefined) return;
    const [rows, columns] = step;
    const links = new Map(
      Array.from(event.currentTarget.querySelectorAll<HTMLElement>("[data-cell]"), (link) => [link.dataset.cell, link]),
    );
    let [row = 0, column = 0] = key.split(",").map(Number);
    event.preventDefault();
    // A table has at most two places without a link in a line.
    for (let tries = 0; tries < 3; tries++) {
      row += rows;
      column += columns;
      const next = links.get(`${row},${column}`);
      if (next !== undefined) return next.focus();
    }
  }

  function onFocus(event: FocusEvent<HTMLElement>): void {
    const key = (event.target as HTMLElement).dataset.cell;
    if (key !== undefined) setCurrent(key);
  }

  return { grid: { onKeyDown, onFocus }, getTabIndex: (key: string) => (key === current ? 0 : -1) };
}
