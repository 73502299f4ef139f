"use client";

import { ChevronDown, FunctionSquare, X } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { CHECK_CLASS } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { MenuButton } from "@/components/ui/menu-button";
import { ChoiceTabs } from "@/components/ui/tabs";
import {
  type ChartChoice,
  type ChartStyle,
  chooseBarPrice,
  type Layer,
  LAYERS,
  type PriceScale,
  readBrick,
} from "@/features/symbols/url";
import type { PriceSide } from "@/lib/market/price";
import { hasAllSides, isStored, readTimeframe, type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";

const LAYER_TEXTS: Readonly<Record<Layer, { readonly name: string; readonly text: string }>> = {
  volume: { name: "Volume", text: "Price updates in each bar" },
  sessions: { name: "Sessions", text: "Hours of Sydney, Tokyo, London and New York, on bars up to H1" },
  events: { name: "Economic events", text: "A flag for each release of the symbol’s currencies" },
  quotes: { name: "Bid and ask lines", text: "The quote that the API serves now" },
  spread: {
    name: "Spread",
    text: "The mean spread of each bar in pips, of the last 30 days; 24 hours on bars up to M5",
  },
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
      <div className="order-2 max-md:hidden">
        <CompareField chosen={compare} onChoose={(next) => onChange({ compare: next })} />
      </div>
      <div className="order-3 ml-auto flex items-center gap-1">{children}</div>
      <div aria-hidden className="order-3 basis-full max-md:hidden" />
      <div className="order-4 flex min-w-0 items-center gap-2 max-md:-mx-3 max-md:flex-[1_0_100%] max-md:overflow-x-auto max-md:px-3 max-md:[scrollbar-width:none]">
        <ChoiceTabs
          label="Timeframe"
          choices={TIMEFRAMES}
          chosen={choice.timeframe}
          onChoose={(timeframe) => onChange({ timeframe, fromMs: null, toMs: null })}
          phoneClassName="max-md:flex-none max-md:overflow-visible"
        />
        <div className="flex-none">
          <OtherTimeframes
            chosen={choice.timeframe}
            onChoose={(timeframe) => onChange({ timeframe, fromMs: null, toMs: null })}
          />
        </div>
        <Button size="sm" className="h-8 flex-none max-md:h-10" onClick={onIndicators} aria-haspopup="dialog">
          <FunctionSquare aria-hidden size={14} />
          Indicators{indicators.length > 0 && ` (${indicators.length})`}
        </Button>
        <StyleMenu choice={choice} onChange={onChange} />
        <LayerMenu layers={layers} isEventsLocked={isEventsLocked} onChange={(next) => onChange({ layers: next })}>
          <CompareField chosen={compare} onChoose={(next) => onChange({ compare: next })} />
        </LayerMenu>
      </div>
    </div>
  );
}

const STYLE_NAMES: Readonly<Record<ChartStyle, string>> = {
  candles: "Candles",
  hollow: "Hollow candles",
  bars: "Bars",
  line: "Line",
  area: "Area",
  "heikin-ashi": "Heikin Ashi",
  renko: "Renko",
};
const SCALE_NAMES: Readonly<Record<PriceScale, string>> = {
  linear: "Linear",
  log: "Logarithmic",
  percent: "Percent",
};

const PRICE_NAMES: Readonly<Record<PriceSide, string>> = { bid: "Bid", ask: "Ask", mid: "Mid" };

/** How prices are drawn, how they are spaced, and which they are. */
function StyleMenu({ choice, onChange }: Pick<ChartToolbarProps, "choice" | "onChange">) {
  const { style, scale, price, compare, timeframe } = choice;
  const hasSides = hasAllSides(timeframe);
  const id = useId();
  return (
    <div className="flex-none">
      <MenuButton
        label={`Chart style, ${STYLE_NAMES[style]} is chosen`}
        panelClassName="w-52"
        panel={() => (
          <div className="grid gap-3 p-3">
            <RadioGroup
              name={`${id}-style`}
              legend="Style"
              names={STYLE_NAMES}
              chosen={style}
              onChoose={(next) => onChange({ style: next, fromMs: null, toMs: null })}
            />
            {style === "renko" && <BrickField pips={choice.brick} onChange={(brick) => onChange({ brick })} />}
            <RadioGroup
              name={`${id}-scale`}
              legend="Price scale"
              names={SCALE_NAMES}
              chosen={scale}
              onChoose={(next) => onChange({ scale: next })}
            />
            <RadioGroup
              name={`${id}-price`}
              legend="Price of the bars"
              names={PRICE_NAMES}
              chosen={chooseBarPrice(timeframe, price)}
              isOff={!hasSides}
              onChoose={(next) => onChange({ price: next })}
            />
            {!hasSides && <p className="text-xs12 text-faint">Bars of more than 15 minutes are of the bid.</p>}
            {compare !== null && (
              <p className="text-xs12 text-faint">While symbols are compared, prices are in percent.</p>
            )}
          </div>
        )}
      >
        {STYLE_NAMES[style]}
      </MenuButton>
    </div>
  );
}

/** The height of bricks. Empty for the usual range of a bar. */
function BrickField({ pips, onChange }: { pips: number | null; onChange: (pips: number | null) => void }) {
  const id = useId();
  const [text, setText] = useState(pips === null ? "" : String(pips));
  const isRefused = text.trim() !== "" && readBrick(text) === null;
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-xs12 text-faint">
        Brick, in pips
      </label>
      <input
        id={id}
        value={text}
        placeholder="ATR(14)"
        inputMode="decimal"
        autoComplete="off"
        maxLength={9}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? `${id}-error` : undefined}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value.trim() === "" || readBrick(target.value) !== null) onChange(readBrick(target.value));
        }}
        className="h-8 w-full rounded-md border border-edge bg-bg px-2 text-ink placeholder:text-faint aria-invalid:border-down max-md:h-10 max-md:text-base"
      />
      {isRefused && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-xs12 text-down">
          Write a number of pips, such as 12.5.
        </p>
      )}
    </div>
  );
}

