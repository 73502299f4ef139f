import type { ServedQuote } from "@/lib/book/quote";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import type { Runtime } from "@/lib/runtime";
import { SECOND_MS } from "@/lib/time/units";

/** Shown while it is simulated, unless the settings name a symbol. */
const DEFAULT_SYMBOL = "EURUSD";

type LandingRuntime = Pick<Runtime, "book" | "now"> & { readonly config: Pick<Runtime["config"], "landingSymbol"> };

interface Cached {
  readonly second: number;
  readonly quote: LandingQuote | null;
}

const cache = new WeakMap<LandingRuntime["book"], Cached>();

/**
 * Reads the quote for visitors without an account, at most once a second for all of them. Null if there is none to
 * show: prices of brokers are shown only if the operator names the symbol.
 */
export function readLandingQuote(runtime: LandingRuntime): LandingQuote | null {
  const { book, now } = runtime;
  const second = Math.floor(now() / SECOND_MS);
  const cached = cache.get(book);
  if (cached?.second === second) return cached.quote;
  const quote = findLandingQuote(runtime);
  cache.set(book, { second, quote });
  return quote;
}

function findLandingQuote({ book, config: { landingSymbol } }: LandingRuntime): LandingQuote | null {
  if (landingSymbol === "none") return null;
  const instrument = instrumentBySymbol.get(landingSymbol ?? DEFAULT_SYMBOL);
  const served = instrument && book.served(instrument.symbol);
  if (instrument === undefined || served === undefined) return null;
  if (landingSymbol === null && served.mode !== "simulated") return null;
  const { name, digits, pipSize } = instrument;
  const { symbol, bid, ask, spread, spreadPips, source, mode, state } = served;
  const timeMs = Math.floor(served.timeMs / SECOND_MS) * SECOND_MS;
  return { symbol, name, digits, pipSize, bid, ask, spread, spreadPips, timeMs, source, mode, state };
}

/** The one quote that visitors without an account see. Its time is cut to the second. */
export type LandingQuote = Omit<ServedQuote, "json"> & Pick<Instrument, "name" | "digits" | "pipSize">;
