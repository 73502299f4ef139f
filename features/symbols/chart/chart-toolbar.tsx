"use client";

import { ChevronDown, FunctionSquare } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Button } from "@/components/ui/button";
import { CHECK_CLASS } from "@/components/ui/pill";
import { ChoiceTabs } from "@/components/ui/tabs";
import { CompareField } from "@/features/symbols/chart/compare-field";
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
  symbols: readonly { readonly symbol: string; readonly name: string }[];
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
  const { choice, symbols, isEventsLocked, onChange, onIndicators, select, children } = props;
  const { indicators, layers, compare } = choice;
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-2.5 max-md:px-3">
      <div className="order-1 flex min-w-0 max-md:flex-1">{select}</div>
      <div className="order-2 max-md:order-6">
        <CompareField chosen={compare} symbols={symbols} onChoose={(next) => onChange({ compare: next })} />
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
