/** Currency pairs and metals, which Deriv writes with the prefix frx. */
const CURRENCIES_AND_METALS = [
  "EURUSD GBPUSD USDJPY AUDUSD USDCAD USDCHF NZDUSD EURGBP EURJPY EURCHF EURAUD EURCAD EURNZD",
  "GBPJPY GBPCHF GBPAUD GBPCAD GBPNZD AUDJPY AUDCAD AUDCHF AUDNZD NZDJPY USDMXN USDNOK USDPLN USDSEK",
  "XAUUSD XAGUSD XPTUSD XPDUSD",
]
  .join(" ")
  .split(" ");

const CRYPTO_CURRENCIES = ["BTCUSD", "ETHUSD"];

const INDICES: Readonly<Record<string, string>> = {
  OTC_SPC: "US500",
  OTC_NDX: "NAS100",
  OTC_DJI: "US30",
  OTC_FTSE: "UK100",
  OTC_GDAXI: "GER40",
  OTC_FCHI: "FRA40",
  OTC_SX5E: "EU50",
  OTC_N225: "JP225",
  OTC_AS51: "AUS200",
};

/** Returns the canonical symbol of each of Deriv's spellings. */
export function listDerivSymbols(): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(CURRENCIES_AND_METALS.map((symbol) => [`frx${symbol}`, symbol])),
    ...INDICES,
    ...Object.fromEntries(CRYPTO_CURRENCIES.map((symbol) => [`cry${symbol}`, symbol])),
  };
}
