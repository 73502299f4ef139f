import type { LoadedLine, WireLine } from "@/features/quotes/types";

/** Encodes prices in points as steps from one to the next, which are short. */
export function encodeLine(startMs: number, points: readonly (number | null)[]): WireLine {
  let before = 0;
  const steps = points.map((point) => {
    if (point === null) return null;
    const step = point - before;
    before = point;
    return step;
  });
  return [startMs, steps];
}

/** Decodes a line into prices of `digits` decimals. */
export function decodeLine([startMs, steps]: WireLine, digits: number): LoadedLine {
  let point = 0;
  const scale = 10 ** digits;
  return { startMs, prices: steps.map((step) => (step === null ? null : (point += step) / scale)) };
}
