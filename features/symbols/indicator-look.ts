import type { IndicatorLook } from "@/features/symbols/types";
import { getDecimals, type IndicatorDefinition } from "@/lib/analytics/indicators/definition";

/** Drawn as columns from zero, and as single dots. */
const COLUMNS = /^(?:Volumes|A[OC]_.*|.*_hist)$/;
const DOTS = /^SAR(?:_|$)/;

/** How the chart of a symbol with `digits` decimals draws an indicator. The server and the dialog of indicators know it. */
export function toIndicatorLook(definition: IndicatorDefinition, digits: number): IndicatorLook {
  const { name, description, category, range } = definition;
  return {
    name,
    description,
    category,
    pane: findPane(definition),
    decimals: getDecimals(definition, digits),
    range,
    shape: COLUMNS.test(name) ? "columns" : DOTS.test(name) ? "dots" : "line",
  };
}

/** Values that are prices lie over the bars. The lines of one source, such as the three of MACD, share a pane. */
function findPane({ name, decimals }: IndicatorDefinition): string | null {
  if (decimals === "price") return null;
  const [prefix = name, ...parts] = name.split("_");
  // The lines of some families have scales of their own, such as the width and %B of the same bands.
  const line = parts.at(-1) ?? "";
  return OWN_SCALES.has(prefix) && /^[a-z]/.test(line) ? `${prefix} ${line}` : prefix;
}

const OWN_SCALES: ReadonlySet<string> = new Set(["BBands", "LinReg"]);
