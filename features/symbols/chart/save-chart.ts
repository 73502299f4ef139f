import type { BarStore } from "@/features/symbols/bars/bar-store";
import type { ViewRange } from "@/features/symbols/chart/view-range";
import { formatTime } from "@/lib/time/iso-time";

const HEADER_HEIGHT = 30;

/** Saves a picture of the chart below a line of text. */
export function savePicture(
  chart: HTMLCanvasElement,
  look: { title: string; name: string; ink: string; ground: string },
) {
  const scale = devicePixelRatio;
  const canvas = document.createElement("canvas");
  canvas.width = chart.width;
  canvas.height = chart.height + HEADER_HEIGHT * scale;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.fillStyle = look.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = look.ink;
  context.font = `${13 * scale}px sans-serif`;
  context.textBaseline = "middle";
  context.fillText(look.title, 10 * scale, (HEADER_HEIGHT * scale) / 2);
  context.drawImage(chart, 0, HEADER_HEIGHT * scale);
  canvas.toBlob((blob) => blob && saveFile(blob, `${look.name}.png`));
}

/**
 * Writes the bars of a range as CSV, oldest first: the columns of `/v1/ohlc`, and one for each indicator, empty where
 * it has no value.
 */
export function formatBarsCsv(store: BarStore, indicators: readonly string[], range: ViewRange | null): string {
  const columns = ["time", "open", "high", "low", "close", "volume", ...indicators];
  const lines = store.bars.flatMap(([timeMs, ...figures], index) => {
    if (range !== null && (timeMs < range.fromMs || timeMs > (range.toMs ?? Infinity))) return [];
    const values = indicators.map((name) => store.getValues(name)[index] ?? "");
    return [[formatTime(timeMs), ...figures, ...values]];
  });
  return [columns, ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}

export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
