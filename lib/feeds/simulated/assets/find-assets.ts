import type { Asset } from "@/lib/feeds/simulated/assets/asset";
import { coins } from "@/lib/feeds/simulated/assets/coins";
import { contracts } from "@/lib/feeds/simulated/assets/contracts";
import { currencies } from "@/lib/feeds/simulated/assets/currencies";
import { shares } from "@/lib/feeds/simulated/assets/shares";
import type { Instrument } from "@/lib/market/instrument";

/** All assets by name: a currency's code, or an instrument's symbol. */
const assets: ReadonlyMap<string, Asset> = new Map(
  Object.entries({ ...currencies, ...coins, ...contracts, ...shares }),
);

export function findAsset(name: string): Asset {
  const found = assets.get(name);
  if (found === undefined) throw new Error(`The simulation has no asset "${name}"`);
  return found;
}

/**
 * The assets of an instrument's price: one asset against another, or one asset in its own currency. Undefined for an
 * instrument whose level the simulation does not define; it is not quoted.
 */
export function findLegs({ symbol, base, quote }: Instrument): { base: string; quote: string | null } | undefined {
  if (base !== null && quote !== null && assets.has(base) && assets.has(quote)) return { base, quote };
  return assets.has(symbol) ? { base: symbol, quote: null } : undefined;
}
