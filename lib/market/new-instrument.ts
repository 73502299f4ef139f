import { instrumentBySymbol } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import {
  type Category,
  type FactOrigin,
  type Instrument,
  type Provenance,
  type TradingHours,
  WEEKDAYS,
} from "@/lib/market/instrument";
import {
  brentHours,
  cmeHours,
  cryptoHours,
  DEFAULTS,
  exchangeHours,
  forexHours,
  grainHours,
  softHours,
} from "@/lib/market/instruments/hours";
import { CURRENCIES, isMoney, STABLECOINS } from "@/lib/market/market-words";
import { MAX_DIGITS, PIP_SIZES } from "@/lib/market/price";
import { createResolver } from "@/lib/market/resolver";
import { MAX_SYMBOL_LENGTH, readSymbolName, type SymbolName } from "@/lib/market/symbol-name";
import { isZone } from "@/lib/time/zone-offset";

/**
 * Makes an instrument from what a source says of a symbol that the catalog does not have. What the source says comes
 * first, then the shape of the name, then what is usual for the category. The six categories hold everything: a bond, a
 * rate, a volatility and a synthetic market are "indices" (a figure in a currency, without a base); a fund is "stocks"
 * (listed and traded as a share); energies, crops and industrial metals are "commodities"; a future has the category of
 * what it delivers.
 */

/** What a source says of one of its symbols. What it does not say is left out. */
export interface SymbolFacts {
  /** As the source sends it with its prices. */
  readonly spelling: string;
  /** Decimals of its prices, 0 to 10. */
  readonly digits?: number;
  /** The most decimals that its prices have had so far, where the source does not say how many they can have. */
  readonly seenDigits?: number;
  readonly description?: string;
  /** The broker's tree of symbols, such as "Forex\\Majors\\EURUSD" or "CFDs/Soft Commodities". */
  readonly path?: string;
  /** The source's own word for its kind, such as "CURRENCY", "CFD", "METAL", "spot", "forex", "synthetic_index". */
  readonly kind?: string;
  readonly base?: string;
  /** The currency that it is priced in; "GBX", "GBp" and "USX" are hundredths. */
  readonly quote?: string;
  readonly margin?: string;
  readonly pipSize?: number;
  readonly contractSize?: number;
  readonly minVolume?: number;
  readonly maxVolume?: number;
  readonly volumeStep?: number;
  readonly swapLong?: number;
  readonly swapShort?: number;
  readonly tradingHours?: TradingHours;
}

const MAX_TEXT_LENGTH = 200;
const MAX_NAME_LENGTH = 80;
const SYMBOL = /^[A-Z0-9](?:[A-Z0-9.&_-]*[A-Z0-9])?$/;

/**
 * The canonical symbol of a spelling: the catalog's if it has the spelling, otherwise the name without the broker's
 * decoration, in upper case, [A-Z0-9.&_-], at most 32 characters. Null if nothing usable is left, or if the name means
 * another instrument of the catalog, or several. Never throws.
 */
export function cleanSymbol(facts: SymbolFacts): string | null {
  const known = catalogResolver.resolve(facts.spelling);
  if (known.kind === "found") return known.instrument.symbol;
  return known.kind === "ambiguous" || isBareNumber(facts) ? null : chooseSymbol(readName(facts));
}

/** Never throws; null where `cleanSymbol` is null, and for a spelling that the catalog has. */
export function describeNewInstrument(
  facts: SymbolFacts,
): { readonly instrument: Instrument; readonly provenance: Provenance } | null {
  if (catalogResolver.resolve(facts.spelling).kind !== "unknown" || isBareNumber(facts)) return null;
  const name = readName(facts);
  const symbol = chooseSymbol(name);
  return name === null || symbol === null ? null : describe(facts, name, symbol);
}

/** Whether a number stands for the symbol, as on FIX, so that prices alone do not identify it. Shares of Asia have a number and a description. */
function isBareNumber({ spelling, description, path, kind }: SymbolFacts): boolean {
  return /^\s*\d+\s*$/.test(spelling) && description === undefined && path === undefined && kind === undefined;
}

/**
 * The instrument of a source that an unknown spelling names too, in another notation: "AEWA.L" where "AEWA.UK" was added as
 * AEWA.GB. Null unless its category and its currency are the same.
 */
