/** What venues are subscribed to unless the operator lists symbols. All have six letters. */
const PAIRS = [
  "EURUSD GBPUSD USDJPY AUDUSD USDCAD USDCHF NZDUSD EURGBP EURJPY EURCHF EURAUD EURCAD EURNZD",
  "GBPJPY GBPCHF GBPAUD GBPCAD GBPNZD AUDJPY AUDCAD AUDCHF AUDNZD CADJPY CADCHF CHFJPY NZDJPY NZDCAD NZDCHF",
  "XAUUSD XAGUSD",
].flatMap((line) => line.split(" "));

/** The last three letters are the currency. */
const COINS = [
  "BTCUSD ETHUSD BTCEUR ETHEUR LTCUSD BCHUSD XRPUSD SOLUSD LINKUSD UNIUSD AVAXUSD DOTUSD ATOMUSD ADAUSD DOGEUSD XLMUSD",
].flatMap((line) => line.split(" "));

type Spell = (base: string, quote: string) => string;

/** Returns the canonical symbol of each usual pair of currencies and metal, by the venue's spelling. */
export function spellPairs(spell: Spell): Readonly<Record<string, string>> {
  return spellAll(PAIRS, spell);
}

/** Returns the canonical symbol of each usual crypto currency, by the venue's spelling. */
export function spellCoins(spell: Spell): Readonly<Record<string, string>> {
  return spellAll(COINS, spell);
}

/** EUR/USD, as most venues write it. */
export const withSlash: Spell = (base, quote) => `${base}/${quote}`;

function spellAll(symbols: readonly string[], spell: Spell): Record<string, string> {
  return Object.fromEntries(symbols.map((symbol) => [spell(symbol.slice(0, -3), symbol.slice(-3)), symbol]));
}
