import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import {
  brentHours,
  cmeHours,
  cryptoHours,
  exchangeHours,
  forexHours,
  grainHours,
  softHours,
  weekdays,
} from "@/lib/market/instruments/hours";
import { cleanSymbol, describeNewInstrument, type SymbolFacts } from "@/lib/market/new-instrument";
import { getSpreadPips } from "@/lib/market/price";
import { isSpelling } from "@/lib/market/resolver";
import { anyCharacter } from "@/lib/text/any-text.fixture";
import { manyRuns } from "@/lib/text/property-runs.fixture";

type Facts = Omit<SymbolFacts, "spelling">;

function summarize(spelling: string, facts: Facts): string {
  const made = describeNewInstrument({ spelling, ...facts });
  if (made === null) return `none, ${cleanSymbol({ spelling, ...facts })}`;
  const { symbol, category, base, quote, digits, pipSize } = made.instrument;
  return `${symbol} ${category} ${base ?? "-"}/${quote} ${digits} ${pipSize}`;
}

const terminal = (path: string, digits: number, base: string, quote: string, description?: string): Facts => ({
  path,
  digits,
  base,
  quote,
  margin: base,
  ...(description === undefined ? {} : { description }),
});
const oanda = (kind: string, pipLocation: number, digits: number, description: string): Facts => ({
  kind,
  pipSize: Number(`1e${pipLocation}`),
  digits,
  description,
});
const deriv = (kind: string, description: string, digits: number): Facts => ({ kind, description, digits });
const coin = (base: string, quote: string, digits: number): Facts => ({ kind: "spot", base, quote, digits });
const swiss = (description: string, digits: number): Facts => ({ description, digits });

