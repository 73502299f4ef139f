import type { Category } from "@/lib/market/instrument";

/** The words by which markets are named: codes of currencies, metals and coins, exchanges, futures, crops, indices. */

export const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** ISO 4217 codes that are traded or published, CNH as markets call the offshore yuan, and two that old lists still have. */
export const CURRENCIES = words(
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF " +
    "CLF CLP CNH CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD " +
    "HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD " +
    "MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR " +
    "RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH " +
    "UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG",
);
/** Hundredths of a currency in which shares and crops are priced: pence, US cents, South African cents. */
const SMALL_UNITS = words("GBX USX ZAC ILA");
export const PRECIOUS = words("XAU XAG XPT XPD");
/** Oil, gas and industrial metals in the notation of currencies. */
export const COMMODITY_CODES = words("XTI XBR XNG XCU XAL XZN XNI XPB XSN XLD");
export const STABLECOINS = words(
  "USDT USDC FDUSD TUSD BUSD GUSD PYUSD RLUSD USDE USDD USDP USDG USDS USDQ USDR USD1 DAI UST USTC EURT EURC EURI EURR EURQ EURS",
);
export const COINS = words(
  "AAVE ADA AGIX ALGO ALICE ANKR APE APT AR ARB ATOM AVAX AVE AXS BABYDOGE BAL BAND BAT BCH BGB BNB BNT BONK BSV BTC BTG " +
    "BTT CAKE CELO CFX CHZ CMP COMP CRO CRV CVX DASH DCR DENT DGB DOGE DOT DSH DYDX DYM EGLD ENA ENJ ENS EOS ETC ETH " +
    "ETHW ETHFI FET FIL FLOKI FLOW FLR FTM FTT GALA GMX GRT HBAR HNT HOT HYPE ICP ICX IMX INJ IOST IOT IOTA JASMY JTO " +
    "JUP KAS KAVA KSM LDO LINK LNK LPT LRC LTC LUNA LUNC MANA MASK MAT MATIC MEME MINA MIOTA MKR MNT NEAR NEO NOT " +
    "OMG ONDO ONE ONT OP ORDI PAXG PEPE PENDLE PI POL POLKA POPCAT PYTH QNT QTUM RENDER RNDR ROSE RUNE RVN SAND SEI " +
    "SHIB SNX SOL STETH STRK STX SUI SUSHI TAO THETA TIA TON TRB TRUMP TRX UNI VET VIRTUAL W WAVES WBTC WIF WLD WOO " +
    "XAUT XBT XDG XEC XEM XLM XMR XRP XTZ XVG YFI ZEC ZEN ZIL ZK ZRO ZRX 1INCH",
);
/** Coins that others are quoted in. */
export const QUOTE_COINS = words("BTC ETH BNB XBT SOL LTC BCH XRP TRX");
export function isMoney(code: string): boolean {
  return CURRENCIES.has(code) || SMALL_UNITS.has(code);
}

/** The suffixes of exchanges, by country. A single letter counts only in capitals. */
export const EXCHANGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    US: "US NAS NASDAQ NYSE ARCA NYSEARCA AMEX BATS OQ",
    DE: "DE ETR XE XETRA XETR GY",
    GB: "GB UK L LSE LN LON",
    FR: "FR PA PAR",
    NL: "NL AS AMS",
    BE: "BE BRU",
    ES: "ES MC MAD BME",
    IT: "IT MI MIL",
    CH: "CH SW VX SIX",
    AT: "AT VI VIE",
    PT: "PT LS LIS",
    IE: "IE IR",
    SE: "SE ST STO",
    DK: "DK CPH",
    NO: "NO OL OSL",
    FI: "FI HE HEL",
    PL: "PL WA WSE",
    CZ: "CZ",
    HU: "HU",
    HK: "HK HKG HKEX",
    JP: "JP T TYO TSE",
    SG: "SG SGX",
    AU: "AU AX ASX",
    IN: "IN NS NSE",
    KR: "KR KS KQ",
    TW: "TW TWO",
    CN: "CN SS SZ",
    TR: "TR IS",
    BR: "SA BVMF",
    CA: "CA TO TSX",
    MX: "MX",
    ZA: "ZA JSE",
  }).flatMap(([country, suffixes]) => suffixes.split(" ").map((suffix) => [suffix, country] as const)),
);

export interface NameKind {
  readonly category: Category;
  readonly group: Group | null;
}

/** Markets that differ from their category in hours or pip. */
type Group = "grain" | "soft" | "brent" | "low" | "synthetic" | "dayAndNightShare";

