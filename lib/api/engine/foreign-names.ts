import { ApiError } from "@/lib/api/engine/errors";

/** Characters of a name that are read. */
const MAX_NAMED = 64;

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
  const letters = name
    .slice(0, MAX_NAMED)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
  return letters.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
}

type Own = Readonly<Record<string, unknown>>;

/** What each reduced name means among the names of a schema. A call may have thousands of unknown names. */
const meanings = new WeakMap<Own, ReadonlyMap<string, { readonly meant: string; readonly more: string }>>();

function listMeanings(own: Own) {
  const known = meanings.get(own);
  if (known !== undefined) return known;
  const found = new Map(Object.keys(own).map((meant) => [reduce(meant), { meant, more: "" }]));
  for (const [meant, others, more = ""] of OTHER_NAMES) {
    if (!Object.hasOwn(own, meant)) continue;
    for (const other of others) if (!found.has(other)) found.set(other, { meant, more });
  }
  meanings.set(own, found);
  return found;
}

/**
 * Throws 400 VALIDATION_ERROR, with the right name, for a name that is not known but means one of ours: another spelling of
 * it, or what other services call it. Ignoring `granularity` would answer with other bars than were requested.
 *
 * @param own the names that the endpoint has
 */
export function refuseForeignName(name: string, own: Own): void {
  const meaning = listMeanings(own).get(reduce(name));
  if (meaning === undefined) return;
  const { meant, more } = meaning;
  const message = `${name.slice(0, MAX_NAMED).toWellFormed()} is not known here. Use ${meant}${more}`;
  throw new ApiError("VALIDATION_ERROR", message, { suggestions: [meant] });
}

/** Throws 400 VALIDATION_ERROR for another format than the only one that an endpoint without the parameter has. */
export function refuseFormat(value: string): void {
  if (value.toLowerCase() === "json") return;
  throw new ApiError("VALIDATION_ERROR", "format is not known here: the answer has one format only");
}
