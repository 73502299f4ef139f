import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { KeyEntry } from "@/lib/access/admission/directory";
import type { Scope } from "@/lib/access/scopes";
import { type Condition, newConditionSchema } from "@/lib/alerts/conditions";
import { listAlerts } from "@/lib/api/alerts/alerts";
import { MCP_PATH } from "@/lib/api/api-target";
import { endpoints, keyedEndpoints } from "@/lib/api/registry";
import { udfEndpoints } from "@/lib/api/udf/udf";

/** Every way to a price checks what the endpoint of that price checks. */

/** Fields of an answer that are prices, or words with prices in them. */
const PRICE_FIELDS = new Set([
  "bid",
  "ask",
  "mid",
  "open",
  "high",
  "low",
  "close",
  "price",
  "level",
  "value",
  "message",
]);

function listFields(schema: unknown, found = new Set<string>()): Set<string> {
  if (schema === null || typeof schema !== "object") return found;
  for (const name of Object.keys((schema as { properties?: object }).properties ?? {})) found.add(name);
  for (const each of Object.values(schema)) listFields(each, found);
  return found;
}

/** The doors whose answers may have prices, and the scope that opens each; null needs a reason below. */
const DOORS: Readonly<Record<string, Scope | null>> = {
  "/v1/quote": "quotes",
  "/v1/quotes": "quotes",
  "/v1/stream": "quotes",
  "/v1/indicator": "indicators",
  "/v1/indicators": "indicators",
  "/v1/screener": "indicators",
  "/v1/ticks": "historical",
  "/v1/ohlc": "historical",
  "/v1/indicator/history": "historical",
  "/v1/export": "historical",
  "/v1/export/{id}": "historical",
  "/v1/export/files/{file}": "historical",
  "/v1/multi": "premium",
  "/v1/summary": "premium",
  "/v1/heatmap": "premium",
  // Its log: the scopes of what each condition reads are checked below.
  "/v1/alerts": "alerts",
  "/v1/alerts/{alert}": "alerts",
};

/** Answers with such a field that is no price. */
const NO_PRICES: readonly string[] = [];

test("The doors with prices are listed, each with the scope of its price", () => {
  const withPrices = keyedEndpoints.filter(({ reply }) => {
    const schema = z.toJSONSchema(reply, { unrepresentable: "any" });
    return [...listFields(schema)].some((name) => PRICE_FIELDS.has(name));
  });
  const paths = [...new Set(withPrices.map(({ path }) => path))].filter((path) => !NO_PRICES.includes(path));
  expect(paths.filter((path) => !(path in DOORS))).toEqual([]);
  for (const { path, scope } of keyedEndpoints) if (path in DOORS) expect([path, scope]).toEqual([path, DOORS[path]]);
});

test("Doors beside /v1 borrow the permission of an endpoint, and agents make its calls", () => {
  const known = new Set(endpoints.map(({ path }) => path));
  for (const { path, permission, scope, access } of udfEndpoints) {
    if (access === "open" || permission === path) continue;
    expect([path, known.has(permission)]).toEqual([path, true]);
    expect([path, scope]).toEqual([path, endpoints.find((each) => each.path === permission)?.scope]);
  }
  expect(MCP_PATH).toBe("/mcp");
});

describe("An alert gives what its key may read by a call", () => {
  const LINE = { from: { time: "2026-11-20T05:00:00Z", price: 1.1 }, to: { time: "2026-11-21T05:00:00Z", price: 1.2 } };
  const CONDITIONS: Readonly<Record<Condition["type"], object>> = {
    price: { symbol: "EURUSD", level: 1.1 },
    line: { symbol: "EURUSD", ...LINE },
    move: { symbol: "EURUSD", percent: 1, minutes: 5 },
    indicator: { symbol: "EURUSD", indicator: "RSI_14", level: 70 },
    spread: { symbol: "EURUSD" },
    state: { symbol: "EURUSD", states: ["live"] },
    completeness: { symbol: "EURUSD", percent: 90 },
    release: {},
    upcoming: { minutes: 5 },
  };
  /** The scopes of the data in the message of each. */
  const NEEDED: Readonly<Record<Condition["type"], readonly Scope[]>> = {
    price: ["quotes"],
    line: ["quotes"],
    move: ["quotes"],
    spread: ["quotes"],
    state: ["quotes"],
    indicator: ["indicators"],
    completeness: [],
    release: [],
    upcoming: [],
  };
  const entitlements = { name: "enterprise", calendar: true, actuals: true, ticks: true };
  const createKey = (rest: { scopes: readonly Scope[]; endpoints?: readonly string[]; symbols?: readonly string[] }) =>
    ({
      ...{ entitlements, account: { id: "a", plan: "enterprise" } },
      scopes: new Set(rest.scopes),
      endpoints: rest.endpoints === undefined ? null : new Set(rest.endpoints),
      symbols: rest.symbols === undefined ? null : Object.assign(new Set(rest.symbols), { names: rest.symbols }),
    }) as unknown as KeyEntry;
  /** Whether a key sees an alert of its account. */
  async function sees(key: KeyEntry, type: Condition["type"]): Promise<boolean> {
    const condition = newConditionSchema.parse({ type, ...CONDITIONS[type] });
    const services = { alerts: { list: () => Promise.resolve([{ condition, createdAtMs: 0, lastFiredAtMs: null }]) } };
    const request = { key, call: { search: "", header: () => undefined }, services } as never;
    const { body } = await listAlerts.handle(request);
    return (JSON.parse(String(body)) as { data: { count: number } }).data.count === 1;
  }

  test.each(Object.keys(NEEDED) as Condition["type"][])("of the type %s", async (type) => {
    const needed = NEEDED[type];
    expect(await sees(createKey({ scopes: ["alerts"] }), type)).toBe(needed.length === 0);
    expect(await sees(createKey({ scopes: ["alerts", "all"] }), type)).toBe(true);
    expect(await sees(createKey({ scopes: ["alerts", ...needed] }), type)).toBe(true);
    expect(await sees(createKey({ scopes: ["alerts", "all"], endpoints: ["/v1/alerts"] }), type)).toBe(false);
    const isOnSymbol = "symbol" in CONDITIONS[type];
    expect(await sees(createKey({ scopes: ["alerts", "all"], symbols: ["XAUUSD"] }), type)).toBe(!isOnSymbol);
  });
});
