"use client";

import { createContext, useContext } from "react";
import { withAt } from "@/components/ui/past-address";
import { createSparkLines, decodeLine, type SparkShape } from "@/features/quotes/spark-lines";
import { createSymbolStore, type SymbolStore } from "@/features/quotes/symbol-store";
import type { WireLine } from "@/features/quotes/types";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

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

/** Cells that are rendered in one frame, so that no frame takes long. */
const CELLS_A_FRAME = 24;

/** Rewritten hours come one after another. */
const REWRITTEN_MS = 5_000;

/**
 * Loads the lines and the usual spreads of all symbols: both once, and the spreads again each hour, or sooner while there
 * are none. `at` is a second of the past. Returns the lines, which loads them again after their past was rewritten, and a function that stops it.
 */
export function loadExtras(
  extras: Extras,
  at: string | null,
): { lines: ReturnType<typeof createSparkLines>; stop: () => void } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let rewritten: ReturnType<typeof setTimeout> | undefined;
  const lines = createSparkLines(extras.sparks, () => {
    clearTimeout(rewritten);
    rewritten = setTimeout(() => run(loadLines), REWRITTEN_MS);
  });

  async function loadLines(): Promise<void> {
    const loaded = await fetchJson<Record<string, WireLine>>(withAt("/quotes/lines", at), signal);
    const decoded = Object.entries(loaded).map(([symbol, line]) => {
      return [symbol, decodeLine(line)] as const;
    });
    lines.addLoaded(Object.fromEntries(decoded));
    await eachFrame(2 * decoded.length, signal, () => lines.draw());
  }

  async function loadUsual(): Promise<void> {
    const href = withAt("/quotes/usual", at);
    const usual = Object.entries(await fetchJson<Record<string, readonly [number, number]>>(href, signal));
    await eachFrame(usual.length, signal, (from, to) => {
      for (const [symbol, spread] of usual.slice(from, to)) extras.usual.set(symbol, spread);
    });
    again(loadUsual, usual.length > 0 ? HOUR_MS : 5 * MINUTE_MS);
  }

  function again(load: () => Promise<void>, pauseMs: number): void {
    if (!signal.aborted) timers.add(setTimeout(() => run(load), pauseMs));
  }

  // Without them the board shows dashes; they are tried again.
  const run = (load: () => Promise<void>) => void load().catch(() => again(load, MINUTE_MS));
  run(loadLines);
  run(loadUsual);
  const stop = () => {
    stopping.abort();
    clearTimeout(rewritten);
    for (const timer of timers) clearTimeout(timer);
  };
  return { lines, stop };
}

async function fetchJson<Data>(url: string, signal: AbortSignal): Promise<Data> {
  const answer = await fetch(url, { signal, cache: "no-store" });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return (await answer.json()) as Data;
}

/** Does some of the work in each frame. */
async function eachFrame(count: number, signal: AbortSignal, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < count && !signal.aborted; from += CELLS_A_FRAME) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    work(from, from + CELLS_A_FRAME);
  }
}
