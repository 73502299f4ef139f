import { ApiError } from "@/lib/api/engine/errors";

const INSTRUMENT = ["instrument", "pair", "currencypair", "ticker", "market", "security", "epic"];

/**
 * Our names, and what other services call the same, as `reduce` writes it. The first of our names that an endpoint has is the
 * one that is meant.
 */
const OTHER_NAMES: readonly (readonly [own: string, others: readonly string[], more?: string])[] = [
  ["symbol", INSTRUMENT],
  ["symbols", INSTRUMENT],
  ["search", ["q", "query", "keyword", "term", "symbol", "name", ...INSTRUMENT]],
  ["q", ["search", "query", "keyword", "term", "name", "event", "title"]],
  ["currencies", ["ccy", "symbol", ...INSTRUMENT]],
  ["indicator", ["period", "length", "timeperiod", "function", "study"], ", whose name has its length, such as RSI_21"],
  [
    "indicators",
    ["period", "length", "timeperiod", "function", "study"],
    ", whose names have their length, such as RSI_21",
  ],
  ["timeframe", ["granularity", "interval", "period", "resolution", "timespan", "barsize", "bartype", "frame", "tf"]],
  ["limit", ["count", "size", "outputsize", "pagesize", "perpage", "maxresult", "rows", "bar", "countback", "num"]],
  ["bars", ["count", "size", "outputsize", "limit", "countback", "num"]],
  ["offset", ["skip", "page", "pagenumber"]],
  [
    "from",
    ["start", "starttime", "startdate", "startat", "since", "begin", "after", "fromdate", "fromtime", "datefrom"],
  ],
  ["from", ["timefrom", "period1", "date"]],
  ["to", ["end", "endtime", "enddate", "endat", "until", "before", "todate", "totime", "dateto", "timeto", "period2"]],
  ["at", ["asof", "time", "timestamp", "datetime", "date"]],
  ["source", ["broker", "provider", "exchange", "venue", "feed"]],
  ["impact", ["importance"]],
  ["price", ["side", "pricetype", "quotetype", "component"]],
  ["sort", ["order", "orderby", "sortby", "sortorder", "direction"]],
  ["min_val", ["min", "minvalue"]],
  ["max_val", ["max", "maxvalue"]],
  ["category", ["type", "assetclass", "class", "kind", "group"]],
  ["format", ["output", "datatype", "fmt", "outputformat"]],
  ["op", ["action", "type", "method", "event", "command"]],
];

/** A name without case, signs and the ending of a plural: "currency" for "Currencies" and "currencies[]". */
function reduce(name: string): string {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return letters.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
}

/**
 * Throws 400 VALIDATION_ERROR, with the right name, for a name that is not known but means one of ours: another spelling of
 * it, or what other services call it. Ignoring `granularity` would answer with other bars than were asked for.
 *
 * @param own the names that the endpoint has
 */
export function refuseForeignName(name: string, own: Readonly<Record<string, unknown>>): void {
  const reduced = reduce(name);
  if (reduced === "") return;
  const spelled = Object.keys(own).find((each) => reduce(each) === reduced);
  const [meant = spelled, , more = ""] =
    OTHER_NAMES.find(
      ([each, others]) => spelled === undefined && Object.hasOwn(own, each) && others.includes(reduced),
    ) ?? [];
  if (meant === undefined) return;
  const message = `${name.slice(0, 64).toWellFormed()} is not known here. Use ${meant}${more}`;
  throw new ApiError("VALIDATION_ERROR", message, { suggestions: [meant] });
}

/** Throws 400 VALIDATION_ERROR for another format than the only one that an endpoint without the parameter has. */
export function refuseFormat(value: string): void {
  if (value.toLowerCase() === "json") return;
  throw new ApiError("VALIDATION_ERROR", "format is not known here: the answer has one format only");
}
