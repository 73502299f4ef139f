import type { ReactNode } from "react";
import { FIELD_CLASS } from "@/components/ui/search-box";
import { TOOLBAR_CLASS } from "@/components/ui/toolbar";
import type { ListedIndicator } from "@/features/indicators/screener/types";
import type { ScreenerChoice } from "@/features/indicators/screener/url";
import { CATEGORIES } from "@/lib/market/instrument";
import { TIMEFRAMES } from "@/lib/market/timeframe";

interface ScreenerFiltersProps {
  choice: ScreenerChoice;
  indicators: readonly ListedIndicator[];
  children: ReactNode;
}

const SELECT_CLASS = `px-2 ${FIELD_CLASS}`;
const BOUND_CLASS = `px-2 font-mono ${FIELD_CLASS}`;

/** The filters of the screener: fields of a form that is sent by GET. */
export function ScreenerFilters({ choice, indicators, children }: ScreenerFiltersProps) {
  const { indicator, timeframe, min, max, category, sort } = choice;
  const range = indicators.find(({ name }) => name === indicator)?.range ?? null;
  const bound = {
    inputMode: "decimal",
    pattern: "\\s*[\\-−]?\\d+(\\.\\d+)?\\s*",
    title: "A number",
    maxLength: 20,
  } as const;
  return (
    <div className={`${TOOLBAR_CLASS} items-end!`}>
      <Labelled label="Indicator" className="w-80">
        <select name="indicator" defaultValue={indicator} className={SELECT_CLASS}>
          {indicators.map(({ name, title }) => (
            <option key={name} value={name}>
              {name} · {title}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled label="Timeframe" className="w-22">
        <select name="timeframe" defaultValue={timeframe} className={SELECT_CLASS}>
          {TIMEFRAMES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </Labelled>
      <Labelled label="From" className="w-24">
        <input
          {...bound}
          name="min"
          defaultValue={min ?? ""}
          placeholder={range ? String(range[0]) : "any"}
          className={BOUND_CLASS}
        />
      </Labelled>
      <Labelled label="To" className="w-24">
        <input
          {...bound}
          name="max"
          defaultValue={max ?? ""}
          placeholder={range ? String(range[1]) : "any"}
          className={BOUND_CLASS}
        />
      </Labelled>
      <Labelled label="Category" className="w-32">
        <select name="category" defaultValue={category ?? ""} className={SELECT_CLASS}>
          <option value="">All</option>
          {CATEGORIES.map((each) => (
            <option key={each} value={each}>
              {each.charAt(0).toUpperCase() + each.slice(1)}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled label="Order" className="w-34">
        <select name="sort" defaultValue={sort} className={SELECT_CLASS}>
          <option value="desc">Highest first</option>
          <option value="asc">Lowest first</option>
        </select>
      </Labelled>
      {children}
    </div>
  );
}

function Labelled({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    <label className={`grid gap-1 text-xs12 text-faint max-md:flex-1 max-md:basis-[42%] ${className}`}>
      {label}
      {children}
    </label>
  );
}
