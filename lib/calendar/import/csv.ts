import type { ImportRow } from "@/lib/calendar/import/rows";

/**
 * Reads CSV as RFC 4180 writes it: quotes around cells that hold commas, quotes or line ends, quotes doubled inside.
 * The first line names the fields; names are taken in lower case. Throws an Error for a quote that never ends.
 */
export function readCsv(text: string): ImportRow[] {
  const [head = [], ...lines] = splitCsv(text.replace(/^\ufeff/, ""));
  const names = head.map((name) => name.trim().toLowerCase());
  return lines
    .filter((cells) => cells.some((cell) => cell.trim() !== ""))
    .map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""])));
}

function splitCsv(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) throw new Error(`Line ${lines.length + 1} has a quote that is not closed.`);
    const [, quoted, plain = "", end] = match;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") {
      // A comma at the very end leaves one empty cell.
      if (cell.lastIndex === text.length) cells.push("");
      continue;
    }
    lines.push(cells);
    cells = [];
  }
  if (cells.length > 0) lines.push(cells);
  return lines;
}
