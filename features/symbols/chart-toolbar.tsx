"use client";

import { ChevronDown, FunctionSquare, X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { CHECK_CLASS } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ChoiceTabs } from "@/components/ui/tabs";
import { type ChartChoice, type Layer, LAYERS } from "@/features/symbols/url";
import { TIMEFRAMES } from "@/lib/market/timeframe";

const LAYER_TEXTS: Readonly<Record<Layer, { readonly name: string; readonly text: string }>> = {
  volume: { name: "Volume", text: "Price updates in each bar" },
  sessions: { name: "Sessions", text: "Hours of Sydney, Tokyo, London and New York, on bars up to H1" },
  events: { name: "Economic events", text: "A flag for each release of the symbol’s currencies" },
  quotes: { name: "Bid and ask lines", text: "The quote that the API serves now" },
  spread: { name: "Spread", text: "The mean spread of each bar in pips, of the last 30 days; 24 hours on M1 and M5" },
};

interface ChartToolbarProps {
  choice: ChartChoice;
  isEventsLocked: boolean;
  onChange: (change: Partial<ChartChoice>) => void;
  onIndicators: () => void;
  /** The choice of the symbol, before all others. */
  select: ReactNode;
  /** At the end of the line. */
  children: ReactNode;
}

/** The choices above the chart. */
export function ChartToolbar(props: ChartToolbarProps) {
  const { choice, isEventsLocked, onChange, onIndicators, select, children } = props;
  const { indicators, layers, compare } = choice;
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-2.5 max-md:px-3">
      <div className="order-1 flex min-w-0 max-md:flex-1">{select}</div>
      <div className="order-2 max-md:order-6">
        <CompareField chosen={compare} onChoose={(next) => onChange({ compare: next })} />
      </div>
      <div className="order-3 ml-auto flex items-center gap-1">{children}</div>
      <div aria-hidden className="order-3 basis-full max-md:hidden" />
      <ChoiceTabs
        label="Timeframe"
        choices={TIMEFRAMES}
        chosen={choice.timeframe}
        onChoose={(timeframe) => onChange({ timeframe, fromMs: null, toMs: null })}
        phoneClassName="order-4 max-md:-mx-3 max-md:flex-[1_0_100%] max-md:px-3"
      />
      <Button size="sm" className="order-5 h-8 max-md:h-9" onClick={onIndicators} aria-haspopup="dialog">
        <FunctionSquare aria-hidden size={14} />
        Indicators{indicators.length > 0 && ` (${indicators.length})`}
      </Button>
      <LayerMenu layers={layers} isEventsLocked={isEventsLocked} onChange={(next) => onChange({ layers: next })} />
    </div>
  );
}

interface LayerMenuProps {
  layers: readonly Layer[];
  isEventsLocked: boolean;
  onChange: (layers: readonly Layer[]) => void;
}

function LayerMenu({ layers, isEventsLocked, onChange }: LayerMenuProps) {
  const id = useId();
  const anchor = `--layers-${id.replaceAll(/\W/g, "")}`;
  return (
    <>
      <Button size="sm" className="order-5 h-8 max-md:h-9" popoverTarget={id} style={{ anchorName: anchor }}>
        Show
        <ChevronDown aria-hidden size={14} />
      </Button>
      <fieldset
        id={id}
        popover="auto"
        style={{ positionAnchor: anchor }}
        className="inset-auto top-[anchor(bottom)] left-[anchor(left)] m-0 mt-1 w-72 max-w-[calc(100vw-1.5rem)] gap-2.5 rounded-lg border border-line bg-raised p-3 text-xs13 shadow-float [position-try-fallbacks:flip-inline] open:grid"
      >
        <legend className="sr-only">Shown on the chart</legend>
        {LAYERS.map((layer) => (
          <label key={layer} className="flex gap-2">
            <input
              type="checkbox"
              className={CHECK_CLASS}
              checked={layers.includes(layer)}
              onChange={({ target }) =>
                onChange(LAYERS.filter((each) => (each === layer ? target.checked : layers.includes(each))))
              }
            />
            <span>
              {LAYER_TEXTS[layer].name}
              <span className="block text-xs12 text-faint">
                {layer === "events" && isEventsLocked
                  ? "The calendar is not part of your plan"
                  : LAYER_TEXTS[layer].text}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
    </>
  );
}

interface CompareFieldProps {
  chosen: string | null;
  onChoose: (symbol: string | null) => void;
}

/** Chooses a second symbol, whose closes are drawn beside the bars in percent. */
function CompareField({ chosen, onChoose }: CompareFieldProps) {
  if (chosen !== null) {
    return (
      <span className="inline-flex h-8 items-center gap-1 rounded-md border border-edge pl-2.5 text-xs13 max-md:h-9">
        <span className="text-dim">vs</span> {chosen}
        <button
          type="button"
          aria-label={`Stop comparing with ${chosen}`}
          onClick={() => onChoose(null)}
          className="grid size-7 place-items-center rounded-sm text-dim hover:bg-hover hover:text-ink"
        >
          <X aria-hidden size={14} />
        </button>
      </span>
    );
  }
  return (
    <SymbolSelect
      value=""
      field="compare"
      label="Compare with a symbol"
      placeholder="Compare…"
      className="w-36"
      onChange={onChoose}
    />
  );
}
