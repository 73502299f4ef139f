import type { RegionName } from "@/lib/feeds/simulated/regions";

/** One asset with its own price path. Instruments' prices are computed from assets. */
export interface Asset {
  /** The level that the path returns to: in USD for currencies, metals and coins, in its own currency otherwise. */
  readonly value: number;
  /** Yearly volatility of its own path in percent, without the part that comes from the asset it follows. */
  readonly volatility: number;
  /** Its part of a typical broker's spread, in hundredths of a percent of the price. */
  readonly spreadBp: number;
  /** The hours in which it moves. */
  readonly region: RegionName;
  /** Adds this share of another asset's path. */
  readonly follows?: { readonly asset: string; readonly share: number };
}

/** Shorthand for one row of a table: `follows` is text such as "EUR 0.7" for 0.7 of the euro's moves. */
export function asset(value: number, volatility: number, spreadBp: number, region: RegionName, follows = ""): Asset {
  if (follows === "") return { value, volatility, spreadBp, region };
  const [leader = "", share = "1"] = follows.split(" ");
  return { value, volatility, spreadBp, region, follows: { asset: leader, share: Number(share) } };
}
