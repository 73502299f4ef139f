import { type Call, splitTarget } from "@/lib/api/engine/call";
import { findEndpoint } from "@/lib/api/engine/exchange";
import { answerCall } from "@/lib/api/engine/pipeline";
import { indicatorNames } from "@/lib/api/indicators/indicator-lookup";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { endpoints, matchPath } from "@/lib/api/registry";
import type { CostScene } from "@/lib/runtime/cost-scene.fixture";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** What calls cost: the processor time of this process for each credit. */

/** A call as "GET /v1/quote?symbol=EURUSD", or with a body. */
export interface CostCall {
  readonly target: string;
  readonly body?: object;
}

export interface CallCost {
  readonly call: CostCall;
  readonly isCold: boolean;
  readonly status: number;
  /** Processor time in ms for each credit. A call that costs none counts as one of one credit. */
  readonly msPerCredit: number;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly in: "query" | "path";
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** It keeps a connection open, and sends mails and messages: no call of it is answered here. */
const LEFT_OUT = /^\/v1\/(stream|webhooks\/)/;
/** Writes of these change what others read. */
const METHODS = ["get", "post"];

type Below = (below: number) => number;

/** Draws calls of every endpoint in the OpenAPI document, with parameters at random within their schemas. */
export function* drawCalls(scene: CostScene, below: Below): Generator<CostCall> {
  const document = describeApi(endpoints, "https://prices.test") as Document;
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).flatMap(([method, operation]) =>
      LEFT_OUT.test(path) || !METHODS.includes(method) ? [] : { path, method, operation },
    ),
  );
  for (;;) {
    for (const { path, method, operation } of operations) {
      const { parameters = [], requestBody } = operation;
      const values = new Values(scene, below);
      const given = parameters.filter((each) => each.required === true || below(2) === 0);
      const segments = path.replace(/\{(\w+)\}/, (_, name: string) =>
        encodeURIComponent(String(values.draw(name, given.find((each) => each.name === name)?.schema ?? {}))),
      );
      const query = given.flatMap(({ in: place, name, schema }) =>
        place === "query" ? [[name, String(values.draw(name, schema))]] : [],
      );
      const search = new URLSearchParams(query).toString();
      const target = `${method.toUpperCase()} ${segments}${search === "" ? "" : `?${search}`}`;
      const schema = requestBody?.content["application/json"].schema;
      yield schema === undefined ? { target } : { target, body: values.drawObject(schema) };
    }
  }
}

const FAMILIES = ["SMA", "EMA", "RSI", "TEMA", "CCI", "ATR", "StdDev", "WMA", "Momentum"];
const CURRENCIES = ["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"];

/** The values of the parameters of one call, which share a moment of the past. */
class Values {
  readonly #scene: CostScene;
  readonly #below: Below;
  readonly #spanMs: number;
  readonly #toMs: number;

  constructor(scene: CostScene, below: Below) {
    this.#scene = scene;
    this.#below = below;
    // Of all lengths alike, from a minute to half a year.
    this.#spanMs = MINUTE_MS * 2 ** below(19);
    const backMs = below(2) === 0 ? 0 : SECOND_MS * 2 ** below(24);
    this.#toMs = scene.nowMs - backMs;
  }

  drawObject({ properties = {}, required = [] }: Schema): object {
    const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || this.#below(2) === 0);
    return Object.fromEntries(chosen.map(([name, schema]) => [name, this.draw(name, schema)]));
  }

