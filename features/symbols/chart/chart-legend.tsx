import { X } from "lucide-react";
import type { BarStore } from "@/features/symbols/bars/bar-store";
import { BarFigures } from "@/features/symbols/chart/bar-figures";
import { type LiveStore, useLive } from "@/features/symbols/stream/live-store";
import type { ChartEvent, IndicatorLook, SymbolInstrument } from "@/features/symbols/types";
import type { Timeframe } from "@/lib/market/timeframe";
import { formatCount } from "@/lib/text/text";

interface ChartLegendProps {
  instrument: SymbolInstrument;
  timeframe: Timeframe;
  store: BarStore;
  live: LiveStore;
  looks: readonly IndicatorLook[];
  /** CSS colours of the indicators, in their order. */
  colours: readonly string[];
  /** The bar under the crosshair; null for the newest. */
  point: number | null;
  /** The events of that bar. */
  events: readonly ChartEvent[];
  onRemove: (indicator: string) => void;
}

/** The figures of the bar under the crosshair, or of the newest one, over the chart. */
export function ChartLegend(props: ChartLegendProps) {
  const { instrument, timeframe, store, live, looks, colours, point, events, onRemove } = props;
  // Renders again with every price.
  useLive(live);
  const index = Math.min(point ?? Infinity, store.bars.length - 1);
  const bar = store.bars[index];
  if (bar === undefined) return null;
  return (
    <div
      data-legend
      className="pointer-events-none absolute top-1.5 left-2 z-2 grid w-fit max-w-[calc(100%-5.5rem)] gap-0.5 rounded-sm bg-[color-mix(in_srgb,var(--bg)_70%,transparent)] px-1 text-xs12"
    >
      <BarFigures {...{ instrument, timeframe, bar }} before={store.bars[index - 1]?.[4]} isPointed={point !== null} />
      <div className="flex flex-wrap gap-x-3 max-md:grid">
        {looks.map(({ name, decimals, description }, at) => {
          const value = findValue(store.getValues(name), index, point !== null);
          return (
            <p key={name} className="flex items-center gap-1.5">
              <span aria-hidden className="h-0.5 w-3 flex-none" style={{ background: colours[at] }} />
              <span title={description} className="text-dim">
                {name}
              </span>
              <span className="numerals">{value === null ? "–" : formatValue(value, decimals)}</span>
              <button
                type="button"
                aria-label={`Remove ${name}`}
                onClick={() => onRemove(name)}
                className="pointer-events-auto grid size-6 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink"
              >
                <X aria-hidden size={12} />
              </button>
            </p>
          );
        })}
      </div>
      {events.map(({ id, currency, title, actual, forecast, previous }) => (
        <p key={id} className="w-fit rounded-sm border border-line bg-raised px-1.5 text-ink">
          <span className="numerals">{currency}</span> {title}
          <span className="text-dim">
            {actual !== null && ` · actual ${actual}`}
            {forecast !== "" && ` · forecast ${forecast}`}
            {previous !== "" && ` · previous ${previous}`}
          </span>
        </p>
      ))}
    </div>
  );
}

/** The value at a bar, or the newest one: a bar that is still filling has none. */
function findValue(values: readonly (number | null)[], index: number, isPointed: boolean): number | null {
  return values[index] ?? (isPointed ? null : (values.findLast((value) => value !== null) ?? null));
}

function formatValue(value: number, decimals: number): string {
  return Math.abs(value) >= 10_000 ? formatCount(value) : value.toFixed(decimals);
}
