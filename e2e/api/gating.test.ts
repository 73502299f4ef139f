import { beforeAll, expect, test } from "vitest";
import { expectError, place, send, url } from "@/e2e/api/server";
import { withAccess } from "@/e2e/support/access";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { Scope } from "@/lib/access/scopes";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { endpoints } from "@/lib/api/registry";
import { HOUR_MS } from "@/lib/time/units";

/**
 * Every combination of plan, kind and scope with every endpoint. The expected outcomes are written here from the
 * contract, not read from the code under test.
 */

interface Guarded {
  /** A valid call of the endpoint. */
  readonly call: string;
  readonly body?: unknown;
  readonly scope: Scope | null;
  /** The part of a plan that the endpoint needs. */
  readonly part?: "calendar" | "ticks" | "historical indicators";
}

const hourAgo = Math.floor(Date.now() / HOUR_MS) - 1;
/** A whole hour in Unix seconds, for which ticks are retained. */
const ONE_HOUR = `from=${hourAgo * 3600}&to=${(hourAgo + 1) * 3600}`;
/** On data that every key may read: others need the scope of their data too. */
const ALERT = { condition: { type: "completeness", symbol: "EURUSD", percent: 90 } };
/** Of no alert and no webhook: a call that is admitted does not find it. */
const NO_ID = "00000000-0000-4000-8000-000000000000";
const guarded: Readonly<Record<string, Guarded | readonly Guarded[]>> = {
  "GET /v1/quote": { call: "/v1/quote?symbol=EURUSD", scope: "quotes" },
  "POST /v1/quotes": { call: "/v1/quotes", body: { symbols: ["EURUSD"] }, scope: "quotes" },
  "GET /v1/symbols": { call: "/v1/symbols", scope: "quotes" },
  "GET /v1/symbols/{symbol}": { call: "/v1/symbols/EURUSD", scope: "quotes" },
  "GET /v1/indicator": { call: "/v1/indicator?symbol=EURUSD&indicator=RSI_14", scope: "indicators" },
  "GET /v1/indicators": { call: "/v1/indicators?symbol=EURUSD", scope: "indicators" },
  "GET /v1/indicators/list": { call: "/v1/indicators/list", scope: "indicators" },
  "GET /v1/screener": { call: "/v1/screener?indicator=RSI_14", scope: "indicators" },
  "GET /v1/ohlc": { call: "/v1/ohlc?symbol=EURUSD", scope: "historical" },
  "GET /v1/ticks": { call: `/v1/ticks?symbol=EURUSD&${ONE_HOUR}`, scope: "historical", part: "ticks" },
  "GET /v1/export": [
    { call: `/v1/export?what=ticks&symbol=EURUSD&${ONE_HOUR}`, scope: "historical", part: "ticks" },
    { call: `/v1/export?what=bars&symbol=EURUSD&${ONE_HOUR}`, scope: "historical" },
  ],
  // Refused before it is stored: an account may have few exports.
  "POST /v1/export": {
    call: "/v1/export",
    body: { what: "bars", symbols: ["NOPE"], from: "2026-01-01", to: "2026-01-02" },
    scope: "historical",
  },
  "GET /v1/exports": { call: "/v1/exports", scope: "historical" },
  "GET /v1/export/{id}": { call: `/v1/export/${NO_ID}`, scope: "historical" },
  "DELETE /v1/export/{id}": { call: `/v1/export/${NO_ID}`, scope: "historical" },
  "GET /v1/indicator/history": {
    call: "/v1/indicator/history?symbol=EURUSD&indicator=RSI_14",
    scope: "historical",
    part: "historical indicators",
  },
  "GET /v1/multi": [
    { call: "/v1/multi?symbols=EURUSD&indicators=RSI_14", scope: "premium" },
    {
      call: `/v1/multi?symbols=EURUSD&indicators=RSI_14&timeframe=M1&${ONE_HOUR}`,
      scope: "premium",
      part: "historical indicators",
    },
  ],
  "GET /v1/summary": { call: "/v1/summary?symbol=EURUSD", scope: "premium" },
  "GET /v1/heatmap": { call: "/v1/heatmap", scope: "premium" },
  "GET /v1/spread": { call: "/v1/spread?symbol=EURUSD", scope: null },
  "GET /v1/spread/compare": { call: "/v1/spread/compare?symbols=EURUSD", scope: null },
  "GET /v1/quality": { call: "/v1/quality?symbol=EURUSD", scope: null },
  "GET /v1/quality/day": { call: "/v1/quality/day", scope: null },
  "GET /v1/sessions": { call: "/v1/sessions", scope: null },
  "GET /v1/monitor/account": { call: "/v1/monitor/account", scope: null },
  "GET /v1/monitor/layout": { call: "/v1/monitor/layout", scope: null },
  "PUT /v1/monitor/layout": { call: "/v1/monitor/layout", body: { layout: [] }, scope: null },
  "GET /v1/alerts": { call: "/v1/alerts", scope: "alerts" },
  "POST /v1/alerts": { call: "/v1/alerts", body: ALERT, scope: "alerts" },
  "GET /v1/alerts/{alert}": { call: `/v1/alerts/${NO_ID}`, scope: "alerts" },
  "PATCH /v1/alerts/{alert}": { call: `/v1/alerts/${NO_ID}`, body: {}, scope: "alerts" },
  "DELETE /v1/alerts/{alert}": { call: `/v1/alerts/${NO_ID}`, scope: "alerts" },
  "GET /v1/webhooks": { call: "/v1/webhooks", scope: "alerts" },
  "POST /v1/webhooks": { call: "/v1/webhooks", body: { name: "a", url: "https://hooks.example" }, scope: "alerts" },
  "POST /v1/webhooks/{webhook}": { call: `/v1/webhooks/${NO_ID}`, scope: "alerts" },
  "DELETE /v1/webhooks/{webhook}": { call: `/v1/webhooks/${NO_ID}`, scope: "alerts" },
  "GET /v1/calendar": { call: "/v1/calendar", scope: null, part: "calendar" },
  "GET /v1/calendar.ics": { call: "/v1/calendar.ics", scope: null, part: "calendar" },
  "GET /v1/calendar/window": { call: "/v1/calendar/window?symbol=EURUSD", scope: null, part: "calendar" },
  "GET /v1/calendar/subscription": { call: "/v1/calendar/subscription", scope: null, part: "calendar" },
};