  draw(name: string, schema: Schema): unknown {
    const { symbols, logged } = this.#scene;
    switch (name) {
      case "symbol":
        return this.#pick(symbols);
      case "symbols":
        return this.#list(schema, () => this.#pick(symbols));
      case "indicator":
        return this.#drawIndicator();
      case "indicators":
        return this.#list(schema, () => this.#drawIndicator());
      case "source":
        return this.#pick(schema.enum ?? ["alpha-markets", "best"]);
      case "currencies":
        return this.#list(schema, () => this.#pick(CURRENCIES));
      case "from":
        return formatTime(this.#toMs - this.#spanMs);
      case "to":
        return formatTime(this.#toMs);
      case "date":
        return formatTime(this.#scene.nowMs - this.#below(3) * DAY_MS).slice(0, 10);
      case "at":
        return formatTime(
          this.#below(2) === 0 ? this.#toMs : logged.fromMs + this.#below(logged.untilMs - logged.fromMs),
        );
    }
    return this.#drawOf(schema);
  }

  #drawOf(schema: Schema): unknown {
    const { examples, minimum = 0, maximum = 1_000, items } = schema;
    const known = schema.enum ?? (schema.const === undefined ? examples : [schema.const]);
    if (known !== undefined) return this.#pick(known);
    if (items !== undefined) return this.#list(schema, () => this.#drawOf(items));
    if (schema.type === "boolean") return this.#below(2) === 0;
    if (schema.type === "number") return this.#below(200) - 100;
    // The greatest are the dearest.
    if (schema.type === "integer")
      return this.#below(2) === 0 && maximum < 1e6 ? maximum : minimum + this.#below(maximum - minimum + 1);
    if (schema.format === "uuid") return "00000000-0000-4000-8000-000000000000";
    return "USD";
  }

  #list({ maxItems = 20 }: Schema, draw: () => unknown): unknown {
    const count = this.#below(3) === 0 ? maxItems : 1 + this.#below(maxItems);
    const items = [...new Set(Array.from({ length: count }, draw))];
    return items;
  }

  #drawIndicator(): string {
    if (this.#below(3) > 0) return this.#pick(indicatorNames);
    const period = this.#below(2) === 0 ? 2 + this.#below(50) : 2 + this.#below(400);
    return `${this.#pick(FAMILIES)}_${period}`;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item;
  }
}

const formatTime = (timeMs: number) => new Date(Math.floor(timeMs / SECOND_MS) * SECOND_MS).toISOString();

/** Calls that compute the most, each for the first time since its memory was dropped. */
export function listHeavyCalls({ nowMs, logged, symbols }: CostScene): readonly CostCall[] {
  const at = (ms: number) => encodeURIComponent(formatTime(ms));
  const span = (ms: number) => `from=${at(nowMs - ms)}&to=${at(nowMs)}`;
  const many = symbols.slice(0, 50).join();
  const names = indicatorNames.slice(0, 50).join();
  return [
    ...["RSI_14", "SMA_200", "SMA_400", "EMA_20", "OBV"].map((name) => `/v1/screener?indicator=${name}`),
    ...["M1", "M5", "D1", "W1"].map((timeframe) => `/v1/screener?indicator=SMA_373&timeframe=${timeframe}`),
    `/v1/screener?indicator=MACD_main&at=${at(logged.fromMs + 9_000)}`,
    `/v1/screener?indicator=RSI_14&at=${at(nowMs - 5 * HOUR_MS)}`,
    `/v1/screener?indicator=RSI_14&at=${at(nowMs - 400 * DAY_MS)}`,
    ...["strength", "correlation"].flatMap((type) => [
      ...["H1", "H4", "D1", "W1"].map((timeframe) => `/v1/heatmap?type=${type}&timeframe=${timeframe}`),
      `/v1/heatmap?type=${type}&at=${at(logged.fromMs)}`,
      `/v1/heatmap?type=${type}&at=${at(nowMs - 5 * DAY_MS)}`,
    ]),
    "/v1/heatmap?type=correlation&bars=500&timeframe=W1",
    `/v1/heatmap?type=correlation&bars=500&symbols=${symbols.slice(0, 20).join()}`,
    `/v1/multi?symbols=${many}&indicators=${names}`,
    `/v1/multi?symbols=${many}&indicators=${names.replace(/,(OBV|AD)\b/g, "")}&timeframe=M7`,
    `/v1/multi?symbols=${many}&indicators=SMA_400&timeframe=S5`,
    `/v1/multi?symbols=${symbols.slice(0, 10).join()}&indicators=${names}&${span(1_000 * HOUR_MS)}`,
    `/v1/multi?symbols=${symbols.slice(0, 10).join()}&indicators=${names}&timeframe=M1&${span(1_000 * MINUTE_MS)}&format=csv`,
    ...["M1", "H1", "S1", "M7"].map(
      (each) => `/v1/indicator/history?symbol=EURUSD&indicator=SMA_373&limit=5000&timeframe=${each}`,
    ),
    ...["M1", "S1", "M7"].map((each) => `/v1/indicator?symbol=EURUSD&indicator=ADX&bars=500&timeframe=${each}`),
    ...["M1", "M7", "S5", "MN1"].map((each) => `/v1/indicators?symbol=EURUSD&timeframe=${each}`),
    ...["ask", "mid"].flatMap((price) =>
      ["M1", "H1", "D1", "S1"].flatMap((each) => [
        `/v1/ohlc?symbol=EURUSD&price=${price}&timeframe=${each}&limit=1000`,
        `/v1/ohlc?symbol=EURUSD&price=${price}&timeframe=${each}&limit=2`,
        `/v1/ohlc?symbol=EURUSD&price=${price}&timeframe=${each}&limit=1000&at=${at(logged.fromMs)}`,
      ]),
    ),
    ...["M1", "M7", "S1", "S30", "MN1"].map((each) => `/v1/ohlc?symbol=EURUSD&timeframe=${each}&limit=1000`),
    "/v1/spread?symbol=EURUSD&period=30d&include=percentiles&series=15m",
    `/v1/spread?symbol=EURUSD&period=30d&include=percentiles&series=15m&at=${at(logged.fromMs)}`,
    `/v1/spread/compare?symbols=${symbols.slice(0, 20).join()}&period=30d`,
    `/v1/spread/compare?symbols=${symbols.slice(0, 20).join()}&period=30d&by=source`,
    `/v1/spread/compare?symbols=${symbols.slice(0, 20).join()}&period=30d&at=${at(logged.fromMs)}`,
    "/v1/summary?symbol=EURUSD",
    "/v1/summary?symbol=EURUSD&timeframe=M7",
    `/v1/summary?symbol=EURUSD&at=${at(logged.fromMs)}`,
    `/v1/summary?symbol=EURUSD&at=${at(nowMs - 5 * HOUR_MS)}`,
    "/v1/quality?symbol=EURUSD&include=detail",
    "/v1/quality/day?limit=500",
    "/v1/symbols?limit=500",
    `/v1/symbols?limit=500&at=${at(logged.fromMs)}`,
    `/v1/symbols?limit=500&at=${at(nowMs - 5 * HOUR_MS)}`,
    `/v1/ticks?symbol=EURUSD&${span(12 * HOUR_MS)}&limit=50000`,
    `/v1/ticks?symbol=EURUSD&${span(12 * HOUR_MS)}&limit=50000&format=csv&include=origin,gaps`,
    ...["ticks", "bars", "spreads", "quotes", "proofs"].flatMap((what) =>
      ["csv", "parquet"].map((format) => `/v1/export?what=${what}&symbol=EURUSD&${span(DAY_MS)}&format=${format}`),
    ),
    ...["calendar", "calendar_revisions"].map((what) => `/v1/export?what=${what}&${span(31 * DAY_MS)}&format=parquet`),
    `/v1/calendar?${span(30 * DAY_MS)}&limit=500&include=numeric,revised,certainty,history`,
    `/v1/calendar?${span(30 * DAY_MS)}&limit=500&at=${at(nowMs - HOUR_MS)}`,
    `/v1/calendar.ics?${span(30 * DAY_MS)}`,
  ].map((target) => ({ target: `GET ${target}` }));
}

/** A call is measured again while it takes more than this part of its most: a garbage collection may have fallen into it. */
const SUSPECT = 0.5;
const REPEATS = 3;

/** Measures a call, cold, after all that is in memory of the history was dropped, or else warm. */
export async function measureCall(scene: CostScene, call: CostCall, isCold: boolean): Promise<CallCost> {
  let least: CallCost | null = null;
  for (let round = 0; round < REPEATS; round++) {
    if (isCold) scene.forget();
    const next = await measureOnce(scene, call, isCold);
    if (least === null || next.msPerCredit < least.msPerCredit) least = next;
    if (least.msPerCredit < findMost(call) * SUSPECT) break;
  }
  return least as CallCost;
}

async function measureOnce(scene: CostScene, { target, body }: CostCall, isCold: boolean): Promise<CallCost> {
  const [method = "", address = ""] = target.split(" ");
  const { path, search } = splitTarget(address);
  const match = matchPath(path);
  const headers: Readonly<Record<string, string>> = { "accept-encoding": "gzip", "content-type": "application/json" };
  const call: Call = {
    ...{ method, path, search, apiKey: scene.key },
    body: body === undefined ? "none" : Buffer.from(JSON.stringify(body)),
    header: (name) => headers[name],
    address: () => "127.0.0.1",
  };
  const before = process.cpuUsage();
  const { status } = await answerCall(call, match, scene.services);
  const { user, system } = process.cpuUsage(before);
  const endpoint = match === null ? null : findEndpoint(match, method);
  const credits = status < 300 && endpoint?.access === "key" ? endpoint.weight : 1;
  return { call: { target, ...(body && { body }) }, isCold, status, msPerCredit: (user + system) / 1000 / credits };
}

/** The dearest calls, the dearest first. */
export function findDearest(costs: readonly CallCost[], count: number): readonly CallCost[] {
  return costs.toSorted((one, other) => other.msPerCredit - one.msPerCredit).slice(0, count);
}

export function formatCost({ call: { target, body }, isCold, status, msPerCredit }: CallCost): string {
  const shown = `${target}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`;
  return `${msPerCredit.toFixed(1).padStart(8)} ms  ${isCold ? "cold" : "warm"}  ${status}  ${shown.slice(0, 200)}`;
}

/** The most that a credit may cost, in ms of the processor of the machine on which `REFERENCE_MS` was measured. */
export const MOST_MS = 60;

/** Calls that cost more for a credit: many symbols at once, which are mostly dear when nothing of them is in memory. */
const DEARER: readonly (readonly [call: RegExp, mostMs: number])[] = [
  [/\/multi\?.*(from=|timeframe=S)/, 600],
  [/\/(screener|multi)\?/, 250],
  [/\/spread(\/compare)?\?/, 120],
  [/\/export\?.*ticks/, 120],
];

export function findMost({ target }: CostCall): number {
  return DEARER.find(([call]) => call.test(target))?.[1] ?? MOST_MS;
}

const REFERENCE_MS = 20;
const REFERENCE_ROUNDS = 7;

/** How many times as long this machine takes, in this minute, as the one of `REFERENCE_MS`. At least 1. */
export function measureSlowness(): number {
  const rounds = Array.from({ length: REFERENCE_ROUNDS }, () => {
    const before = process.cpuUsage();
    computeReference();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.min(...rounds) / REFERENCE_MS);
}

/** Objects of numbers and text, as answers are made of. */
function computeReference(): void {
  const bars = Array.from({ length: 20_000 }, (_, at) => ({ time: at * MINUTE_MS, open: at / 7, close: at / 11 }));
  JSON.parse(JSON.stringify(bars));
}