export function findSameInstrument(facts: SymbolFacts): Instrument | null {
  const name = readName(facts);
  const known = instrumentBySymbol.get(name?.candidates[0] ?? "");
  if (name === null || known?.addedBy === undefined) return null;
  const category = deriveCategory(facts, name).value;
  const isSame = category === known.category && deriveCurrencies(facts, name, category).value.quote === known.quote;
  return isSame ? known : null;
}

/**
 * The same under a symbol that an operator chose, also where the spelling names another instrument. Null if the symbol is
 * not written as one, or is taken.
 */
export function describeAs(symbol: string, facts: SymbolFacts) {
  const name = readName(facts) ?? readName({ ...facts, spelling: symbol });
  const isFree = SYMBOL.test(symbol) && symbol.length <= MAX_SYMBOL_LENGTH && !instrumentBySymbol.has(symbol);
  return name !== null && isFree ? describe(facts, name, symbol) : null;
}

/**
 * The instrument that a source added, with what the source says now and did not say when it was added; null if that
 * changes nothing. Its symbol, its category and the digits and pips of its prices stay.
 */
export function completeInstrument(facts: SymbolFacts, known: Instrument): Instrument | null {
  const name = readName(facts);
  const { addedBy } = known;
  if (name === null || addedBy === undefined) return null;
  const now = describe(facts, name, known.symbol);
  const isNew = (fact: keyof Provenance) =>
    now.provenance[fact] === "source" &&
    addedBy.provenance[fact] !== "source" &&
    addedBy.provenance[fact] !== "operator";
  const { tradingHours, name: title, description } = now.instrument;
  const hours = isNew("hours") ? { tradingHours } : {};
  const text = isNew("name") ? { name: title, description } : {};
  if (!isNew("hours") && !isNew("name")) return null;
  const provenance = {
    ...addedBy.provenance,
    ...(isNew("hours") ? { hours: "source" as const } : {}),
    ...(isNew("name") ? { name: "source" as const } : {}),
  };
  return { ...known, ...hours, ...text, addedBy: { ...addedBy, provenance } };
}

function describe(facts: SymbolFacts, name: SymbolName, symbol: string) {
  const category = deriveCategory(facts, name);
  const money = deriveCurrencies(facts, name, category.value);
  const isPair = money.value.base !== null;
  const digits = deriveDigits(facts, category.value, money.value);
  const pip = derivePip(facts, name, category.value, digits.value, money.value.quote);
  const hours = deriveHours(facts, name, category.value, money.value.quote);
  const text = deriveText(facts, symbol, money.value);
  const { aliases } = DEFAULTS;
  const described = {
    instrument: {
      symbol,
      name: text.value.name,
      description: text.value.description,
      category: category.value,
      ...money.value,
      marginCurrency:
        readCode(facts.margin) ?? (category.value === "forex" && isPair ? money.value.base : money.value.quote),
      digits: digits.value,
      pipSize: pip.value,
      contractSize: readPositive(facts.contractSize) ?? getUsualLot(category.value, money.value.base),
      ...deriveVolumes(facts, category.value),
      swapLong: readFinite(facts.swapLong),
      swapShort: readFinite(facts.swapShort),
      tradingHours: hours.value,
      aliases,
    } satisfies Instrument,
    provenance: {
      category: category.origin,
      currencies: money.origin,
      digits: digits.origin,
      pip: pip.origin,
      hours: hours.origin,
      name: text.origin,
    } satisfies Provenance,
  };
  // The symbol may be in another notation than the source's, such as AEWA.GB for "AEWA.UK".
  const { instrument } = described;
  const isRead = createResolver([instrument]).resolve(facts.spelling).kind === "found";
  return isRead ? described : { ...described, instrument: { ...instrument, aliases: [facts.spelling] } };
}

interface Derived<T> {
  readonly value: T;
  readonly origin: FactOrigin;
}

function derived<T>(value: T, origin: FactOrigin): Derived<T> {
  return { value, origin };
}

function readName(facts: SymbolFacts): SymbolName | null {
  const isShare = readSaidCategory(facts) === "stocks";
  return readSymbolName(facts.spelling, {
    isShare,
    country: isShare ? findForeignCountry(facts) : null,
    base: readCode(facts.base),
    quote: readCode(facts.quote),
  });
}

