import type { Instrument, TradingHours } from "@/lib/market/instrument";
import { cmeHours, dayAndNight, DEFAULTS, weekdays } from "@/lib/market/instruments/hours";

/**
 * Stock-index CFDs, one unit of the index a lot. Sources disagree on the pip of an index (0.01 at Dukascopy, 0.1 and
 * 1.0 elsewhere); the catalog uses 1.0, because traders mean whole numbers by "points". Prices have one decimal, as at
 * most brokers, and two where several brokers quote two.
 */

interface Terms {
  readonly quote: string;
  readonly hours: TradingHours;
  readonly digits?: number;
  readonly aliases: readonly string[];
}

function index(symbol: string, name: string, { quote, hours, digits = 1, aliases }: Terms): Instrument {
  return {
    ...DEFAULTS,
    symbol,
    name,
    description: `${name} stock index, in ${quote} per index point`,
    category: "indices",
    base: null,
    quote,
    digits,
    pipSize: 1,
    contractSize: 1,
    maxVolume: 250,
    marginCurrency: quote,
    tradingHours: hours,
    aliases,
  };
}

const usa = { quote: "USD", hours: cmeHours };
const dow = ["DJ30", "DJI30", "DJIA", "WS30", "DOW30", "DOW", "WALLSTREET", "USA30", "USA30.IDX-USD", "IBUS30"];
const sp500 = ["SPX500", "SP500", "SPX", "S&P500", "USSPX500", "USA500", "USA500.IDX-USD", "IBUS500"];
const nasdaq = ["USTEC", "USTECH", "US100", "USTech100", "NDX", "NDX100", "NASDAQ", "NASDAQ100", "USNDAQ100"];
const dax = ["DE40", "DAX40", "DAX", "GER30", "DE30", "DAX30", "DE40C", "GERMANY40", "DEU.IDX-EUR", "IBDE40"];
const euroStoxx = ["STOXX50", "EUSTX50", "ESTX50", "STOXX50E", "EUROSTOXX50", "EUS.IDX-EUR", "IBEU50"];

export const indexInstruments: readonly Instrument[] = [
  index("US30", "US Wall Street 30", { ...usa, aliases: dow }),
  index("US500", "US 500", { ...usa, digits: 2, aliases: sp500 }),
  index("NAS100", "US Tech 100", { ...usa, aliases: [...nasdaq, "USATECH", "USATECH.IDX-USD", "IBUST100"] }),
  index("US2000", "US Small Cap 2000", { ...usa, digits: 2, aliases: ["RUSSELL2000", "RTY", "USSC2000.IDX-USD"] }),
  index("GER40", "Germany 40", { quote: "EUR", hours: weekdays("Europe/Berlin", "01:15-22:00"), aliases: dax }),
  index("EU50", "Euro Stoxx 50", { quote: "EUR", hours: weekdays("Europe/Berlin", "01:15-22:00"), aliases: euroStoxx }),
  index("UK100", "UK 100", {
    quote: "GBP",
    hours: weekdays("Europe/London", "01:00-21:00"),
    aliases: ["FTSE100", "FTSE", "UKX", "GBR.IDX-GBP", "IBGB100"],
  }),
  index("FRA40", "France 40", {
    quote: "EUR",
    hours: weekdays("Europe/Paris", "08:00-22:00"),
    aliases: ["FR40", "F40", "CAC40", "FRANCE40", "FRA.IDX-EUR", "IBFR40"],
  }),
  index("ESP35", "Spain 35", {
    quote: "EUR",
    hours: weekdays("Europe/Madrid", "08:00-20:00"),
    aliases: ["ES35", "SPA35", "SPAIN35", "IBEX35", "ESP.IDX-EUR", "IBES35"],
  }),
  index("ITA40", "Italy 40", {
    quote: "EUR",
    hours: weekdays("Europe/Rome", "09:00-17:40"),
    aliases: ["IT40", "ITALY40", "FTSEMIB", "ITA.IDX-EUR"],
  }),
  index("NED25", "Netherlands 25", {
    quote: "EUR",
    hours: weekdays("Europe/Amsterdam", "08:00-22:00"),
    digits: 2,
    aliases: ["NL25", "NETH25", "AEX", "AEX25", "NLD.IDX-EUR", "IBNL25"],
  }),
  index("SWI20", "Switzerland 20", {
    quote: "CHF",
    hours: weekdays("Europe/Zurich", "08:00-22:00"),
    aliases: ["CH20", "SUI20", "SMI", "SMI20", "SWISS20", "CHE.IDX-CHF", "IBCH20"],
  }),
  index("JP225", "Japan 225", {
    quote: "JPY",
    hours: cmeHours,
    aliases: ["JPN225", "NIKKEI", "NIKKEI225", "NI225", "JAPAN225", "JPN.IDX-JPY", "IBJP225"],
  }),
  index("AUS200", "Australia 200", {
    quote: "AUD",
    hours: dayAndNight("Australia/Sydney", ["09:50-16:30"], "17:10", "08:00"),
    aliases: ["AU200", "ASX200", "AUSTRALIA200", "AUS.IDX-AUD", "IBAU200"],
  }),
  index("HK50", "Hong Kong 50", {
    quote: "HKD",
    hours: dayAndNight("Asia/Hong_Kong", ["09:15-12:00", "13:00-16:30"], "17:15", "03:00"),
    aliases: ["HSI", "HSI50", "HKG50", "HK33", "HANGSENG", "HKG.IDX-HKD", "IBHK50"],
  }),
  index("CHINA50", "China A50", {
    quote: "USD",
    hours: dayAndNight("Asia/Singapore", ["09:00-16:30"], "17:00", "05:15"),
    aliases: ["CN50", "CHN50", "CHINAA50", "FTSEA50", "CHI.IDX-USD"],
  }),
  index("SING30", "Singapore 30", {
    quote: "SGD",
    hours: dayAndNight("Asia/Singapore", ["08:30-17:20"], "17:50", "04:45"),
    digits: 2,
    aliases: ["SG30", "SGD.IDX-SGD"],
  }),
];