const MADE: readonly (readonly [string, Facts, string])[] = [
  // Terminals with plain names, in the tree of their broker.
  ["USDRUB", terminal("Forex\\Exotics\\USDRUB", 5, "USD", "RUB"), "USDRUB forex USD/RUB 5 0.0001"],
  ["EURRUB", terminal("Forex\\Exotics\\EURRUB", 4, "EUR", "RUB"), "EURRUB forex EUR/RUB 4 0.0001"],
  ["USDBRL", terminal("Forex\\NDF\\USDBRL", 5, "USD", "BRL"), "USDBRL forex USD/BRL 5 0.0001"],
  ["USDCLP", terminal("Forex\\Exotics\\USDCLP", 2, "USD", "CLP"), "USDCLP forex USD/CLP 2 0.01"],
  ["USDKRW", terminal("Forex\\NDF\\USDKRW", 3, "USD", "KRW"), "USDKRW forex USD/KRW 3 0.01"],
  ["USDIDR", terminal("Forex\\NDF\\USDIDR", 0, "USD", "IDR"), "USDIDR forex USD/IDR 0 1"],
  ["MXNJPY", terminal("Forex\\MXNJPY", 5, "MXN", "JPY"), "MXNJPY forex MXN/JPY 5 0.0001"],
  ["NOKJPY", terminal("Forex\\NOKJPY", 3, "NOK", "JPY"), "NOKJPY forex NOK/JPY 3 0.01"],
  ["CHFHUF", terminal("Forex\\CHFHUF", 3, "CHF", "HUF"), "CHFHUF forex CHF/HUF 3 0.01"],
  ["XAUJPY", terminal("Metals\\XAUJPY", 0, "XAU", "JPY"), "XAUJPY metals XAU/JPY 0 1"],
  ["XAGAUD", terminal("Spot Metals\\XAGAUD", 5, "XAG", "AUD"), "XAGAUD metals XAG/AUD 5 0.0001"],
  ["XAUCNH", terminal("Forex\\GOLD\\XAUCNH", 2, "XAU", "CNH"), "XAUCNH metals XAU/CNH 2 0.01"],
  ["XALUSD", terminal("Metals\\XALUSD", 2, "USD", "USD"), "XALUSD commodities -/USD 2 0.01"],
  ["XNIUSD", terminal("Metals\\XNIUSD", 2, "XNI", "USD"), "XNIUSD commodities -/USD 2 0.01"],
  ["XZNUSD", terminal("Commodities\\XZNUSD", 2, "XZN", "USD"), "XZNUSD commodities -/USD 2 0.01"],
  ["Zinc", terminal("Metals\\Zinc", 2, "USD", "USD"), "ZINC commodities -/USD 2 0.01"],
  ["XTIEUR", terminal("Energies\\XTIEUR", 3, "XTI", "EUR"), "XTIEUR commodities -/EUR 3 0.01"],
  ["COFFEE", terminal("CFDs/Soft Commodities/COFFEE", 2, "USD", "USD"), "COFFEE commodities -/USD 2 0.01"],
  ["WHEAT", terminal("Commodities\\WHEAT", 3, "USD", "USD", "Wheat CBOT"), "WHEAT commodities -/USD 3 0.01"],
  ["CORN", terminal("Commodities\\CORN", 3, "USX", "USX"), "CORN commodities -/USX 3 0.01"],
  ["COCOA", terminal("Softs\\COCOA", 0, "USD", "USD"), "COCOA commodities -/USD 0 1"],
  ["SUGAR", terminal("Softs\\SUGAR", 4, "USD", "USD"), "SUGAR commodities -/USD 4 0.001"],
  ["SpotCrude", terminal("CFD\\Energies\\SpotCrude", 2, "USD", "USD"), "SPOTCRUDE commodities -/USD 2 0.01"],
  ["VIX", terminal("Indices\\VIX", 2, "USD", "USD", "Volatility Index"), "VIX indices -/USD 2 0.01"],
  ["USDX", terminal("Forex Indices\\USDX", 3, "USD", "USD"), "USDX indices -/USD 3 0.01"],
  ["DXY.cash", terminal("CFD\\Indices\\DXY.cash", 3, "USD", "USD"), "DXY indices -/USD 3 0.01"],
  ["IND50", terminal("Indices\\IND50", 1, "USD", "USD"), "IND50 indices -/USD 1 1"],
  ["MidDE50", terminal("Index CFDs\\MidDE50", 1, "EUR", "EUR"), "MIDDE50 indices -/EUR 1 1"],
  ["TECDE30", terminal("Indices\\TECDE30", 2, "EUR", "EUR"), "TECDE30 indices -/EUR 2 1"],
  ["SE30", terminal("Indices\\SE30", 2, "SEK", "SEK"), "SE30 indices -/SEK 2 1"],
  ["EUBUND", terminal("Bonds\\EUBUND", 2, "EUR", "EUR"), "EUBUND indices -/EUR 2 0.01"],
  ["US10YR", terminal("Bonds\\US10YR", 3, "USD", "USD"), "US10YR indices -/USD 3 0.01"],
  ["BTCUSDT", terminal("Crypto\\BTCUSDT", 2, "BTC", "USD"), "BTCUSDT crypto BTC/USDT 2 0.1"],
  ["SHIBUSD", terminal("Crypto\\SHIBUSD", 8, "SHB", "USD"), "SHIBUSD crypto SHIB/USD 8 1e-7"],
  ["PEPEUSD", terminal("Crypto CFD\\PEPEUSD", 8, "USD", "USD"), "PEPEUSD crypto PEPE/USD 8 1e-7"],
  ["BONKUSD", terminal("Cryptocurrencies\\BONKUSD", 10, "BON", "USD"), "BONKUSD crypto BONK/USD 10 1e-9"],
  ["ETHBTC", terminal("Crypto\\ETHBTC", 5, "ETH", "BTC"), "ETHBTC crypto ETH/BTC 5 0.0001"],
  ["BTCXAU", terminal("Crypto\\BTCXAU", 3, "BTC", "XAU"), "BTCXAU crypto BTC/XAU 3 0.01"],
  ["BTCJPY", terminal("Forex\\Crypto\\BTCJPY", 0, "BTC", "JPY"), "BTCJPY crypto BTC/JPY 0 1"],
  ["DASHUSD", terminal("Forex\\DASHUSD", 2, "DASH", "USD"), "DASHUSD crypto DASH/USD 2 0.1"],
  ["TURBOUSD", terminal("Crypto\\TURBOUSD", 6, "TURBO", "USD"), "TURBOUSD crypto TURBO/USD 6 0.00001"],
  ["TSM", terminal("Stocks\\US\\TSM", 2, "USD", "USD", "Taiwan Semiconductor"), "TSM stocks -/USD 2 0.01"],
  ["ALL", terminal("Stocks\\NYSE\\ALL", 2, "USD", "USD", "Allstate Corp"), "ALL stocks -/USD 2 0.01"],
  ["BRK.B", terminal("Shares\\USA\\BRK.B", 2, "USD", "USD", "Berkshire Hathaway"), "BRK.B stocks -/USD 2 0.01"],
  ["BRK.b", terminal("Shares\\USA\\BRK.b", 2, "USD", "USD", "Berkshire Hathaway"), "BRK.B stocks -/USD 2 0.01"],
  ["BF-B", { path: "Equities\\BF-B", digits: 2, quote: "USD" }, "BF-B stocks -/USD 2 0.01"],
  ["Adobe", terminal("Stocks US\\Adobe", 2, "USD", "USD", "Adobe Systems Inc"), "ADOBE stocks -/USD 2 0.01"],
  ["BMW", terminal("Stocks\\Germany\\BMW", 2, "EUR", "EUR"), "none, null"],
  ["ALV", terminal("Stocks\\Germany\\ALV", 2, "EUR", "EUR"), "none, null"],
  ["BAS", terminal("Stocks\\Germany\\BAS", 2, "EUR", "EUR"), "BAS.DE stocks -/EUR 2 0.01"],
  ["CRH", terminal("Shares\\EU\\CRH", 2, "EUR", "EUR"), "CRH.EU stocks -/EUR 2 0.01"],
  ["RR", terminal("Shares\\UK\\RR", 1, "GBP", "GBp", "Rolls-Royce Holdings"), "RR.GB stocks -/GBX 1 1"],
  ["GARAN", terminal("Stocks\\Turkey\\GARAN", 2, "TRY", "TRY"), "GARAN.TR stocks -/TRY 2 0.01"],
  ["#GOLD", terminal("Stocks\\NYSE\\#GOLD", 2, "USD", "USD", "Barrick Gold"), "GOLD.US stocks -/USD 2 0.01"],
  ["SPY", terminal("ETFs\\SPY", 2, "USD", "USD"), "SPY stocks -/USD 2 0.01"],
  // A suffix for the type of account, as Exness, Pepperstone, FTMO, Admirals, PU Prime and others have them.
  ["TSMm", terminal("Stocks\\TSMm", 2, "USD", "USD"), "TSM stocks -/USD 2 0.01"],
  ["Cm", terminal("Stocks\\Cm", 2, "USD", "USD", "Citigroup Inc."), "C stocks -/USD 2 0.01"],
  ["USDRUBm", terminal("Forex_Exotic\\USDRUBm", 5, "USD", "RUB"), "USDRUB forex USD/RUB 5 0.0001"],
  ["XPTEURm", terminal("Metals\\XPTEURm", 2, "XPT", "EUR"), "XPTEUR metals XPT/EUR 2 0.01"],
  ["XPBUSDm", terminal("Metals\\XPBUSDm", 2, "XPB", "USD"), "XPBUSD commodities -/USD 2 0.01"],
  ["DXYm", terminal("Indices\\DXYm", 3, "USD", "USD"), "DXY indices -/USD 3 0.01"],
  ["BTCXAGm", terminal("Crypto\\BTCXAGm", 3, "BTC", "XAG"), "BTCXAG crypto BTC/XAG 3 0.01"],
  ["BTCTHBm", terminal("Crypto\\BTCTHBm", 2, "BTC", "THB"), "BTCTHB crypto BTC/THB 2 0.1"],
  ["SHIBUSDc", { path: "Crypto\\SHIBUSDc", digits: 8 }, "SHIBUSD crypto SHIB/USD 8 1e-7"],
  ["USDRUB.r", terminal("Retail\\Forex\\USDRUB.r", 5, "USD", "RUB"), "USDRUB forex USD/RUB 5 0.0001"],
  ["Coffee.r", { path: "Commodities\\Coffee.r", digits: 2, quote: "USD" }, "COFFEE commodities -/USD 2 0.01"],
  ["COCOA.c", { path: "CFD\\Commodities\\COCOA.c", digits: 0, quote: "USD" }, "COCOA commodities -/USD 0 1"],
  ["HEATOIL.c", { path: "CFD\\Energy\\HEATOIL.c", digits: 4, quote: "USD" }, "HEATOIL commodities -/USD 4 0.001"],
  ["N25.cash", { path: "CFD\\Indices\\N25.cash", digits: 2, quote: "EUR" }, "N25 indices -/EUR 2 1"],
  ["VIXRoll", { path: "Indices\\VIXRoll", digits: 2, quote: "USD" }, "VIX indices -/USD 2 0.01"],
  ["ADAEUR.lv", { path: "Crypto\\ADAEUR.lv", digits: 5 }, "ADAEUR crypto ADA/EUR 5 0.0001"],
  ["USDBRL.sd", { path: "Forex\\USDBRL.sd", digits: 5 }, "USDBRL forex USD/BRL 5 0.0001"],
  ["CHFPLN-T", { path: "Forex\\CHFPLN-T", digits: 5 }, "CHFPLN forex CHF/PLN 5 0.0001"],
  ["USDINRpro", { digits: 4 }, "USDINR forex USD/INR 4 0.0001"],
  ["EURRUB-ECN", { digits: 5 }, "EURRUB forex EUR/RUB 5 0.0001"],
  ["USDMYR.PRO", { digits: 5 }, "USDMYR forex USD/MYR 5 0.0001"],
  ["CADSGD.£", { digits: 5 }, "CADSGD forex CAD/SGD 5 0.0001"],
  ["USDTWD+", { digits: 3 }, "USDTWD forex USD/TWD 3 0.01"],
  ["m.USDSAR", { digits: 5 }, "USDSAR forex USD/SAR 5 0.0001"],
  ["[TECDAX]", { digits: 1, quote: "EUR" }, "TECDAX indices -/EUR 1 1"],
  ["#SUGAR-MAR25", { path: "Futures\\Softs", digits: 2, quote: "USD" }, "SUGAR-MAR25 commodities -/USD 2 0.01"],
  ["COFFEE_C", { digits: 2, path: "Commodities" }, "COFFEE_C commodities -/USD 2 0.01"],
  ["SUGAR#11", { digits: 2, path: "Commodities" }, "SUGAR_11 commodities -/USD 2 0.01"],
  ["Sugar - Cash", { digits: 2, path: "Commodities" }, "SUGAR commodities -/USD 2 0.01"],
  ["DOLLAR_INDX", { digits: 3, path: "Indices" }, "DOLLAR_INDX indices -/USD 3 0.01"],
  ["GOLDM", { digits: 0, quote: "INR" }, "GOLDM metals -/INR 0 1"],
  ["USDRUBM", { digits: 5 }, "USDRUB forex USD/RUB 5 0.0001"],
  ["USDRUBC", { digits: 5 }, "USDRUBC indices -/USD 5 0.0001"],
  // Dated and rolling futures are instruments of their own.
  ["WTI_N5", { path: "Futures\\Energy\\WTI_N5", digits: 2, quote: "USD" }, "WTI_N5 commodities -/USD 2 0.01"],
  ["CL_Z6", { path: "Futures\\CL_Z6", digits: 2 }, "CL_Z6 commodities -/USD 2 0.01"],
  ["Coffee_H4", { path: "Futures\\Commodities", digits: 2 }, "COFFEE_H4 commodities -/USD 2 0.01"],
  ["Sbean_F4", { digits: 2 }, "SBEAN_F4 commodities -/USD 2 0.01"],
  ["DXY_Z3", { path: "Futures\\Indices", digits: 3 }, "DXY_Z3 indices -/USD 3 0.01"],
  ["VIX_Z3", { digits: 2 }, "VIX_Z3 indices -/USD 2 0.01"],
  ["BRENT_F6m", { digits: 2 }, "BRENT_F6 commodities -/USD 2 0.01"],
  ["ESZ5", { kind: "future", digits: 2 }, "ESZ5 indices -/USD 2 1"],
  ["GCG26", { kind: "future", digits: 1 }, "GCG26 metals -/USD 1 1"],
  ["6EZ5", { digits: 5 }, "6EZ5 forex -/USD 5 0.0001"],
  ["ZWH2026", { digits: 2 }, "ZWH2026 commodities -/USD 2 0.01"],
  ["US30Z0", { digits: 0 }, "US30Z0 indices -/USD 0 1"],
  ["NGDec25", { path: "Commodities", digits: 3 }, "NGDEC25 commodities -/USD 3 0.01"],
  ["COCOA-MAR26", { path: "Futures Softs", digits: 0 }, "COCOA-MAR26 commodities -/USD 0 1"],
  ["YM 06-21", { digits: 0 }, "YM_06-21 indices -/USD 0 1"],
  ["CL=F", { digits: 2 }, "CL.F commodities -/USD 2 0.01"],
  ["US500.F", { path: "Index Futures", digits: 2 }, "US500.F indices -/USD 2 1"],
  ["BTCUSDT_251226", { digits: 1 }, "BTCUSDT_251226 crypto BTC/USDT 1 1"],
  ["BTC-PERP", { path: "Crypto", digits: 0 }, "BTC-PERP crypto -/USD 0 1"],
  ["ETHUSDT.P", { digits: 2 }, "ETHUSDT.P crypto ETH/USDT 2 0.1"],
  ["BTC-USDT-SWAP", { digits: 1 }, "BTC-USDT-SWAP crypto BTC/USDT 1 1"],
  ["BTC-27DEC24", { digits: 1 }, "BTC-27DEC24 crypto -/USD 1 1"],
  ["BTCUSDZ24", { digits: 1 }, "BTCUSDZ24 crypto BTC/USD 1 1"],
  ["FI_XBTUSD_251226", { digits: 1 }, "FI_XBTUSD_251226 crypto BTC/USD 1 1"],
  ["XBTUSDTM", { digits: 1 }, "XBTUSDTM crypto BTC/USDT 1 1"],
  ["FGBLZ5", { digits: 2 }, "FGBLZ5 indices -/EUR 2 0.01"],
  ["EURUSD_otc", { digits: 5 }, "EURUSD_OTC forex EUR/USD 5 0.0001"],
  // OANDA.
  ["CORN_USD", oanda("CFD", -2, 3, "Corn"), "CORN commodities -/USD 3 0.01"],
  ["SOYBN_USD", oanda("CFD", -2, 3, "Soybeans"), "SOYBN commodities -/USD 3 0.01"],
  ["WHEAT_USD", oanda("CFD", -2, 3, "Wheat"), "WHEAT commodities -/USD 3 0.01"],
  ["SUGAR_USD", oanda("CFD", -4, 5, "Sugar"), "SUGAR commodities -/USD 5 0.0001"],
  ["UK10YB_GBP", oanda("CFD", -2, 3, "UK 10Y Gilt"), "UK10YB indices -/GBP 3 0.01"],
  ["USB30Y_USD", oanda("CFD", -2, 3, "US T-Bond"), "USB30Y indices -/USD 3 0.01"],
  ["XAU_XAG", oanda("METAL", -2, 3, "Gold/Silver"), "XAUXAG metals XAU/XAG 3 0.01"],
  ["XAG_HKD", oanda("METAL", -4, 5, "Silver/HKD"), "XAGHKD metals XAG/HKD 5 0.0001"],
  ["CHF_ZAR", oanda("CURRENCY", -4, 5, "CHF/ZAR"), "CHFZAR forex CHF/ZAR 5 0.0001"],
  ["HKD_JPY", oanda("CURRENCY", -4, 5, "HKD/JPY"), "HKDJPY forex HKD/JPY 5 0.0001"],
  ["JP225_USD", oanda("CFD", 0, 1, "Japan 225"), "JP225_USD indices -/USD 1 1"],
  ["OANDA:USD_INR", {}, "USDINR forex USD/INR 5 0.0001"],
  // Deriv.
  ["R_100", deriv("synthetic_index", "Volatility 100 Index", 2), "R_100 indices -/USD 2 1"],
  ["1HZ100V", deriv("synthetic_index", "Volatility 100 (1s) Index", 2), "1HZ100V indices -/USD 2 1"],
  ["BOOM500", deriv("synthetic_index", "Boom 500 Index", 3), "BOOM500 indices -/USD 3 1"],
  ["JD75", deriv("synthetic_index", "Jump 75 Index", 2), "JD75 indices -/USD 2 1"],
  ["RDBULL", deriv("synthetic_index", "Bull Market Index", 4), "RDBULL indices -/USD 4 0.001"],
  ["stpRNG", deriv("synthetic_index", "Step Index", 1), "STPRNG indices -/USD 1 1"],
  ["WLDAUD", deriv("synthetic_index", "AUD Basket", 3), "WLDAUD indices -/AUD 3 1"],
  ["OTC_NDX", deriv("indices", "US Tech 100", 2), "OTC_NDX indices -/USD 2 1"],
  ["frxUSDRUB", deriv("forex", "USD/RUB", 5), "USDRUB forex USD/RUB 5 0.0001"],
  ["frxXPTEUR", deriv("commodities", "Platinum/EUR", 2), "XPTEUR metals XPT/EUR 2 0.01"],
  ["cryETHBTC", deriv("cryptocurrency", "ETH/BTC", 5), "ETHBTC crypto ETH/BTC 5 0.0001"],
  ["Volatility 75 Index", { digits: 2 }, "VOLATILITY_75_INDEX indices -/USD 2 1"],
  ["Volatility 100 (1s) Index", { digits: 2 }, "VOLATILITY_100_1S_INDEX indices -/USD 2 1"],
  ["Crash 1000 Index", { digits: 3 }, "CRASH_1000_INDEX indices -/USD 3 1"],
  ["Step Index", { digits: 1 }, "STEP_INDEX indices -/USD 1 1"],
  // Exchanges of coins.
  ["BTC/USDT", coin("BTC", "USDT", 1), "BTCUSDT crypto BTC/USDT 1 1"],
  ["XBTUSDT", coin("XBT", "USDT", 1), "BTCUSDT crypto BTC/USDT 1 1"],
  ["BTC-USDC", coin("BTC", "USDC", 2), "BTCUSDC crypto BTC/USDC 2 0.1"],
  ["BTCUSDC", {}, "BTCUSDC crypto BTC/USDC 5 0.0001"],
  ["btcusdt", coin("BTC", "USDT", 2), "BTCUSDT crypto BTC/USDT 2 0.1"],
  ["BINANCE:BTCUSDT", {}, "BTCUSDT crypto BTC/USDT 5 0.0001"],
  ["1000PEPEUSDT", coin("1000PEPE", "USDT", 7), "1000PEPEUSDT crypto 1000PEPE/USDT 7 0.000001"],
  ["GNOBUSD", coin("GNO", "BUSD", 1), "GNOBUSD crypto GNO/BUSD 1 1"],
  ["EULBNB", coin("EUL", "BNB", 5), "EULBNB crypto EUL/BNB 5 0.0001"],
  ["EURUSDT", coin("EUR", "USDT", 4), "EURUSDT crypto EUR/USDT 4 0.001"],
  ["USDTUSD", coin("USDT", "USD", 5), "USDTUSD crypto USDT/USD 5 0.0001"],
  ["SCRTUSD", coin("SCRT", "USD", 4), "SCRTUSD crypto SCRT/USD 4 0.001"],
  ["XXBTZUSD", {}, "XXBTZUSD crypto BTC/USD 5 0.0001"],
  ["XETHXXBT", {}, "ETHBTC crypto ETH/BTC 8 1e-7"],
  ["XETHZGBP", {}, "ETHGBP crypto ETH/GBP 5 0.0001"],
  ["tETHW:USD", {}, "ETHWUSD crypto ETHW/USD 5 0.0001"],
  ["tBTC:CNHT", {}, "BTC_CNHT indices -/USD 2 1"],
  ["MTL-USDC", {}, "MTLUSDC crypto MTL/USDC 5 0.0001"],
  ["ARBUSD", {}, "ARBUSD crypto ARB/USD 5 0.0001"],
  ["BATUSD", {}, "BATUSD crypto BAT/USD 5 0.0001"],
  // Dukascopy.
  ["AED-CNH", swiss("UAE Dirham vs Chinese Renminbi", 5), "AEDCNH forex AED/CNH 5 0.0001"],
  ["AUD-CZK", swiss("Australian Dollar vs Czech Koruna", 4), "AUDCZK forex AUD/CZK 4 0.001"],
  ["JPY-HUF", swiss("Japanese Yen vs Hungarian Forint", 5), "JPYHUF forex JPY/HUF 5 0.0001"],
  ["XAU-TRY", swiss("Spot gold", 1), "XAUTRY metals XAU/TRY 1 1"],
  ["COFFEE.CMD-USX", swiss("Coffee Arabica", 3), "COFFEE commodities -/USX 3 0.01"],
  ["DIESEL.CMD-USD", swiss("Gas oil", 3), "DIESEL commodities -/USD 3 0.01"],
  ["VOL.IDX-USD", swiss("Volatility Index", 2), "VOL.IDX indices -/USD 2 0.01"],
  ["PLN.IDX-PLN", swiss("Poland 20 Index", 3), "PLN.IDX indices -/PLN 3 1"],
  ["BUND.TR-EUR", swiss("Euro Bund", 3), "BUND indices -/EUR 3 0.01"],
  ["0700.HK-HKD", swiss("Tencent Holdings Ltd", 3), "0700.HK stocks -/HKD 3 0.01"],
  ["9983.JP-JPY", swiss("Fast Retailing Co", 1), "9983.JP stocks -/JPY 1 1"],
  ["WEIR.GB-GBX", swiss("Weir Group", 3), "WEIR.GB stocks -/GBX 3 0.01"],
  ["ECAR.GB-USD", swiss("iShares Electric Vehicles ETF", 3), "ECAR.GB stocks -/USD 3 0.01"],
  ["OKTA.US-USD", swiss("Okta Inc", 3), "OKTA stocks -/USD 3 0.01"],
  ["IE00BL0BL405.FN-GBP", swiss("a fund", 3), "IE00BL0BL405.FN stocks -/GBP 3 0.01"],
  // Shares with the suffix of an exchange.
  ["TSM.US", {}, "TSM stocks -/USD 2 0.01"],
  ["TSM.NYSE", {}, "TSM stocks -/USD 2 0.01"],
  ["NYSE:TSM", {}, "TSM stocks -/USD 2 0.01"],
  ["QQQ.US-24", { digits: 2 }, "QQQ.US-24 stocks -/USD 2 0.01"],
  ["AAPL.DE", {}, "AAPL.DE stocks -/EUR 2 0.01"],
  ["#RIO.L", { digits: 1, quote: "GBX" }, "RIO.GB stocks -/GBX 1 1"],
  ["RIO.UK", {}, "RIO.GB stocks -/GBP 2 0.01"],
  ["BAYN.ETR", {}, "BAYN.DE stocks -/EUR 2 0.01"],
  ["#6501.T", { digits: 0 }, "6501.JP stocks -/JPY 0 1"],
  ["#BHP.AX", {}, "BHP.AU stocks -/AUD 2 0.01"],
  ["VOLVB.SE", {}, "VOLVB.SE stocks -/SEK 2 0.01"],
  ["CDR_CFD.PL", {}, "CDR.PL stocks -/PLN 2 0.01"],
  ["XETR:BAS", {}, "BAS.DE stocks -/EUR 2 0.01"],
  ["BRK.B.US", {}, "BRK.B stocks -/USD 2 0.01"],
  ["005930.KS", { digits: 0 }, "005930.KR stocks -/KRW 0 1"],
  ["AT&T", {}, "AT&T stocks -/USD 2 0.01"],
  ["OATLY", {}, "OATLY stocks -/USD 2 0.01"],
  ["BRK/B", { path: "Shares", quote: "USD" }, "BRK.B stocks -/USD 2 0.01"],
  ["CORN", { path: "ETFs", quote: "USD" }, "CORN.US stocks -/USD 2 0.01"],
  ["QCOM", { description: "QUALCOMM Inc" }, "QCOM stocks -/USD 2 0.01"],
  // Names that nothing tells more about.
  ["EURUSD.unheard-of", { digits: 5 }, "EURUSD.UNHEARD-OF forex EUR/USD 5 0.0001"],
  ["US500.S", { digits: 2 }, "US500.S indices -/USD 2 1"],
];