/** The first candidate that no spelling of the catalog means: "#GOLD" is a mining company, and GOLD is the metal. */
function chooseSymbol(name: SymbolName | null): string | null {
  const free = name?.candidates.find(
    (candidate) =>
      SYMBOL.test(candidate) &&
      (name.isSure || !isMoney(candidate)) &&
      candidate.length <= MAX_SYMBOL_LENGTH &&
      catalogResolver.resolve(candidate).kind === "unknown",
  );
  return free ?? null;
}

/** Words of brokers' trees and kinds, in the order in which they are looked for: "Stock Indices" are indices. */
const CATEGORY_WORDS: readonly (readonly [RegExp, Category])[] = [
  [/\betfs?\b|\bfunds?\b/, "stocks"],
  [/crypto|\bcoins?\b|\btokens?\b|digital asset/, "crypto"],
  [/bond|treasur|gilts?\b|interest rate|synthetic|derived|volatility|basket|crash|boom/, "indices"],
  [/\bind(?:ex|ices|exes)|\bidx\b|_ind(?:ex|ices)\b/, "indices"],
  [/metal|bullion/, "metals"],
  [/commodit|energ|\boils?\b|\bgas\b|\bsofts?\b|agri|\bgrains?\b|livestock/, "commodities"],
  [/stock|\bshares?\b|equit|nasdaq|nyse|xetra|euronext/, "stocks"],
  [/forex|\bfx|currenc|\bmajors?\b|\bminors?\b|exotic|\bcross(?:es)?\b/, "forex"],
];
const PRECIOUS_BASE = /^(?:XAU|XAG|XPT|XPD|GOLD|SILVER|PLAT|PALLAD)/;
const COMPANY =
  /\b(?:inc|incorporated|corp|corporation|company|plc|ltd|limited|ag|se|nv|n\.v|s\.?p\.?a|s\.a|asa|oyj|holdings?|group|adr)\.?\)?$|,? inc\b|\bcorp\b|\bETF\b|\bshares?\b|class [a-c]\b/i;

function findCategory(text: string): Category | null {
  const small = text.toLowerCase();
  return CATEGORY_WORDS.find(([pattern]) => pattern.test(small))?.[1] ?? null;
}

/** What the folders of the path say, the outermost first, and then the kind. "CFD" and "spot" say nothing. */
function readSaidCategory({ path, kind, spelling }: SymbolFacts): Category | null {
  const folders = (path ?? "").slice(0, MAX_TEXT_LENGTH).split(/[\\/]/);
  if (folders.length > 1 && folders.at(-1) === spelling) folders.pop();
  for (const text of [...folders, (kind ?? "").slice(0, MAX_TEXT_LENGTH)]) {
    const found = findCategory(text);
    if (found !== null) return found;
  }
  return null;
}

function deriveCategory(facts: SymbolFacts, name: SymbolName): Derived<Category> {
  const said = readSaidCategory(facts);
  if (said !== null) return derived(correctCategory(said, facts, name), "source");
  const isCompany = COMPANY.test((facts.description ?? "").slice(0, MAX_TEXT_LENGTH));
  if (isCompany && name.pair?.isKnown !== true && name.kind?.group !== "synthetic") return derived("stocks", "source");
  if (name.isSure && name.kind !== null) return derived(name.kind.category, "name");
  const described = findCategory((facts.description ?? "").slice(0, MAX_TEXT_LENGTH));
  if (described !== null) return derived(described, "source");
  return name.kind === null ? derived("indices", "default") : derived(name.kind.category, "name");
}

/** Brokers keep gold among currencies, and copper among metals. */
function correctCategory(said: Category, { spelling }: SymbolFacts, name: SymbolName): Category {
  const isPrecious =
    name.kind?.category === "metals" || PRECIOUS_BASE.test(spelling.toUpperCase().replace(/^[^A-Z]+/, ""));
  if (said === "metals") return isPrecious ? "metals" : "commodities";
  if (said === "commodities") return isPrecious ? "metals" : "commodities";
  if (said !== "forex" || !name.isSure || name.kind === null) return said;
  return name.kind.category;
}

interface Money {
  readonly base: string | null;
  readonly quote: string | null;
}

