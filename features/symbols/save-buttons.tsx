import { Camera, Download, SkipForward } from "lucide-react";
import type { ReactNode } from "react";
import { ApiCallButton } from "@/components/shared/api-call-button";
import type { ApiRequest } from "@/components/shared/write-code";
import { useZone } from "@/components/shared/zone-context";
import { announce } from "@/components/ui/announcer";
import type { BarStore } from "@/features/symbols/bar-store";
import { formatChartTime } from "@/features/symbols/chart-time";
import type { Scene } from "@/features/symbols/scene";
import type { Bars, BarSource } from "@/features/symbols/use-bars";
import type { ViewRange } from "@/features/symbols/view-range";
import { formatBarTime } from "@/lib/time/iso-time";

interface SaveButtonsProps {
  symbol: string;
  compare: string | null;
  /** The indicators that the account may read. */
  indicators: readonly string[];
  scene: Scene | null;
  bars: Bars;
  /** The shown range, to which the table is limited. */
  shown: ViewRange | null;
  /** Called after the chart was moved to its newest bar. */
  onNewest: () => void;
}

/** Moves the chart to its newest bar, and saves what it shows as a picture or as a table. */
export function SaveButtons({
  symbol,
  compare,
  indicators,
  scene,
  bars: { loaded },
  shown,
  onNewest,
}: SaveButtonsProps) {
  const timeframe = loaded?.source.timeframe ?? "";
  const name = `${symbol}-${timeframe}`;
  const zone = useZone();
  const isOff = scene === null || loaded === null;

  function showNewest(): void {
    scene?.showNewest();
    onNewest();
  }

  function savePng(): void {
    if (scene === null) return;
    const now = `${formatChartTime(Date.now(), "M1", zone)} ${zone}`;
    const title = [symbol, timeframe, compare === null ? "" : `vs ${compare}`, now].filter((part) => part !== "");
    savePicture(scene.takePicture(), { name, title: title.join(" · "), ...scene.getGround() });
    announce("Picture saved");
  }

  function saveCsv(): void {
    if (loaded === null) return;
    const csv = formatBarsCsv(loaded.store, indicators, shown);
    saveFile(new Blob([csv], { type: "text/csv" }), `${name}.csv`);
    announce("Shown bars saved as CSV");
  }

  return (
    <>
      <ApiCallButton of="Chart" requests={loaded === null ? [] : listRequests(loaded.source, indicators)} />
      <IconButton label="Show the newest bar" isOff={isOff} onClick={showNewest}>
        <SkipForward aria-hidden size={15} />
      </IconButton>
      <IconButton label="Save as a picture" isOff={isOff} onClick={savePng}>
        <Camera aria-hidden size={15} />
      </IconButton>
      <IconButton label="Save the shown bars as CSV" isOff={isOff} onClick={saveCsv}>
        <Download aria-hidden size={15} />
      </IconButton>
    </>
  );
}

interface IconButtonProps {
  label: string;
  isOff: boolean;
  onClick: () => void;
  children: ReactNode;
}

function IconButton({ label, isOff, onClick, children }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={onClick}
      className="grid size-8 place-items-center rounded-md text-dim hover:bg-hover hover:text-ink disabled:opacity-60 max-md:size-9"
    >
      {children}
    </button>
  );
}

/** The API computes indicators on bars of the bid only. */
const listRequests = ({ symbol, timeframe, price }: BarSource, indicators: readonly string[]): ApiRequest[] => [
  { path: "/v1/ohlc", query: { symbol, timeframe, limit: 500, ...(price === "bid" ? {} : { price }) } },
  ...(price === "bid" ? indicators : []).map((indicator) => ({
    path: "/v1/indicator/history" as const,
    query: { symbol, indicator, timeframe, limit: 500 },
  })),
];

const HEADER_HEIGHT = 30;

/** Saves a picture of the chart below a line of text. */
function savePicture(chart: HTMLCanvasElement, look: { title: string; name: string; ink: string; ground: string }) {
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
    return [[formatBarTime(timeMs), ...figures, ...values]];
  });
  return [columns, ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}

/** Downloads a file. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