const NOT_MADE: readonly (readonly [string, Facts, string, string | null])[] = [
  ["EURUSDm", {}, "the catalog has it", "EURUSD"],
  ["GOLD", {}, "the catalog has it", "XAUUSD"],
  ["V.US", {}, "the catalog has it", "V"],
  ["OIL", { path: "Energies" }, "the name means either oil", null],
  ["SAP", { path: "Stocks\\Germany", quote: "EUR" }, "the letters may be another company", null],
  ["Vm", {}, "a letter too many for one letter", null],
  ["KOm", { path: "Stocks" }, "the name is Coca-Cola's in the catalog", null],
  ["EUR", {}, "a currency is no market", null],
  ["ЕURRUB", {}, "a Cyrillic letter is no Latin one", null],
  ["USDRUB\u0000", {}, "a NUL is no decoration", null],
  ["", {}, "it is empty", null],
  ["###", {}, "nothing is left", null],
  [`A${"B".repeat(40)}`, {}, "it is longer than a symbol", null],
  ["USDRUB".repeat(20), {}, "it is longer than a spelling", null],
];

describe("the instrument of a symbol that the catalog does not have", () => {
  test.each(MADE)("%s with %j is %s", (spelling, facts, expected) => {
    expect(summarize(spelling, facts)).toBe(expected);
  });

  test.each(NOT_MADE)("is not made of %j with %j: %s", (spelling, facts, _reason, symbol) => {
    expect(describeNewInstrument({ spelling, ...facts })).toBeNull();
    expect(cleanSymbol({ spelling, ...facts })).toBe(symbol);
  });
});

