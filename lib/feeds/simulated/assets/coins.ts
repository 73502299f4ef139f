import { type Asset, asset } from "@/lib/feeds/simulated/assets/asset";

/** Coins, valued in US dollars. Most follow Bitcoin, with larger moves. */
export const coins: Readonly<Record<string, Asset>> = {
  BTC: asset(91_500, 42, 1.8, "coins"),
  ETH: asset(3_020, 32, 3, "coins", "BTC 1.15"),
  LTC: asset(88, 45, 12, "coins", "BTC 0.9"),
  BCH: asset(495, 48, 12, "coins", "BTC 0.9"),
  XRP: asset(2.1, 50, 8, "coins", "BTC 0.9"),
  SOL: asset(138, 45, 8, "coins", "BTC 1.2"),
  BNB: asset(890, 35, 8, "coins", "BTC 0.8"),
  LINK: asset(13.2, 50, 15, "coins", "BTC 1.1"),
  UNI: asset(7.1, 60, 25, "coins", "BTC 1.1"),
  AVAX: asset(14.1, 55, 20, "coins", "BTC 1.2"),
  DOT: asset(2.75, 52, 25, "coins", "BTC 1.1"),
  ATOM: asset(2.85, 52, 25, "coins", "BTC 1"),
  ETC: asset(14.2, 48, 20, "coins", "BTC 1"),
  ADA: asset(0.47, 50, 20, "coins", "BTC 1.1"),
  DOGE: asset(0.158, 60, 18, "coins", "BTC 1.1"),
  XLM: asset(0.25, 52, 20, "coins", "XRP 0.8"),
  TRX: asset(0.288, 35, 20, "coins", "BTC 0.5"),
  XTZ: asset(0.55, 50, 30, "coins", "BTC 1"),
  ALGO: asset(0.158, 52, 30, "coins", "BTC 1.1"),
};