const CURRENCY_OF_COUNTRY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    USD: "US",
    EUR: "EU DE FR NL BE ES IT AT PT IE FI",
    GBP: "GB",
    CHF: "CH",
    JPY: "JP",
    HKD: "HK",
    AUD: "AU",
    CAD: "CA",
    SEK: "SE",
    NOK: "NO",
    DKK: "DK",
    PLN: "PL",
    CZK: "CZ",
    HUF: "HU",
    SGD: "SG",
    ZAR: "ZA",
    MXN: "MX",
    INR: "IN",
    KRW: "KR",
    TWD: "TW",
    CNY: "CN",
    TRY: "TR",
    BRL: "BR",
  }).flatMap(([currency, countries]) => countries.split(" ").map((country) => [country, currency] as const)),
);
/** The words of folders that name an exchange of the euro. */
const EURO_COUNTRIES: readonly (readonly [RegExp, string])[] = [
  [/german|xetra|frankfurt|\bDE\b/i, "DE"],
  [/fran(?:ce|ch)|french|paris|\bFR\b/i, "FR"],
  [/netherlands|dutch|amsterdam|\bNL\b/i, "NL"],
  [/spain|spanish|madrid|\bES\b/i, "ES"],
  [/ital(?:y|ian)|milan|\bIT\b/i, "IT"],
  [/belgi|brussels|\bBE\b/i, "BE"],
  [/portug|lisbon|\bPT\b/i, "PT"],
  [/austria|vienna|\bAT\b/i, "AT"],
  [/finland|finnish|helsinki|\bFI\b/i, "FI"],
  [/ireland|irish|dublin|\bIE\b/i, "IE"],
];

/** The country of a share that is not priced in dollars: its letters alone would name another company in New York. */
function findForeignCountry({ quote, path }: SymbolFacts): string | null {
  const country = getCountry(readCode(quote));
  if (country !== "EU") return country === "US" ? null : country;
  const where = (path ?? "").slice(0, MAX_TEXT_LENGTH);
  return EURO_COUNTRIES.find(([pattern]) => pattern.test(where))?.[1] ?? "EU";
}

/** The country of a currency, which the code of a currency begins with; "EU" for the euro, null for a coin. */
function getCountry(currency: string | null): string | null {
  return currency !== null && isMoney(currency) ? currency.slice(0, 2) : null;
}

function deriveCurrencies(facts: SymbolFacts, name: SymbolName, category: Category): Derived<Money> {
  const said = { base: readCode(facts.base), quote: readCode(facts.quote) };
  const hasPair = category === "forex" || category === "metals" || category === "crypto";
  if (hasPair && name.pair !== null) {
    // Terminals write USD for coins that are paid in USDT, because accounts hold no coins.
    const isSaid = said.quote === name.pair.quote && (said.base === null || said.base === name.pair.base);
    const isOther = said.quote !== null && said.quote !== name.pair.quote && !STABLECOINS.has(name.pair.quote);
    if (isOther && !name.pair.isKnown)
      return derived({ base: said.base === said.quote ? null : said.base, quote: said.quote }, "source");
    return derived({ base: name.pair.base, quote: name.pair.quote }, isSaid ? "source" : "name");
  }
  if (hasPair && said.base !== null && said.quote !== null && said.base !== said.quote) {
    return derived(said, "source");
  }
  const quote = said.quote ?? null;
  if (quote !== null) return derived({ base: null, quote }, "source");
  const written =
    name.currency ??
    name.pair?.quote ??
    CURRENCY_OF_COUNTRY.get(name.country ?? findIndexCountry(facts, category) ?? "");
  return written === undefined || written === null
    ? derived({ base: null, quote: "USD" }, "default")
    : derived({ base: null, quote: written }, "name");
}

