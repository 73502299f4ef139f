/** Formats rows as aligned columns. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, [...cell].length)));
  const line = (row: readonly string[]) =>
    row.map((cell, at) => cell + " ".repeat((widths[at] ?? 0) - [...cell].length)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}