describe("where each fact comes from", () => {
  const origins = (facts: SymbolFacts) => describeNewInstrument(facts)?.provenance;

  test("A terminal that says everything is the source of everything but the usual pip", () => {
    const said = origins({
      spelling: "USDRUB",
      ...terminal("Forex\\Exotics\\USDRUB", 5, "USD", "RUB", "US Dollar vs Ruble"),
      tradingHours: weekdays("Europe/Moscow", "10:00-23:50"),
    });
    expect(said).toEqual({
      category: "source",
      currencies: "source",
      digits: "source",
      pip: "default",
      hours: "source",
      name: "source",
    });
  });

  test("A bare name is read as far as it goes, and the rest is usual", () => {
    expect(origins({ spelling: "USDRUB" })).toEqual({
      category: "name",
      currencies: "name",
      digits: "default",
      pip: "default",
      hours: "default",
      name: "name",
    });
    expect(origins({ spelling: "RIO.L" })).toMatchObject({ category: "name", currencies: "name", hours: "name" });
    expect(origins({ spelling: "xyz-unheard 7" })).toMatchObject({ category: "default", currencies: "default" });
  });
});

describe("what a new instrument has besides", () => {
  const made = (spelling: string, facts: Facts = {}) => describeNewInstrument({ spelling, ...facts })?.instrument;

  test.each([
    ["PEPEUSD", {}, cryptoHours],
    ["USDRUB", {}, forexHours],
    ["XAUJPY", {}, cmeHours],
    ["WHEAT", {}, grainHours],
    ["COFFEE", {}, softHours],
    ["BRENT_F6", {}, brentHours],
    ["R_75", {}, cryptoHours],
    ["VIX", {}, cmeHours],
    ["TSM", {}, exchangeHours.get("US")],
    ["RIO.L", {}, exchangeHours.get("GB")],
    ["0700.HK", {}, exchangeHours.get("HK")],
    ["BAS", { path: "Stocks\\Germany", quote: "EUR" }, exchangeHours.get("DE")],
    ["GARAN", { path: "Stocks\\Turkey", quote: "TRY" }, exchangeHours.get("TR")],
    ["ADRO", { path: "Stocks\\Indonesia", quote: "IDR" }, forexHours],
    ["QQQ.US-24", {}, forexHours],
  ] as const)("%s with %j trades in the hours of its market", (spelling, facts, hours) => {
    expect(made(spelling, facts)?.tradingHours).toBe(hours);
  });

  test.each([
    ["a zone that is none", { ...forexHours, zone: "Broker/Time" }],
    ["a time that is none", weekdays("UTC", "9:00-17:00")],
    ["an end before its start", weekdays("UTC", "17:00-09:00")],
    ["spans that overlap", weekdays("UTC", "09:00-12:00", "11:00-17:00")],
  ])("Hours with %s are left out", (_what, tradingHours) => {
    expect(made("USDRUB", { tradingHours })?.tradingHours).toBe(forexHours);
  });

  test("The terms are the source's, and the usual ones where it says none or nonsense", () => {
    const terms = { contractSize: 10, minVolume: 0.1, maxVolume: 5, volumeStep: 0.1, swapLong: -3.5, swapShort: 1 };
    expect(made("COFFEE", terms)).toMatchObject(terms);
    const nonsense = { contractSize: 0, minVolume: 7, maxVolume: 5, volumeStep: NaN, swapLong: Infinity, digits: 2.5 };
    expect(made("TSM", nonsense)).toMatchObject({
      contractSize: 1,
      minVolume: 1,
      maxVolume: 10_000,
      volumeStep: 1,
      swapLong: null,
      swapShort: null,
      digits: 2,
    });
    expect(made("USDRUB")).toMatchObject({ contractSize: 100_000, marginCurrency: "USD", swapLong: null });
    expect(made("XAGJPY")).toMatchObject({ contractSize: 5_000, marginCurrency: "JPY" });
  });

  test("Its name and description are the source's words in one line, or made of its currencies", () => {
    expect(made("TSM", { description: "  Taiwan\tSemiconductor\u0000 ADR " })).toMatchObject({
      name: "Taiwan Semiconductor ADR",
      description: "Taiwan Semiconductor ADR",
    });
    expect(made("TSM", { description: "x".repeat(5_000) })?.description).toHaveLength(200);
    expect(made("USDRUB")).toMatchObject({
      name: "US Dollar vs Russian Ruble",
      description: "US Dollar vs Russian Ruble: price of one USD in RUB",
    });
    expect(made("PEPEUSDT")?.name).toBe("PEPE vs USDT");
  });

  test("A pip that is no power of ten, or finer than the prices, is not taken", () => {
    expect(made("ESZ5", { pipSize: 0.25, digits: 2 })?.pipSize).toBe(1);
    expect(made("USDRUB", { pipSize: 0.00001, digits: 3 })?.pipSize).toBe(0.001);
    expect(made("USDIDR", { pipSize: 10, digits: 0 })?.pipSize).toBe(10);
  });
});

