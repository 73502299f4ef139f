import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import type { Bar } from "@/lib/market/bar";

/** The folder of expected values, beside the recorded market data; undefined, with a notice, if it does not exist. */
export function findGolden(): string | undefined {
  const data = findRealData();
  if (data === undefined) return undefined;
  const dir = join(data, "../golden");
  if (existsSync(dir)) return dir;
  process.stderr.write(`\n*** SKIPPED: no expected indicator values at ${dir} ***\n\n`);
  return undefined;
}

/** The rows of a CSV file with a header, by column. */
export function readCsv(path: string): Record<string, string>[] {
  const [header = "", ...lines] = readFileSync(path, "utf8").trim().split(/\r?\n/);
  const names = header.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ""]));
  });
}

/** Bars of a CSV file with columns for the time (ISO 8601), the four prices and the volume, in any case of letters. */
export function readBars(path: string): Bar[] {
  return readCsv(path).map((row) => {
    const lower = Object.fromEntries(Object.entries(row).map(([name, cell]) => [name.toLowerCase(), cell]));
    return {
      timeMs: Date.parse(lower.time ?? lower.date ?? ""),
      open: Number(lower.open),
      high: Number(lower.high),
      low: Number(lower.low),
      close: Number(lower.close),
      volume: Number(lower.volume ?? 0),
    };
  });
}
