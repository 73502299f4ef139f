import {
  changeAlert,
  createAlert,
  createWebhook,
  deleteAlert,
  deleteWebhook,
  listAlerts,
  listWebhooks,
  readAlert,
  testWebhook,
} from "@/lib/api/alerts/alerts";
import { calendar } from "@/lib/api/calendar/calendar";
import { calendarFeed, calendarSubscription } from "@/lib/api/calendar/calendar-feed";
import { calendarWindow } from "@/lib/api/calendar/calendar-window";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import type { Match } from "@/lib/api/engine/exchange";
import { exportHistory } from "@/lib/api/history/export";
import { createExport, deleteExport, exportFile, listExports, readExport } from "@/lib/api/history/export-jobs";
import { ohlc } from "@/lib/api/history/ohlc";
import { quality, qualityDay } from "@/lib/api/history/quality";
import { spread, spreadCompare } from "@/lib/api/history/spread";
import { ticks } from "@/lib/api/history/ticks";
import { heatmap } from "@/lib/api/indicators/heatmap";
import { indicator } from "@/lib/api/indicators/indicator";
import { indicatorHistory } from "@/lib/api/indicators/indicator-history";
import { indicators } from "@/lib/api/indicators/indicators";
import { indicatorsList } from "@/lib/api/indicators/indicators-list";
import { multi } from "@/lib/api/indicators/multi";
import { screener } from "@/lib/api/indicators/screener";
import { summary } from "@/lib/api/indicators/summary";
import { mt5Calendar, mt5Ticks } from "@/lib/api/ingest";
import { csvLink, writeCsvError } from "@/lib/api/links";
import { createOpenapiEndpoint } from "@/lib/api/openapi/describe-api";
import { quote, quotes } from "@/lib/api/quotes/quote";
import { sessions } from "@/lib/api/quotes/sessions";
import { symbol, symbols } from "@/lib/api/quotes/symbols";
import { health, ready } from "@/lib/api/service/health";
import { monitorAccount, readLayout, saveLayout } from "@/lib/api/service/monitor";
import { stream } from "@/lib/api/stream/stream";
import { matchUdf, udfEndpoints } from "@/lib/api/udf/udf";
import { UDF_PATH } from "@/lib/api/udf/udf-endpoint";

const openapi = createOpenapiEndpoint(() => endpoints);

/** The documented endpoints, in the order of the documentation. */
export const endpoints: readonly Endpoint[] = [
  quote,
  quotes,
  symbols,
  symbol,
  stream,
  indicator,
  indicators,
  ticks,
  ohlc,
  exportHistory,
  listExports,
  createExport,
  readExport,
  deleteExport,
  exportFile,
  indicatorsList,
  indicatorHistory,
  multi,
  screener,
  summary,
  spread,
  spreadCompare,
  quality,
  qualityDay,
  sessions,
  heatmap,
  calendar,
  calendarWindow,
  listAlerts,
  createAlert,
  readAlert,
  changeAlert,
  deleteAlert,
  listWebhooks,
  createWebhook,
  testWebhook,
  deleteWebhook,
  monitorAccount,
  readLayout,
  saveLayout,
  calendarFeed,
  calendarSubscription,
  openapi,
  health,
  ready,
];

/** The endpoints that need a key. */
export const keyedEndpoints: readonly Endpoint[] = endpoints.filter(({ access }) => access === "key");
/** The paths that a key can be limited to. */
export const keyPaths: readonly string[] = [...new Set(keyedEndpoints.map(({ permission }) => permission))];

/** Endpoints that the documentation of the API leaves out: those of the operator's programs, and of links. */
const undocumented: readonly Endpoint[] = [mt5Calendar, mt5Ticks, csvLink, ...udfEndpoints];

const UDF_FOLDER = `${UDF_PATH}/`;
const exact = new Map<string, Match>();
const withSegment = new Map<string, Match>();
const all = [...endpoints, ...undocumented];
for (const { path } of all) {
  const match = { path, endpoints: all.filter((each) => each.path === path), segment: "" };
  const brace = path.indexOf("{");
  if (brace === -1) exact.set(path, match);
  else withSegment.set(path.slice(0, brace), match);
}

/** The first segments of all paths: "v1", "health", "ready", "ingest". No page has an address under them. */
const firstSegments = new Set(all.map(({ path }) => path.split("/")[1]));

/** First segments of endpoints of which pages have the same. */
const PAGE_SEGMENTS = ["alerts", "calendar", "indicators", "quotes", "sessions", "symbols", "ticks"];

/** What callers begin a path with who leave out its version: "quote", "ohlc". The API answers where its endpoint is. */
export const unversionedSegments: ReadonlySet<string> = new Set(
  endpoints
    .map(({ path }) => path.split("/"))
    .flatMap(([, version, name]) => (version === "v1" && name !== undefined ? name : []))
    .filter((name) => !PAGE_SEGMENTS.includes(name)),
);

/** Whether the API answers all paths with this first segment, those of other versions among them. */
export function ownsSegment(segment: string): boolean {
  return segment === "ws" || firstSegments.has(segment) || unversionedSegments.has(segment) || /^v\d+$/.test(segment);
}

/**
 * Finds the endpoints of a raw path, or null. A path parameter is exactly one non-empty segment. Under /v1 an encoded letter
 * is that letter (RFC 3986, 6.2.2.2), and a slash at the end is ignored.
 */
export function matchPath(path: string): Match | null {
  const match = matchExactly(path);
  if (match !== null) return match;
  const usual = decodeLetters(path).replace(/\/$/, "");
  return usual !== path && usual.startsWith("/v1/") ? matchExactly(usual) : null;
}

function decodeLetters(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(/%[2-7][\da-f]/gi, (encoded) => {
    const character = String.fromCharCode(parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded;
  });
}

function matchExactly(path: string): Match | null {
  if (path.startsWith(UDF_FOLDER)) return matchUdf(path);
  const match = exact.get(path);
  if (match !== undefined) return match;
  const slash = path.lastIndexOf("/") + 1;
  const found = withSegment.get(path.slice(0, slash));
  if (found === undefined || slash === path.length) return null;
  const segment = path.slice(slash);
  return found.path === csvLink.path ? createTableLink(found, segment) : { ...found, segment };
}

/** The token is no path parameter, because those are logged. */
function createTableLink(found: Match, token: string): Match {
  const link = { token, fixesParameters: true, findTarget: findTable };
  return { ...found, link, writeError: writeCsvError };
}

function findTable(path: string): Match | null {
  const endpoint = endpoints.find((each) => each.path === path && each.csv !== undefined);
  return endpoint === undefined ? null : { path, endpoints: [endpoint], segment: "" };
}