const INDEX_COUNTRIES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:(?:DE|EU|FR|ES|IT|NL|BE|AT|FI|PT)\d|GER|MIDDE|TECDE|DAX|TECDAX|MDAX|SDAX|STOXX|EUSTX|ESTX|FRA|CAC|ESP|SPA|IBEX|ITA|NETH|AEX)/,
    "DE",
  ],
  [/^(?:FDAX|FESX|FGBL|FGBM|FGBS|BUND|BOBL|BUXL|SCHATZ|BTP|OAT|EUBUND|EUROBUND|EURB)/, "DE"],
  [/^(?:(?:UK|GB)\d|FTSE|GILT|LONGGILT|UKGILT)/, "GB"],
  [/^(?:CH\d|SWI|SUI|SMI)/, "CH"],
  [/^(?:JP\d|JPN|NIK|NI225|TOPIX)/, "JP"],
  [/^(?:HK\d|HSI|HSCEI|HSTECH|CHINAH)/, "HK"],
  [/^(?:AU\d|AUS|ASX)/, "AU"],
  [/^(?:SE\d|SWE|OMX)/, "SE"],
  [/^(?:NO\d|NOR)/, "NO"],
  [/^(?:DK\d|DEN)/, "DK"],
  [/^(?:PL\d|POL|WIG)/, "PL"],
  [/^(?:(?:SA|ZA)\d|SAF|RSA|SOA)/, "ZA"],
  [/^(?:NIFTY|BANKNIFTY|SENSEX)/, "IN"],
];

function findIndexCountry({ spelling }: SymbolFacts, category: Category): string | null {
  if (category !== "indices") return null;
  const plain = spelling.toUpperCase().replace(/[^A-Z0-9]+/g, "");
  return INDEX_COUNTRIES.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}

/** A code of a currency or coin in upper case; pence and cents by their usual code; null if it is none. */
function readCode(text: string | undefined): string | null {
  const code = (text ?? "").trim();
  if (code === "GBp" || code === "GBx") return "GBX";
  if (code === "ZAc") return "ZAC";
  const upper = code.toUpperCase();
  return /^[A-Z0-9]{2,12}$/.test(upper) && /[A-Z]/.test(upper) ? upper : null;
}

const FOREX_DIGITS: ReadonlyMap<string, number> = new Map([
  ["JPY", 3],
  ["HUF", 3],
  ["THB", 3],
  ["KRW", 2],
  ["IDR", 2],
  ["VND", 2],
  ["COP", 2],
  ["CLP", 2],
  ["CZK", 4],
]);
const FOREX_PIPS: ReadonlyMap<string, number> = new Map([
  ["JPY", 0.01],
  ["HUF", 0.01],
  ["THB", 0.01],
  ["CZK", 0.001],
]);
const USUAL_DIGITS: Readonly<Record<Category, number>> = {
  forex: 5,
  metals: 3,
  commodities: 3,
  indices: 2,
  crypto: 5,
  stocks: 2,
};

function deriveDigits(facts: SymbolFacts, category: Category, { quote }: Money): Derived<number> {
  const said = facts.digits;
  if (said !== undefined && Number.isInteger(said) && said >= 0 && said <= MAX_DIGITS) return derived(said, "source");
  const seen = Math.min(facts.seenDigits ?? 0, MAX_DIGITS);
  const ofQuote = category === "forex" ? FOREX_DIGITS.get(quote ?? "") : undefined;
  if (ofQuote !== undefined && seen <= ofQuote) return derived(ofQuote, "name");
  const isPaidInCoins = category === "crypto" && quote !== null && !CURRENCIES.has(quote) && !STABLECOINS.has(quote);
  const usual = isPaidInCoins ? 8 : USUAL_DIGITS[category];
  // One price shows at least how many there are.
  return seen > usual ? derived(seen, "source") : derived(usual, "default");
}

/** Ten to the power of `exponent`, but no finer than a point. */
function pipOf(exponent: number, digits: number): number {
  const at = Math.min(Math.max(2 - Math.max(exponent, -digits), 0), PIP_SIZES.length - 1);
  return PIP_SIZES[at] ?? 1;
}

function derivePip(
  facts: SymbolFacts,
  name: SymbolName,
  category: Category,
  digits: number,
  quote: string | null,
): Derived<number> {
  const said = PIP_SIZES.find((size) => size === facts.pipSize);
  if (said !== undefined) return derived(Math.max(said, pipOf(-digits, digits)), "source");
  const tenPoints = pipOf(Math.min(1 - digits, 0), digits);
  if (category === "forex") {
    const usual = FOREX_PIPS.get(quote ?? "");
    if (usual === tenPoints || usual === pipOf(-digits, digits)) return derived(usual, "name");
    // Prices with an even number of decimals end at the pip, those with one more at a tenth of it.
    return derived(digits >= 5 || digits % 2 === 1 ? tenPoints : pipOf(-digits, digits), "default");
  }
  if (category === "crypto") return derived(tenPoints, "default");
  if (category === "stocks") return derived(digits >= 2 ? 0.01 : 1, "default");
  if (category === "metals") return derived(digits >= 4 ? tenPoints : digits >= 2 ? 0.01 : 1, "default");
  if (category === "commodities") return derived(digits === 2 ? 0.01 : tenPoints, "default");
  // An index moves by whole points; a rate, a bond and a volatility, which are small, by hundredths.
  if (name.kind?.group === "low") return derived(pipOf(-2, digits), "name");
  return derived(digits >= 4 ? tenPoints : 1, "default");
}

