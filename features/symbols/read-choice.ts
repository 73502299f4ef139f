import type { UnknownSpelling } from "@/features/symbols/unknown-symbol";
import {
  CHART_STYLES,
  type ChartChoice,
  DEFAULT_LAYERS,
  LAYERS,
  MOST_INDICATORS,
  PRICE_SCALES,
  readBrick,
  readPrice,
  readTimeframe,
} from "@/features/symbols/url";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import type { Instrument } from "@/lib/market/instrument";
import type { Resolver } from "@/lib/market/resolver";
import { parseTime } from "@/lib/time/iso-time";

/** Reads addresses on the server: browsers need not load all indicators for it. */

/** Reads the page's address. Missing and invalid values are replaced by their defaults. */
export function readChartChoice(search: URLSearchParams, symbol: string, resolver: Resolver): ChartChoice {
  const layers = search.get("layers");
  const compare = resolver.find(search.get("compare") ?? "")?.symbol ?? null;
  const fromMs = parseTime(search.get("from") ?? "");
  const toMs = parseTime(search.get("to") ?? "");
  const isRange = fromMs !== null && (toMs === null || fromMs < toMs);
  return {
    timeframe: readTimeframe(search),
    indicators: readIndicatorNames(search),
    layers: layers === null ? DEFAULT_LAYERS : LAYERS.filter((layer) => layers.split(",").includes(layer)),
    compare: compare === symbol ? null : compare,
    style: CHART_STYLES.find((style) => style === search.get("style")) ?? CHART_STYLES[0],
    scale: PRICE_SCALES.find((scale) => scale === search.get("scale")) ?? PRICE_SCALES[0],
    price: readPrice(search),
    brick: readBrick(search.get("brick") ?? ""),
    fromMs: isRange ? fromMs : null,
    toMs: isRange ? toMs : null,
  };
}

/** Reads a list of indicators. Unknown names are left out, and aliases are replaced by the names they stand for. */
export function readIndicatorNames(search: URLSearchParams): string[] {
  const names = (search.get("indicators") ?? "").split(",").flatMap((name) => findIndicator(name)?.name ?? []);
  return [...new Set(names)].slice(0, MOST_INDICATORS);
}

/** Decodes a part of an address; a part that is not valid encoding is returned as it is. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Finds the instrument that a part of an address names in any spelling, or says what may be meant. */
export function resolveSpelling(part: string, resolver: Resolver): Instrument | UnknownSpelling {
  const spelling = decodePart(part);
  const found = resolver.resolve(spelling);
  if (found.kind === "found") return found.instrument;
  const isAmbiguous = found.kind === "ambiguous";
  return { spelling, isAmbiguous, near: isAmbiguous ? found.candidates : found.suggestions };
}

export function isUnknown(found: Instrument | UnknownSpelling): found is UnknownSpelling {
  return "spelling" in found;
}