describe("any text", () => {
  const text = fc.string({ maxLength: 64, unit: anyCharacter });
  const ascii = fc.string({ maxLength: 64, unit: fc.constantFrom(..."ABCEFHMNRSUZabcmrx0123456789._-/:#&!+ ()[]=") });
  const decorated = fc
    .tuple(
      fc.constantFrom("", "#", "m.", "OANDA:", "NYSE:", "frx", "["),
      fc.constantFrom(
        ...instruments.flatMap(({ symbol, aliases }) => [symbol, ...aliases]),
        ...MADE.map(([name]) => name),
      ),
      fc.constantFrom("", "m", ".r", "_i", "C", ".US", ".F", "_Z6", "+", "-ECN", ".cash", "]", "USDT", " Cash"),
    )
    .map((parts) => parts.join(""));
  const facts = fc.record(
    {
      spelling: fc.oneof(text, ascii, decorated),
      digits: fc.oneof(fc.integer({ min: -1, max: 12 }), fc.double()),
      description: text,
      path: fc.oneof(
        text,
        fc.constantFrom("Stocks\\Germany", "Forex", "Crypto", "Metals", "Indices", "CFDs/Soft Commodities"),
      ),
      kind: text,
      base: fc.oneof(text, fc.constantFrom("USD", "BTC", "EUR", "XAU")),
      quote: fc.oneof(text, fc.constantFrom("USD", "EUR", "GBX", "USDT")),
      margin: text,
      pipSize: fc.oneof(fc.double(), fc.constantFrom(100, 0.01, 1e-10)),
      contractSize: fc.double(),
      minVolume: fc.double(),
      maxVolume: fc.double(),
      volumeStep: fc.double(),
      swapLong: fc.double(),
      swapShort: fc.double(),
    },
    { requiredKeys: ["spelling"] },
  );

  test("never throws, and makes only sound instruments that are none of the catalog", () => {
    fc.assert(
      fc.property(facts, (said) => {
        const symbol = cleanSymbol(said);
        const made = describeNewInstrument(said);
        const known = catalogResolver.find(said.spelling)?.symbol;
        if (symbol !== null && instrumentBySymbol.has(symbol)) expect(symbol).toBe(known);
        expect(made === null).toBe(symbol === null || symbol === known);
        if (made === null) return;
        const { instrument } = made;
        expect(instrument.symbol).toBe(symbol);
        expect(instrument.symbol).toMatch(/^[A-Z0-9](?:[A-Z0-9.&_-]{0,30}[A-Z0-9])?$/);
        expect(catalogResolver.resolve(instrument.symbol).kind).toBe("unknown");
        expect(instrument.name).not.toBe("");
        expect(instrument.quote).toMatch(/^[A-Z0-9]{2,12}$/);
        expect(Number.isInteger(instrument.digits)).toBe(true);
        expect(Number(`1e-${instrument.digits}`)).toBeLessThanOrEqual(instrument.pipSize);
        expect(() => getSpreadPips(1, 2, instrument)).not.toThrow();
        expect(instrument.contractSize).toBeGreaterThan(0);
        expect(instrument.minVolume).toBeLessThanOrEqual(instrument.maxVolume);
        expect(instrument.volumeStep).toBeGreaterThan(0);
      }),
      { numRuns: manyRuns(3_000) },
    );
  });

  test("becomes a symbol that a caller may send", () => {
    fc.assert(
      fc.property(facts, (said) => {
        const symbol = describeNewInstrument(said)?.instrument.symbol;
        if (symbol !== undefined) expect(isSpelling(symbol)).toBe(true);
      }),
    );
  });
});

test("A number alone names no instrument, but one that a source describes does", () => {
  expect(describeNewInstrument({ spelling: "4001", seenDigits: 5 })).toBeNull();
  const toyota = describeNewInstrument({
    spelling: "7203",
    path: "Stocks\\Japan",
    description: "Toyota Motor",
    quote: "JPY",
  });
  expect(toyota?.instrument).toMatchObject({ category: "stocks", quote: "JPY" });
});