function deriveHours(
  facts: SymbolFacts,
  name: SymbolName,
  category: Category,
  quote: string | null,
): Derived<TradingHours> {
  if (facts.tradingHours !== undefined && isTradingHours(facts.tradingHours))
    return derived(facts.tradingHours, "source");
  const group = name.kind?.category === category ? name.kind.group : null;
  if (group === "synthetic") return derived(cryptoHours, "name");
  if (group === "grain") return derived(grainHours, "name");
  if (group === "soft") return derived(softHours, "name");
  if (group === "brent") return derived(brentHours, "name");
  if (group === "dayAndNightShare") return derived(forexHours, "name");
  if (category === "crypto") return derived(cryptoHours, "default");
  if (category === "forex") return derived(forexHours, "default");
  if (category !== "stocks") return derived(cmeHours, "default");
  const country = name.country ?? getCountry(quote) ?? "US";
  const home = exchangeHours.get(country === "EU" ? "DE" : country);
  // Rather too long than too short: outside its hours an instrument counts as closed.
  if (home === undefined) return derived(forexHours, "default");
  return derived(home, name.country !== null && name.country !== "EU" ? "name" : "default");
}

function isTradingHours({ zone, days }: TradingHours): boolean {
  return isZone(zone) && WEEKDAYS.every((day) => Array.isArray(days[day]) && isDay(days[day]));
}

function isDay(spans: TradingHours["days"]["monday"]): boolean {
  const times = spans.flatMap(({ from, to }) => [from, to]);
  const isOrdered = times.every((time, i) => i === 0 || (times[i - 1] ?? "") <= time);
  return isOrdered && spans.every(({ from, to }) => from < to) && times.every(isTime);
}

function isTime(time: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(time);
}

function getUsualLot(category: Category, base: string | null): number {
  if (category === "forex") return 100_000;
  if (category === "metals") return base === "XAG" ? 5_000 : 100;
  return 1;
}

function deriveVolumes(facts: SymbolFacts, category: Category) {
  const usual = category === "stocks" ? { minVolume: 1, maxVolume: 10_000, volumeStep: 1 } : DEFAULTS;
  const minVolume = readPositive(facts.minVolume) ?? usual.minVolume;
  const maxVolume = readPositive(facts.maxVolume) ?? Math.max(usual.maxVolume, minVolume);
  const volumeStep = readPositive(facts.volumeStep) ?? Math.min(usual.volumeStep, minVolume);
  return minVolume <= maxVolume
    ? { minVolume, maxVolume, volumeStep }
    : { minVolume: usual.minVolume, maxVolume: usual.maxVolume, volumeStep: usual.volumeStep };
}

function readPositive(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : null;
}

function readFinite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value + 0 : null;
}

const currencyNames = new Intl.DisplayNames(["en"], { type: "currency" });

function nameCode(code: string): string {
  return isMoney(code) && CURRENCIES.has(code) ? (currencyNames.of(code) ?? code) : code;
}

function deriveText(
  facts: SymbolFacts,
  symbol: string,
  { base, quote }: Money,
): Derived<{ readonly name: string; readonly description: string }> {
  const said = (facts.description ?? "").replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
  if (said !== "") {
    const description = [...said].slice(0, MAX_TEXT_LENGTH).join("").trim();
    return derived({ name: [...description].slice(0, MAX_NAME_LENGTH).join("").trim(), description }, "source");
  }
  if (base !== null && quote !== null) {
    const name = `${nameCode(base)} vs ${nameCode(quote)}`;
    return derived({ name, description: `${name}: price of one ${base} in ${quote}` }, "name");
  }
  return derived({ name: symbol, description: `${symbol}: price in ${quote ?? "its currency"}` }, "name");
}
