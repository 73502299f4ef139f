import { Camera, Download, SkipForward } from "lucide-react";
import type { ReactNode } from "react";
import { ApiCallButton } from "@/components/shared/api-call/api-call-button";
import type { ApiRequest } from "@/components/shared/api-call/write-code";
import { useZone } from "@/components/shared/zone-context";
import { announce } from "@/components/ui/announcer";
import type { Bars } from "@/features/symbols/bars/use-bars";
import { formatChartTime } from "@/features/symbols/chart/chart-time";
import { formatBarsCsv, saveFile, savePicture } from "@/features/symbols/chart/save-chart";
import type { Scene } from "@/features/symbols/chart/scene";
import type { ViewRange } from "@/features/symbols/chart/view-range";
import type { Timeframe } from "@/lib/market/timeframe";

interface SaveButtonsProps {
  symbol: string;
  compare: string | null;
  /** Those that the account may read. */
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
      <ApiCallButton
        of="Chart"
        requests={loaded === null ? [] : listRequests(symbol, loaded.source.timeframe, indicators)}
      />
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

const listRequests = (symbol: string, timeframe: Timeframe, indicators: readonly string[]): ApiRequest[] => [
  { path: "/v1/ohlc", query: { symbol, timeframe, limit: 500 } },
  ...indicators.map((indicator) => ({
    path: "/v1/indicator/history" as const,
    query: { symbol, indicator, timeframe, limit: 500 },
  })),
];
