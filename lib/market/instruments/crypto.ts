import type { Instrument } from "@/lib/market/instrument";
import { cryptoHours, DEFAULTS } from "@/lib/market/instruments/hours";

/**
 * Coins against currencies, one coin a lot. A pip is 1 for expensive coins, 0.01 for those of some dollars, and 0.0001
 * for those of cents. Pairs against USDT or USDC are other instruments with other prices and are not listed; neither
 * may resolve to the dollar pair.
 */

interface Grid {
  readonly digits: number;
  readonly pipSize: number;
}
const expensive: Grid = { digits: 2, pipSize: 1 };
const middling: Grid = { digits: 3, pipSize: 0.01 };
const cheap: Grid = { digits: 5, pipSize: 0.0001 };

function coin(symbol: string, coinName: string, grid: Grid, aliases: readonly string[] = []): Instrument {
  const base = symbol.slice(0, -3);
  const quote = symbol.slice(-3);
  return {
    ...DEFAULTS,
    symbol,
    name: `${coinName} vs ${quote === "EUR" ? "Euro" : "US Dollar"}`,
    description: `${coinName}: price of one ${base} in ${quote}`,
    category: "crypto",
    base,
    quote,
    digits: grid.digits,
    pipSize: grid.pipSize,
    contractSize: 1,
    marginCurrency: quote,
    tradingHours: cryptoHours,
    aliases,
  };
}

export const cryptoInstruments: readonly Instrument[] = [
  coin("BTCUSD", "Bitcoin", expensive, ["BTC", "BITCOIN", "XBTUSD"]),
  coin("ETHUSD", "Ethereum", expensive, ["ETH", "ETHEREUM"]),
  coin("BTCEUR", "Bitcoin", expensive, ["XBTEUR"]),
  coin("ETHEUR", "Ethereum", expensive),
  coin("LTCUSD", "Litecoin", expensive, ["LITECOIN"]),
  coin("BCHUSD", "Bitcoin Cash", expensive, ["BITCOINCASH"]),
  coin("XRPUSD", "Ripple", cheap, ["XRP", "RIPPLE"]),
  coin("SOLUSD", "Solana", middling, ["SOLANA"]),
  coin("BNBUSD", "BNB", middling),
  coin("LINKUSD", "Chainlink", middling, ["CHAINLINK", "LNKUSD"]),
  coin("UNIUSD", "Uniswap", middling, ["UNISWAP"]),
  coin("AVAXUSD", "Avalanche", middling, ["AVALANCHE"]),
  coin("DOTUSD", "Polkadot", middling, ["POLKADOT"]),
  coin("ATOMUSD", "Cosmos", middling),
  coin("ETCUSD", "Ethereum Classic", middling),
  coin("ADAUSD", "Cardano", cheap, ["CARDANO"]),
  coin("DOGEUSD", "Dogecoin", cheap, ["DOGECOIN"]),
  coin("XLMUSD", "Stellar", cheap, ["STELLAR"]),
  coin("TRXUSD", "TRON", cheap, ["TRON"]),
  coin("XTZUSD", "Tezos", cheap, ["TEZOS"]),
  coin("ALGOUSD", "Algorand", cheap, ["ALGORAND"]),
];