interface RadioGroupProps<Choice extends string> {
  name: string;
  legend: string;
  names: Readonly<Record<Choice, string>>;
  chosen: Choice;
  isOff?: boolean;
  onChoose: (choice: Choice) => void;
}

function RadioGroup<Choice extends string>({ name, legend, names, chosen, isOff, onChoose }: RadioGroupProps<Choice>) {
  return (
    <fieldset disabled={isOff} className="grid gap-1.5 disabled:text-faint">
      <legend className="mb-1 text-xs12 text-faint">{legend}</legend>
      {(Object.keys(names) as Choice[]).map((each) => (
        <label key={each} className="flex items-center gap-2">
          <input
            type="radio"
            name={name}
            className="accent-accent"
            checked={each === chosen}
            onChange={() => onChoose(each)}
          />
          {names[each]}
        </label>
      ))}
    </fieldset>
  );
}

const GROUPS: readonly (readonly [title: string, timeframes: readonly Timeframe[]])[] = [
  ["Seconds", ["S1", "S5", "S10", "S15", "S30"]],
  ["Minutes", ["M2", "M3", "M10", "M20", "M45", "M90"]],
  ["Hours", ["H2", "H3", "H6", "H8", "H12"]],
  ["Longer", ["MN1"]],
];

interface OtherTimeframesProps {
  chosen: Timeframe;
  onChoose: (timeframe: Timeframe) => void;
}

/** The timeframes whose bars are joined from others: a list, and a field for any number of minutes or hours. */
function OtherTimeframes({ chosen, onChoose }: OtherTimeframesProps) {
  const id = useId();
  const [text, setText] = useState("");
  const [isRefused, setIsRefused] = useState(false);
  const isOther = !isStored(chosen);
  const choose = (timeframe: Timeframe, close: () => void) => {
    close();
    onChoose(timeframe);
  };

  function submit(event: FormEvent, close: () => void): void {
    event.preventDefault();
    const timeframe = readTimeframe(text.trim());
    setIsRefused(timeframe === undefined);
    if (timeframe === undefined) return;
    setText("");
    choose(timeframe, close);
  }

  return (
    <MenuButton
      label={isOther ? `Other timeframes, ${chosen} is chosen` : "Other timeframes"}
      panelClassName="w-72"
      isQuiet={!isOther}
      panel={(close) => (
        <div className="grid gap-3 p-3">
          {GROUPS.map(([title, timeframes]) => (
            <div key={title} role="group" aria-label={title}>
              <div className="mb-1 text-xs12 text-faint">{title}</div>
              <div className="flex flex-wrap gap-1" translate="no">
                {timeframes.map((each) => (
                  <button
                    key={each}
                    type="button"
                    aria-pressed={each === chosen}
                    onClick={() => choose(each, close)}
                    className="h-8 min-w-10 rounded-md border border-edge px-2 hover:border-dim aria-pressed:border-accent aria-pressed:text-accent-ink max-md:h-10"
                  >
                    {each}
                  </button>
                ))}
              </div>
            </div>
          ))}
          <form onSubmit={(event) => submit(event, close)}>
            <label htmlFor={id} className="mb-1 block text-xs12 text-faint">
              Any minutes or hours up to a day
            </label>
            <div className="flex gap-2">
              <input
                id={id}
                value={text}
                placeholder="45m"
                autoComplete="off"
                autoCapitalize="off"
                maxLength={8}
                aria-invalid={isRefused || undefined}
                aria-describedby={isRefused ? `${id}-error` : undefined}
                onChange={({ target }) => setText(target.value)}
                className="h-8 w-0 flex-1 rounded-md border border-edge bg-bg px-2 text-ink placeholder:text-faint aria-invalid:border-down max-md:h-10 max-md:text-base"
              />
              <Button size="sm" type="submit" className="h-8 max-md:h-10">
                Show
              </Button>
            </div>
            {isRefused && (
              <p id={`${id}-error`} role="alert" className="mt-1 text-xs12 text-down">
                Write a number with m or h, such as 45m or 2h.
              </p>
            )}
          </form>
        </div>
      )}
    >
      <span translate="no">{isOther ? chosen : "…"}</span>
    </MenuButton>
  );
}

interface LayerMenuProps {
  layers: readonly Layer[];
  isEventsLocked: boolean;
  onChange: (layers: readonly Layer[]) => void;
  /** The choice of a compared symbol, which a phone has no room for in the line. */
  children: ReactNode;
}

function LayerMenu({ layers, isEventsLocked, onChange, children }: LayerMenuProps) {
  const id = useId();
  const anchor = `--layers-${id.replaceAll(/\W/g, "")}`;
  return (
    <>
      <Button size="sm" className="h-8 flex-none max-md:h-10" popoverTarget={id} style={{ anchorName: anchor }}>
        Show
        <ChevronDown aria-hidden size={14} />
      </Button>
      <fieldset
        id={id}
        popover="auto"
        style={{ positionAnchor: anchor }}
        className="inset-auto top-[anchor(bottom)] left-[anchor(left)] m-0 mt-1 w-72 max-w-[calc(100vw-1.5rem)] gap-2.5 rounded-lg border border-line bg-raised overflow-visible p-3 text-xs13 shadow-float [position-try-fallbacks:flip-inline] open:grid"
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
        <div className="md:hidden">{children}</div>
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
