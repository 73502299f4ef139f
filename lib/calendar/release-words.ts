/**
 * Different publishers' words for the same thing. Each pattern is applied to a lower-case title without its period and
 * its comparison, and replaced by common words; the order matters.
 */
export const SAME_WORDS: readonly (readonly [RegExp, string])[] = [
  // Abbreviations, spellings and nicknames.
  [/\bgov(t)?\b\.?/g, "government"],
  [/\bphilly\b/g, "philadelphia"],
  [/\bny (?=empire\b)/g, ""],
  [/\bmfg\b/g, "manufacturing"],
  [/\bnon-?\s?manufacturing\b/g, "services"],
  [/\bnon-?\s?farm\b/g, "nonfarm"],
  [/\bglobal dairy trade\b/g, "gdt"],
  [/\blabour\b/g, "labor"],
  [/\brealised\b/g, "realized"],
  [/\bavg\b\.?/g, "average"],
  [/\bnhpi\b|\bnew housing price index\b/g, "new hpi"],
  [/\brmpi\b/g, "raw materials price index"],
  [/\bippi\b|\bindustrial product price index\b/g, "industrial producer price index"],
  [/\b(sppi|cspi|corporate services? price( index)?)\b/g, "services producer price index"],
  // Surveys ask for expectations and publish their trend.
  [/\b(total )?orders? (expectations|balance)\b|\btrends?( -)?( total)? orders?\b/g, "order trend"],
  // Countries inside the euro area, as adjectives.
  [/\bgermany\b/g, "german"],
  [/\bfrance\b/g, "french"],
  [/\bitaly\b/g, "italian"],
  [/\bspain\b/g, "spanish"],
  // Seasonal adjustment: figures that are not adjusted are another series.
  [/\bn\.?s\.?a\b\.?/g, "unadjusted"],
  [/\bs\.?a\b\.?/g, ""],
  // Institutions.
  [/\b(u\.?s\.?|u\.?k\.?|eurozone|euro area|euro zone)(?=\s|$)/g, ""],
  [/\b(hcob|s&p global|s&p|markit|cips|jibun bank|au|judo bank|ihs)\b/g, ""],
  [/\bcaixin|ratingdog\b/g, "private"],
  [/\b(uom|university of michigan)\b/g, "michigan"],
  [/\bmichigan 1-year inflation\b/g, "michigan inflation"],
  [/\bbusiness nz\b/g, "businessnz"],
  [/\bbusinessnz (manufacturing|pmi).*/g, "businessnz pmi"],
  [/\bconference board|\bcb(?= )/g, "cb"],
  [/\brbnz|\brba|\bboj|\bboe|\bboc|\bsnb|\becb|\bfed\b|\bfomc|\bmpc\b|\bbank of (england|japan|canada)\b/g, "bank"],
  // Labour.
  [/\bnonfarm (employment change|payrolls)\b/g, "payrolls"],
  [/\bprivate payrolls\b(?!.*\badp)/g, "payrolls"],
  [/\badp (nonfarm )?(employment change|payrolls)\b/g, "adp payrolls"],
  [/\badp weekly employment change\b/g, "adp weekly payrolls"],
  [/^(initial )?(unemployment|jobless) claims$/g, "initial claims"],
  [/\bjobless claims\b/g, "claims"],
  [/\b(avg|average) hourly (earnings|wages)\b/g, "hourly earnings"],
  [/\baverage earnings( index)?( ?\+ ?bonus| incl\.? bonus)?$/g, "earnings bonus"],
  [/\bclaimant count change\b/g, "claimant count"],
  [/\bjolts job openings\b/g, "jolts openings"],
  // Decisions on rates.
  [
    /^(cash rate|official cash rate|official bank rate|main refinancing rate|overnight rate|federal funds rate|(bank )?policy rate|(bank )?interest rate decision)$/g,
    "rate decision",
  ],
  [/^mpc meeting minutes$|^bank bank meeting minutes$|^(bank )?monetary policy summary$/g, "policy summary"],
  [/\bmonetary policy assessment\b/g, "policy assessment"],
  [/\b(publishes )?account(s)? of (the )?monetary policy meeting\b/g, "monetary policy meeting account"],
  [/\bmonetary policy meeting accounts\b/g, "monetary policy meeting account"],
  // Prices.
  [/\bconsumer price index\b/g, "cpi"],
  [/\bproducer price index\b/g, "ppi"],
  [/\b(core pce price index|core pce)\b/g, "core pce"],
  [/\bhouse price index\b|\bhouse prices\b/g, "hpi"],
  [/\bgross domestic product\b/g, "gdp"],
  // Activity.
  [/\bfactory orders\b/g, "factory orders"],
  [/\bpurchasing managers.? index\b/g, "pmi"],
  [/\bleading (indicators|index|economic index)\b/g, "leading indicators"],
  [/\beconomy watchers (sentiment|current index|current)\b/g, "economy watchers"],
  [/\bm([0-4]) money (stock|supply)\b/g, "m$1 money"],
  [/\bforeign (currency )?reserves\b/g, "foreign reserves"],
  [/\bgdp (monthly )?(estimate|tracker)|monthly gdp tracker\b/g, "gdp tracker"],
  [/\bconsumer climate\b/g, "consumer climate"],
  [/\bapi weekly (statistical bulletin|crude oil stock)\b/g, "api weekly stock"],
  [/\b(crude oil inventories|eia crude oil stocks change|crude oil stocks change)\b/g, "crude oil inventories"],
  [/\b(eia )?natural gas (storage|stocks)( change)?\b/g, "natural gas storage"],
  [/\bcapacity utili[sz]ation rate\b/g, "capacity utilization"],
  // Auctions are identified by their term.
  [/\b(\d+)[ -]?(?:y|yr|year)\b(?=.*\bauction)/g, "$1y"],
  [/\b(jgb|bund|btp|oat|bonos|obligacion|gilt|treasury|note|bond|tips)(?=.*\bauction)/g, ""],
];

