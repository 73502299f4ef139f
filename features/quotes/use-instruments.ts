"use client";

import { useEffect, useState } from "react";
import type { BoardInstrument, ListedInstruments, WireInstrument } from "@/features/quotes/types";
import { CATEGORIES } from "@/lib/market/instrument";

/** A source names its symbols within a few seconds, in several changes of the catalog. */
const PAUSE_MS = 1_500;

/** The instruments of the board. `follow` takes the state of the catalog, and loads them again when it has changed. */
export function useInstruments(first: ListedInstruments): {
  readonly instruments: readonly BoardInstrument[];
  readonly follow: (catalog: string) => void;
} {
  const [instruments, setInstruments] = useState(() => readInstruments(first.instruments, []));
  const [follower] = useState(() =>
    createCatalogFollower(first.catalog, {
      load: loadInstruments,
      onLoaded: (loaded) => setInstruments((before) => readInstruments(loaded, before)),
    }),
  );
  useEffect(() => follower.stop, [follower]);
  return { instruments, follow: follower.follow };
}

async function loadInstruments(): Promise<ListedInstruments | null> {
  try {
    const answer = await fetch("/quotes/instruments", { cache: "no-store" });
    return answer.ok ? ((await answer.json()) as ListedInstruments) : null;
  } catch {
    return null;
  }
}

interface Loading {
  /** Resolves with null if they cannot be loaded now. */
  load(): Promise<ListedInstruments | null>;
  onLoaded(instruments: readonly WireInstrument[]): void;
}

/** Loads the instruments after each change of the catalog, until they are those of the state that came last. */
export function createCatalogFollower(first: string, { load, onLoaded }: Loading, pauseMs = PAUSE_MS) {
  let known = first;
  let wanted = first;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    const loaded = await load();
    if (loaded !== null && loaded.catalog !== known) {
      known = loaded.catalog;
      onLoaded(loaded.instruments);
    }
    timer = setTimeout(() => {
      timer = undefined;
      start();
    }, pauseMs);
  }

  function start(): void {
    if (known !== wanted) timer ??= setTimeout(() => void run());
  }

  return {
    follow(catalog: string): void {
      wanted = catalog;
      start();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Reads instruments. Those that have not changed are the same objects as before, so that their rows do not render. */
export function readInstruments(
  sent: readonly WireInstrument[],
  before: readonly BoardInstrument[],
): readonly BoardInstrument[] {
  const known = new Map(before.map((each) => [each.symbol, each]));
  return sent.map(([symbol, name, at, digits, pipSize, currencies]) => {
    const next = { symbol, name, category: CATEGORIES[at] ?? "stocks", digits, pipSize, currencies };
    const own = known.get(symbol);
    return own !== undefined && isSame(own, next) ? own : next;
  });
}

function isSame(one: BoardInstrument, other: BoardInstrument): boolean {
  return (
    one.name === other.name &&
    one.category === other.category &&
    one.digits === other.digits &&
    one.pipSize === other.pipSize &&
    one.currencies === other.currencies
  );
}
