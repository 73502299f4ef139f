import type { RegionName } from "@/lib/feeds/simulated/regions";

/** One thing with a price of its own, from which the instruments' prices are made. */
export interface Asset {
  /** The level the path keeps returning to: in USD for money, metals and coins, in its own currency otherwise. */
  readonly value: number;
  /** Yearly volatility of its own path in percent, beside what it takes over from the asset it follows. */
  readonly volatility: number;
  /** Its part of a typical broker's spread, in hundredths of a percent of the price. */
  readonly spreadBp: number;
  /** When it moves. */
  readonly region: RegionName;
  /** Moves along with another asset's path, by this share of it. */
  readonly follows?: { readonly asset: string; readonly share: number };
}

/** Told in a line: value, volatility, spread, region, and "EUR 0.7" for seven tenths of what the euro does. */
export function asset(value: number, volatility: number, spreadBp: number, region: RegionName, follows = ""): Asset {
  if (follows === "") return { value, volatility, spreadBp, region };
  const [leader = "", share = "1"] = follows.split(" ");
  return { value, volatility, spreadBp, region, follows: { asset: leader, share: Number(share) } };
}