/** Roots of exchange-traded futures, which carry the month without a sign between: "ESZ5". */
const FUTURES: ReadonlyMap<string, NameKind> = new Map(
  [
    listFutures("metals", null, "GC MGC SI SIL PL PA GOLD SILVER PLAT PLATINUM PALL PALLADIUM"),
    listFutures("commodities", null, "CL MCL QM NG QG MNG RB HO HG MHG LE HE GF WTI NGAS"),
    listFutures("commodities", "brent", "BZ BRENT"),
    listFutures("commodities", "grain", "ZC ZW ZS ZM ZL ZO KE"),
    listFutures("commodities", "soft", "KC CC CT SB OJ"),
    listFutures("indices", null, "ES MES NQ MNQ YM MYM RTY M2K NKD NIY FDAX FDXM FDXS FESX WIN IND"),
    listFutures("indices", "low", "DX VX VIX DXY USDX ZB ZN ZF ZT UB TN FGBL FGBM FGBS FGBX BUND"),
    listFutures("forex", null, "6A 6B 6C 6E 6J 6M 6N 6S M6A M6B M6E WDO DOL"),
    listFutures("crypto", null, "BTC MBT ETH MET"),
  ].flat(),
);

function listFutures(category: Category, group: Group | null, roots: string) {
  return roots.split(" ").map((root) => [root, { category, group }] as const);
}

/** What a future with this root delivers; null for another name. */
export function readFuture(root: string): NameKind | null {
  return FUTURES.get(root) ?? null;
}

/** The words at the beginning of a name, with no further letters behind them: OATLY is no bond. */
const named = (text: string) =>
  new RegExp(`^(?:US|UK)?(?:${text.split(" ").join("|")})S?(?=$|[^A-Z]|INDEX$|INDX$|BASKET$)`);
const NAMED_KINDS: readonly (readonly [RegExp, Category, Group | null])[] = [
  [
    /^(?:R(?=\d{1,3}$)|1HZ|JD|RB|BOOM|CRASH|STEP|STPRNG|JUMP|RANGEBREAK|VOLATILITY|HFVOL|DEX|DRIFTSWITCH)\d+/,
    "indices",
    "synthetic",
  ],
  [/^(?:RDBULL|RDBEAR|STPRNG|STEPINDEX|BULLMARKETINDEX|BEARMARKETINDEX|MULTISTEP\d|VOLOVER)/, "indices", "synthetic"],
  [named("GOLD SILVER PLATINUM PALLADIUM GOLDM GOLDMINI SILVERM XAU XAG XPT XPD"), "metals", null],
  [
    named("WHEAT CORN SOY SOYBEAN SOYBN SBEAN SOYBEANOIL SOYBEANMEAL SOYOIL SOYMEAL OAT ROUGHRICE KCWHEAT"),
    "commodities",
    "grain",
  ],
  [
    named("COFFEE COFFEEC COCOA SUGAR SUGAR11 COTTON OJ OJUICE ORANGEJUICE ROBUSTA LSUGAR UKCOCOA"),
    "commodities",
    "soft",
  ],
  [named("BRENT BRENTOIL UKOIL LCO BCO"), "commodities", "brent"],
  [
    named(
      "OIL WTI WTICO CRUDE CRUDEOIL USO SPOTCRUDE SPOTBRENT GASOIL GASOLINE DIESEL HEATOIL HEATINGOIL RBOB NGAS NATGAS " +
        "NATURALGAS GAS COPPER ALUMINIUM ALUMINUM ZINC NICKEL LEAD TIN IRONORE LUMBER CATTLE LIVECATTLE FEEDERCATTLE " +
        "LONDONGASOIL GSOIL UKNATGAS TTFGAS LEANHOG HOG CARBON EMISSION URANIUM LIGHT",
    ),
    "commodities",
    null,
  ],
  [named("VIX VOLX VOL VSTOXX DXY DX USDX DOLLAR USDOLLAR DOLLARINDX EURX JPYX GBPX"), "indices", "low"],
  [
    named("BUND BOBL SCHATZ BUXL BTP OAT GILT LONGGILT UKGILT USTBOND USTN TNOTE TBOND EUROBUND EUBUND"),
    "indices",
    "low",
  ],
  [/^(?:US|UST|UK|DE|GB|JP|IT|FR|AU|CH|CA)B?(?:0[25]|2|5|10|20|30)YB?R?(?:$|T|PX|[^A-Z])/, "indices", "low"],
  [
    named(
      "TECDAX MDAX SDAX NIFTY BANKNIFTY SENSEX TOPIX KOSPI IBOV BVSP OMX TWIX TAIEX FTSE CAC DAX IBEX HSI HSCEI HSTECH " +
        "CHINAH ECOMMERCE",
    ),
    "indices",
    null,
  ],
  [/[A-Z]{3}(?:INDEX|INDX|IDX|BASKET)$/, "indices", null],
  [/^[A-Z]{2,10}\d{2,4}$/, "indices", null],
];

/** What a name of letters and digits in capitals is usual for. */
export function readKind(plain: string): NameKind | null {
  for (const [pattern, category, group] of NAMED_KINDS) {
    if (pattern.test(plain)) return { category, group };
  }
  return null;
}
