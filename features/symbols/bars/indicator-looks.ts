import type { IndicatorLook } from "@/features/symbols/types";
import { getDecimals, type IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { indicators } from "@/lib/analytics/indicators/registry";

/** Drawn as columns from zero, and as single dots. */
const COLUMNS: readonly string[] = ["MACD_hist", "Volumes"];
const DOTS: readonly string[] = ["SAR"];

/** How the chart of a symbol with `digits` decimals draws each indicator, in the order of the list. */
export function listIndicatorLooks(digits: number): IndicatorLook[] {
  return indicators.map((definition) => ({
    name: definition.name,
    description: definition.description,
    category: definition.category,
    pane: findPane(definition),
    decimals: getDecimals(definition, digits),
    range: definition.range,
    shape: COLUMNS.includes(definition.name) ? "columns" : DOTS.includes(definition.name) ? "dots" : "line",
  }));
}

/** Values that are prices lie over the bars. The lines of one source, such as the three of MACD, share a pane. */
function findPane({ name, decimals }: IndicatorDefinition): string | null {
  return decimals === "price" ? null : (/^[^_]+/.exec(name)?.[0] ?? name);
}
