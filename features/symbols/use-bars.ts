"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useShownAt } from "@/components/ui/past";
import { keepAt } from "@/components/ui/past-address";
import { BarStore } from "@/features/symbols/bar-store";
import { FIRST_BARS, MOST_BARS, toBarsHref } from "@/features/symbols/bars-url";
import type { BarPage } from "@/features/symbols/types";
import type { PriceSide } from "@/lib/market/price";
import type { Timeframe } from "@/lib/market/timeframe";

const RETRY_MS = 3_000;
const OLDER_BARS = 1_000;

export interface BarSource {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly price: PriceSide;
  readonly indicators: readonly string[];
}

interface Loaded {
  readonly key: string;
  readonly source: BarSource;
  readonly store: BarStore;
  /** Raised when bars were added before the first or replaced at the end. */
  readonly revision: number;
}

export interface Bars {
  /** The newest loaded bars, which may be those of an earlier choice while others load; null before the first. */
  readonly loaded: Loaded | null;
  readonly isLoading: boolean;
  readonly hasFailed: boolean;
  /** Loads older bars: until `untilMs` is reached, or one page of them. */
  loadOlder(untilMs?: number): void;
  /** Loads the newest bars again, from the last closed one on, with the values of indicators. */
  refreshNewest(): void;
}

/** The bars of the rendered page. */
export interface RenderedBars {
  readonly source: BarSource;
  readonly page: BarPage;
}

/**
 * Loads the bars of a symbol and timeframe, older ones on demand. `initial` are those of the rendered page, null
 * without any. Without a source there are no bars.
 */
export function useBars(source: BarSource | null, initial: RenderedBars | null): Bars {
  const symbol = source?.symbol ?? null;
  const timeframe = source?.timeframe ?? "H1";
  const price = source?.price ?? "bid";
  const names = source?.indicators.join() ?? "";
  const key = source && toKey(source);
  const [loaded, setLoaded] = useState<Loaded | null>(() =>
    key === null || source === null || initial === null
      ? null
      : { key, source, store: new BarStore(initial.page), revision: 0 },
  );
  const [hasFailed, setHasFailed] = useState(false);
  const current = useRef(loaded);
  const isLoadingOlder = useRef(false);
  const publish = useCallback((next: Loaded) => {
    current.current = next;
    setLoaded(next);
    setHasFailed(false);
  }, []);

  useEffect(() => {
    if (key === null || symbol === null || current.current?.key === key) return;
    const before = current.current;
    const indicators = names === "" ? [] : names.split(",");
    const isSameBars =
      before?.source.symbol === symbol && before.source.timeframe === timeframe && before.source.price === price;
    const limit = isSameBars ? Math.min(Math.max(before.store.bars.length, FIRST_BARS), MOST_BARS) : FIRST_BARS;
    return retryUntilDone(
      async (signal) => {
        const page = await fetchBars(toBarsHref(symbol, { timeframe, price, indicators, limit }), signal);
        publish({ key, source: { symbol, timeframe, price, indicators }, store: new BarStore(page), revision: 0 });
      },
      () => setHasFailed(true),
    );
  }, [key, names, symbol, timeframe, price, publish]);

  const change = useChanges(current, publish, setHasFailed);
  usePastBars({ current, publish, change, initial });

  const loadOlder = useCallback(
    (untilMs?: number) => {
      if (isLoadingOlder.current || current.current?.store.hasOlder !== true) return;
      isLoadingOlder.current = true;
      const limit = untilMs === undefined ? OLDER_BARS : MOST_BARS;
      void change(async ({ source: of, store }) => {
        do {
          const beforeMs = store.bars[0]?.[0];
          if (!store.hasOlder || beforeMs === undefined) return;
          store.prepend(await fetchBars(toBarsHref(of.symbol, { ...of, beforeMs, limit })));
        } while (untilMs !== undefined && (store.bars[0]?.[0] ?? 0) > untilMs);
      }).finally(() => (isLoadingOlder.current = false));
    },
    [change],
  );

  const refreshNewest = useCallback(
    () =>
      void change(async ({ source: of, store }) => {
        // The last two may both have been open when they were loaded.
        const fromMs = store.bars.at(-3)?.[0] ?? 0;
        store.replaceNewest(await fetchBars(toBarsHref(of.symbol, { ...of, fromMs, limit: MOST_BARS })));
      }),
    [change],
  );

  return {
    loaded: key === null ? null : loaded,
    isLoading: key !== null && loaded?.key !== key,
    hasFailed,
    loadOlder,
    refreshNewest,
  };
}

const toKey = ({ symbol, timeframe, price, indicators }: BarSource) =>
  `${symbol} ${timeframe} ${price} ${indicators.join()}`;

interface PastBars {
  current: RefObject<Loaded | null>;
  publish: (next: Loaded) => void;
  change: (work: (loaded: Loaded) => Promise<void>) => Promise<void>;
  initial: RenderedBars | null;
}

/** On a page of the past, adds the bars until each later second that the page is rendered for. */
function usePastBars({ current, publish, change, initial }: PastBars): void {
  const at = useShownAt();
  const shown = useRef(at);
  useEffect(() => {
    if (at === shown.current) return;
    shown.current = at;
    const before = current.current;
    if (before === null) return;
    const page = initial !== null && toKey(initial.source) === before.key ? initial.page : null;
    const firstMs = page?.bars[0]?.[0];
    const lastMs = before.store.bars.at(-1)?.[0];
    if (page === null) {
      void change(async ({ source, store }) => {
        const fromMs = store.bars.at(-3)?.[0] ?? 0;
        store.replaceNewest(await fetchBars(toBarsHref(source.symbol, { ...source, fromMs, limit: MOST_BARS })));
      });
    } else if (firstMs === undefined || lastMs === undefined || firstMs > lastMs) {
      publish({ ...before, store: new BarStore(page), revision: before.revision + 1 });
    } else {
      before.store.replaceNewest(page);
      publish({ ...before, revision: before.revision + 1 });
    }
  }, [at, change, current, initial, publish]);
}

/**
 * Returns a function that changes the loaded bars by an answer. Changes follow each other, so that none is lost. Each
 * is tried until it succeeds or other bars are chosen.
 */
function useChanges(
  current: RefObject<Loaded | null>,
  publish: (next: Loaded) => void,
  setHasFailed: (hasFailed: boolean) => void,
) {
  const changes = useRef(Promise.resolve());
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return useCallback(
    (work: (loaded: Loaded) => Promise<void>) => {
      changes.current = changes.current.then(async () => {
        const before = current.current;
        const isCurrent = () => isMounted.current && current.current?.key === before?.key;
        while (before !== null && isCurrent()) {
          try {
            await work(before);
            if (isCurrent()) publish({ ...before, revision: before.revision + 1 });
            return;
          } catch {
            setHasFailed(true);
            await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
          }
        }
      });
      return changes.current;
    },
    [current, publish, setHasFailed],
  );
}

async function fetchBars(href: string, signal?: AbortSignal): Promise<BarPage> {
  const answer = await fetch(keepAt(href), { cache: "no-store", ...(signal === undefined ? {} : { signal }) });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return (await answer.json()) as BarPage;
}

/** Repeats the work every few seconds until it succeeds. Returns a function that ends it. */
function retryUntilDone(work: (signal: AbortSignal) => Promise<void>, onFailure: () => void): () => void {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    work(controller.signal).catch(() => {
      if (controller.signal.aborted) return;
      onFailure();
      timer = setTimeout(run, RETRY_MS);
    });
  };
  run();
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}
