"use client";

import { type FocusEvent, type KeyboardEvent, useState } from "react";

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
export function useGridKeys(firstKey: string) {
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
