import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import type { Bar } from "@/lib/market/bar";
import { HOUR_MS } from "@/lib/time/units";

/**
 * Bars of an invented market, always the same for the same seed: prices on a grid of `digits` decimals, with some
 * periods without movement, in which indicators differ most.
 */
export function generateBars(count: number, options: { seed: number; digits: number; price: number }): Bar[] {
  const random = generator(options.seed);
  const scale = 10 ** options.digits;
  let price = Math.round(options.price * scale);
  let frozen = 0;
  return Array.from({ length: count }, (_, i) => {
    if (frozen > 0) frozen -= 1;
    else if (random() < 0.01) frozen = 1 + Math.floor(random() * 40);
    const reach = frozen > 0 ? 0 : 100;
    const open = price;
    const close = open + Math.round((random() - 0.5) * reach);
    const high = Math.max(open, close) + Math.floor(random() * reach * 0.4);
    const low = Math.min(open, close) - Math.floor(random() * reach * 0.4);
    price = close;
    const [o, h, l, c] = [open, high, low, close].map((points) => points / scale) as [number, number, number, number];
    return { timeMs: i * HOUR_MS, open: o, high: h, low: l, close: c, volume: Math.floor(random() * 4000) };
  });
}

/** Bars that are all the same. */
export function flatBars(count: number, price: number, volume = 100): Bar[] {
  return Array.from({ length: count }, (_, i) => ({
    timeMs: i * HOUR_MS,
    open: price,
    high: price,
    low: price,
    close: price,
    volume,
  }));
}

/** Any series of up to `maxLength` bars, calm or wild. */
export function anyBars(maxLength: number): fc.Arbitrary<Bar[]> {
  const points = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 }));
  const bar = fc.tuple(fc.integer({ min: 1000, max: 1400 }), points, points, points, fc.nat(5000));
  const series = fc.array(bar, { minLength: 1, maxLength });
  return series.map((rows) =>
    rows.map(([low, a, b, c, volume], i) => ({
      timeMs: i * 60_000,
      open: (low + Math.min(a, c)) / 1000,
      high: (low + Math.max(a, b, c)) / 1000,
      low: low / 1000,
      close: (low + Math.min(b, c)) / 1000,
      volume,
    })),
  );
}

/** Park and Miller's generator of numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return (state - 1) / 2147483646;
  };
}

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
