import type { DragEvent, KeyboardEvent } from "react";

/** Moves a row before another one, or to the end of its list. */
export type MoveRow = (symbol: string, before: string | null) => void;
export type StepRow = (symbol: string, step: -1 | 1) => void;

const TYPE = "application/x-spotline-symbol";
const readSymbol = (target: EventTarget) => (target as Element).closest<HTMLElement>("[data-symbol]");

/** Handlers of the board's body that move rows by dragging. One set serves all rows. */
export function createDragHandlers(onMove: MoveRow) {
  function mark(body: Element, row: HTMLElement | null, edge: "before" | "after" = "before"): void {
    const marked = body.querySelector<HTMLElement>("[data-drop]");
    if (marked !== row) delete marked?.dataset.drop;
    if (row !== null) row.dataset.drop = edge;
  }

  const isAfter = (row: HTMLElement, event: DragEvent) => {
    const { top, height } = row.getBoundingClientRect();
    return event.clientY > top + height / 2;
  };

  return {
    onDragStart(event: DragEvent): void {
      const symbol = readSymbol(event.target)?.dataset.symbol;
      if (symbol === undefined) return;
      event.dataTransfer.setData(TYPE, symbol);
      event.dataTransfer.setData("text/plain", symbol);
      event.dataTransfer.effectAllowed = "move";
    },
    onDragOver(event: DragEvent): void {
      if (!event.dataTransfer.types.includes(TYPE)) return;
      event.preventDefault();
      const row = readSymbol(event.target);
      mark(event.currentTarget, row, row !== null && isAfter(row, event) ? "after" : "before");
    },
    onDrop(event: DragEvent): void {
      const [symbol, row] = [event.dataTransfer.getData(TYPE), readSymbol(event.target)];
      mark(event.currentTarget, null);
      if (symbol === "" || row === null) return;
      event.preventDefault();
      const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-symbol]")];
      const target = isAfter(row, event) ? rows[rows.indexOf(row) + 1] : row;
      onMove(symbol, target?.dataset.symbol ?? null);
    },
    onDragEnd: (event: DragEvent) => mark(event.currentTarget, null),
    onDragLeave(event: DragEvent): void {
      if (event.target === event.currentTarget) mark(event.currentTarget, null);
    },
  };
}

/**
 * Moves the focus from one row's button to the next with the arrow keys, or j and k. With Alt, arrow keys move the row
 * itself, if `onStep` is given.
 */
export function handleRowKey(event: KeyboardEvent<HTMLElement>, onStep: StepRow | null): void {
  const step = getStep(event.key);
  if (step === null || event.ctrlKey || event.metaKey) return;
  const row = readSymbol(event.target);
  const symbol = row?.dataset.symbol;
  if (row === null || symbol === undefined) return;
  if (event.altKey) {
    if (onStep === null || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    onStep(symbol, step);
    return;
  }
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-symbol]")];
  const next = rows[rows.indexOf(row) + step]?.querySelector<HTMLElement>("[data-row-button]");
  if (next == null) return;
  event.preventDefault();
  next.focus();
}

function getStep(key: string): -1 | 1 | null {
  if (key === "ArrowDown" || key === "j") return 1;
  return key === "ArrowUp" || key === "k" ? -1 : null;
}