type Terms = "free" | "trial" | "payg" | "starter" | "pro" | "enterprise" | "tool";
const included: Readonly<Record<NonNullable<Guarded["part"]>, readonly Terms[]>> = {
  calendar: ["tool", "payg", "starter", "pro", "enterprise"],
  ticks: ["pro", "enterprise"],
  "historical indicators": ["starter", "pro", "enterprise"],
};
const cheapest: Readonly<Record<NonNullable<Guarded["part"]>, Terms>> = {
  calendar: "payg",
  ticks: "pro",
  "historical indicators": "starter",
};
const plans = ["free", "trial", "payg", "starter", "pro", "enterprise"] as const;
const kinds = ["standard", "tool"] as const;
const scopes = ["quotes", "indicators", "historical", "premium", "all", "alerts"] as const;

const formatName = ({ method, path }: Endpoint) => `${method} ${path}`;
const cells = Object.entries(guarded).flatMap(([name, calls]) => [calls].flat().map((each) => ({ name, ...each })));

test("The table has a row for every endpoint that needs a key", () => {
  // A stream does not end; e2e/process/streams.test.ts opens it.
  const keyed = endpoints.filter(({ access, path }) => access === "key" && path !== "/v1/stream").map(formatName);
  expect(Object.keys(guarded).sort()).toEqual(keyed.sort());
});

/** Secrets by "plan kind", and by scope. */
const keys = new Map<string, string>();

beforeAll(async () => {
  await withAccess(place, async ({ accounts, keys: service }) => {
    const createKey = async (name: string, accountId: string, rest: { kind?: "tool"; scopes: Scope[] }) =>
      void keys.set(name, (await service.create({ accountId, label: name, ...rest })).secret);
    for (const plan of plans) {
      const password = "a password for the matrix";
      const { id } = await accounts.create({ email: `matrix-${plan}@example.com`, password, plan }, OPERATOR_CLI);
      await createKey(`${plan} standard`, id, { scopes: ["all", "alerts"] });
      // The table has more calls than the minute of a key of the plan free: this one has those without a scope too.
      await createKey(`${plan} standard, alerts`, id, { scopes: ["alerts"] });
      await createKey(`${plan} tool`, id, { kind: "tool", scopes: ["all", "alerts"] });
      if (plan === "enterprise") for (const scope of scopes) await createKey(scope, id, { scopes: [scope] });
    }
  });
}, 60_000);

const call = (key: string, { name, call: target, body }: Guarded & { name: string }) =>
  send(target, {
    key: keys.get(key) ?? "",
    method: name.split(" ", 1)[0] ?? "",
    ...(body === undefined
      ? {}
      : {
          body: JSON.stringify(body),
          headers: { "Content-Type": "application/json" },
        }),
  });

/** Expects that the call was admitted: 200, 404 if there is no data yet, or 403 once the plan has no more alerts. */
const expectAdmitted = ({ status, json }: Awaited<ReturnType<typeof send>>) => {
  if (status === 200) return;
  const { code } = (json as { error: { code: string } }).error;
  expect(`${status} ${code}`).toMatch(
    /^(404 (DATA|ALERT|WEBHOOK|EXPORT|SYMBOL)_NOT_FOUND|403 TOO_MANY_(ALERTS|WEBHOOKS))$/,
  );
};

for (const plan of plans) {
  for (const kind of kinds) {
    test(`A ${kind} key of the plan ${plan} can call exactly the endpoints of its terms`, async () => {
      const terms: Terms = kind === "tool" ? "tool" : plan;
      for (const cell of cells) {
        const isSplit = kind === "standard" && (cell.scope === "alerts" || cell.scope === null);
        const reply = await call(`${plan} ${kind}${isSplit ? ", alerts" : ""}`, cell);
        if (cell.part === undefined || included[cell.part].includes(terms)) expectAdmitted(reply);
        else {
          expectError(reply, 403, "PLAN_UPGRADE_REQUIRED");
          const message = expect.stringContaining(`plan "${cheapest[cell.part]}" or a higher one`) as unknown;
          const extra = { current_plan: terms, upgrade_url: `${url}/plan`, message };
          expect(reply.json).toMatchObject({ error: extra });
        }
      }
    });
  }
}

for (const scope of scopes) {
  test(`A key with the scope ${scope} can call exactly its endpoints and those without a scope`, async () => {
    for (const cell of cells) {
      const reply = await call(scope, cell);
      const isOpen = cell.scope === null || cell.scope === scope || (scope === "all" && cell.scope !== "alerts");
      if (isOpen) expectAdmitted(reply);
      else expectError(reply, 403, "PERMISSION_DENIED");
    }
  });
}
