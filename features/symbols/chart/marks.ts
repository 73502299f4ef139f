import type {
  IChartApiBase,
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesApi,
  ISeriesPrimitive,
  Logical,
  Time,
} from "lightweight-charts";
import { type ChartColours, fade } from "@/features/symbols/chart/colours";
import { findLogical } from "@/features/symbols/chart/find-logical";
import type { ChartEvent, SessionBand } from "@/features/symbols/types";
import type { Timeframe } from "@/lib/market/timeframe";

type Target = Parameters<IPrimitivePaneRenderer["draw"]>[0];

const BAND_HEIGHT = 3;
const FLAG_SIZE = 5;
/** Above the colours of the four sessions. */
const FLAG_BOTTOM = 20;
const IMPACT_TOKENS = { high: "down", medium: "warn", low: "faint" } as const;

/** The hours of sessions behind the bars, and a flag at the foot for each economic event. */
export function createMarks(
  chart: IChartApiBase,
  candles: ISeriesApi<"Candlestick">,
  timeframe: Timeframe,
  colours: ChartColours,
) {
  let times: number[] = [];
  let bands: readonly SessionBand[] = [];
  let events: readonly ChartEvent[] = [];
  let requestUpdate = (): void => {};

  function toX(ms: number): number | null {
    const logical = findLogical(times, ms, timeframe);
    return logical === null ? null : chart.timeScale().logicalToCoordinate(logical as Logical);
  }

  const drawBands = (target: Target): void =>
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      for (const { name, fromMs, untilMs, row } of bands) {
        const [from, until] = [toX(fromMs), toX(untilMs)];
        if (from === null || until === null || until < 0 || from > mediaSize.width) continue;
        context.fillStyle = fade(colours[name], 0.05);
        context.fillRect(from, 0, until - from, mediaSize.height);
        context.fillStyle = fade(colours[name], 0.85);
        context.fillRect(from, mediaSize.height - (row + 1) * (BAND_HEIGHT + 1), until - from, BAND_HEIGHT);
      }
    });

  const drawFlags = (target: Target): void =>
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      for (const { timeMs, impact } of events) {
        const logical = findLogical(times, timeMs, timeframe);
        // A flag stands at the bar that was open at the event.
        const x = logical && chart.timeScale().logicalToCoordinate(Math.floor(logical) as Logical);
        if (x === null || x < 0 || x > mediaSize.width) continue;
        const y = mediaSize.height - FLAG_BOTTOM - FLAG_SIZE;
        context.beginPath();
        context.moveTo(x, y - FLAG_SIZE);
        context.lineTo(x + FLAG_SIZE, y);
        context.lineTo(x, y + FLAG_SIZE);
        context.lineTo(x - FLAG_SIZE, y);
        context.closePath();
        context.fillStyle = colours[IMPACT_TOKENS[impact]];
        context.strokeStyle = colours.bg;
        context.lineWidth = 1.5;
        context.stroke();
        context.fill();
      }
    });

  const behind: IPrimitivePaneView = { zOrder: () => "bottom", renderer: () => ({ draw: drawBands }) };
  const front: IPrimitivePaneView = { zOrder: () => "top", renderer: () => ({ draw: drawFlags }) };
  const views = [behind, front];
  const primitive: ISeriesPrimitive<Time> = {
    attached: (parameters) => (requestUpdate = parameters.requestUpdate),
    paneViews: () => views,
  };
  candles.attachPrimitive(primitive);

  return {
    setTimes(next: number[]): void {
      times = next;
    },
    addTime(timeMs: number): void {
      if (timeMs > (times.at(-1) ?? -Infinity)) times.push(timeMs);
    },
    set(next: { readonly bands: readonly SessionBand[]; readonly events: readonly ChartEvent[] }): void {
      ({ bands, events } = next);
      requestUpdate();
    },
  };
}