/**
 * Words that mean the same at most publishers, but not at all: a pair that has only these in common needs equal figures.
 * They are applied after those above; the order matters.
 */
export const USUAL_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bharmoni[sz]ed (inflation rate|cpi)\b/g, "hicp"],
  [/\binflation rate\b/g, "cpi"],
  [/\bgdp growth( rate)?\b/g, "gdp"],
  [/\bretail sales ex(cluding|\.)? autos?\b(?!\s*(,|\/|&|and\b))/g, "core retail sales"],
  [/\bdurable goods orders ex(cluding|\.)? transp(ort|ortation)?\b/g, "core durable goods orders"],
  [/\bclimate\b/g, "confidence"],
  [/\bconsents\b/g, "permits"],
  [/\bjobless rate\b/g, "unemployment rate"],
];

/**
 * Words that publishers add or omit. They do not distinguish two titles, but if only one title has them, the figures
 * must agree.
 */
export const LIGHT_WORDS: ReadonlySet<string> = new Set(
  "index change level data report monthly good adjusted survey estimate est optimism condition bank".split(" "),
);

/** Words without meaning for the match. */
export const EMPTY_WORDS: ReadonlySet<string> = new Set(
  "the of and a an for on in publishes release released announcement usd".split(" "),
);

/**
 * Which estimate of a figure a title names: the first, the second or the final one. Some words stand for either of two.
 * Publishers often omit it; if both titles have one, it must be the same.
 */
export const STAGES: ReadonlyMap<string, readonly number[]> = new Map([
  ["flash", [1]],
  ["advance", [1]],
  ["adv", [1]],
  ["1st", [1]],
  ["p", [1]],
  ["prel", [1, 2]],
  ["prelim", [1, 2]],
  ["preliminary", [1, 2]],
  ["second", [2]],
  ["2nd", [2]],
  ["revised", [2, 3]],
  ["third", [3]],
  ["3rd", [3]],
  ["final", [3]],
]);
