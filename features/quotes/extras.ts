"use client";

import { createContext, useContext } from "react";
import { createSymbolStore, type SymbolStore } from "@/features/quotes/columns/symbol-store";
import type { SparkShape } from "@/features/quotes/sparks/spark-shape";

/** What the board loads once for each symbol, beside its live row. */
export interface Extras {
  /** The 5th and 95th percentile of the spread over seven days, in pips. */
  readonly usual: SymbolStore<readonly [p5: number, p95: number]>;
  /** The day's prices as a line. */
  readonly sparks: SymbolStore<SparkShape>;
}

export const createExtras = (): Extras => ({ usual: createSymbolStore(), sparks: createSymbolStore() });

const ExtrasContext = createContext<Extras | null>(null);
export const ExtrasProvider = ExtrasContext.Provider;

export function useExtras(): Extras {
  const extras = useContext(ExtrasContext);
  if (extras === null) throw new Error("A row needs an ExtrasProvider above it");
  return extras;
}
