import { beforeAll, beforeEach, expect, test } from "vitest";
import { expectError, place, readData, type Reply, send } from "@/e2e/api/server";
import { joinServer, withAccess } from "@/e2e/support/access";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import type { NewKey } from "@/lib/access/keys/keys";
import type { PlanName } from "@/lib/access/plans";

interface Alert {
  readonly id: string;
  readonly name: string;
  readonly condition: object;
  readonly active: boolean;
}

const PRICE = { type: "price", symbol: "EURUSD", level: 1.2 };
const EVENTS = { type: "upcoming", minutes: 15, currencies: ["USD"], impacts: ["high"] };
const NO_ID = "00000000-0000-4000-8000-000000000000";
let created = 0;

let accountId: string;
let key: string;
let other: string;

async function createKeys(plan: PlanName, ...keys: Partial<NewKey>[]) {
  return withAccess(place, async ({ accounts, keys: service }) => {
    created += 1;
    const email = `alerts-${created}-${process.pid}@example.com`;
    const account = await accounts.create({ email, password: "a password for alerts", plan }, OPERATOR_CLI);
    const secrets: string[] = [];
    for (const each of keys) {
      const made = await service.create({ accountId: account.id, label: "a key", scopes: ["all", "alerts"], ...each });
      secrets.push(made.secret);
    }
    return { id: account.id, secrets };
  });
}

const write = (method: string, path: string, body: unknown, by = key): Promise<Reply> =>
  send(path, { method, key: by, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
const create = async (body: object, by = key) => readData<Alert>(await write("POST", "/v1/alerts", body, by));
const list = async (by = key) => readData<{ alerts: Alert[] }>(await send("/v1/alerts", { key: by })).alerts;

beforeAll(async () => {
  other = (await createKeys("pro", {})).secrets[0] ?? "";
});
beforeEach(async () => {
  const { id, secrets } = await createKeys("pro", {});
  [accountId, key] = [id, secrets[0] ?? ""];
});

test("An alert on a line answers with its times in UTC, and refuses points, drawings and ends that make no line", async () => {
  const from = { time: "2099-01-14T10:00:00+01:00", price: 1.195 };
  const to = { time: "2099-01-15T09:00:00Z", price: 1.198 };
  const condition = { type: "line", symbol: "eur/usd", from, to };
  const made = (await create({ condition })).condition;
  expect(made).toEqual({
    ...{ type: "line", symbol: "EURUSD", timeframe: "H1", extend: "right", scale: "linear" },
    from: { ...from, time: "2099-01-14T09:00:00.000Z" },
    to: { ...to, time: "2099-01-15T09:00:00.000Z" },
    ...{ direction: "either", price: "bid", drawing: null },
  });
  const refuse = (changed: object) => write("POST", "/v1/alerts", { condition: { ...condition, ...changed } });
  expectError(await refuse({ to: { ...to, time: from.time } }), 400, "VALIDATION_ERROR");
  expectError(await refuse({ from: { ...from, time: "yesterday" } }), 400, "VALIDATION_ERROR");
  expectError(await refuse({ timeframe: "S5" }), 400, "VALIDATION_ERROR");
  expectError(await refuse({ drawing: NO_ID }), 400, "VALIDATION_ERROR");
  const past = { from: { ...from, time: "2020-01-01" }, to: { ...to, time: "2020-01-02" }, extend: "none" };
  expectError(await refuse(past), 400, "VALIDATION_ERROR");
});

test("An alert on completeness is about a source, each or those that were served, and refuses an unknown one", async () => {
  const condition = { type: "completeness", symbol: "eur/usd", percent: 98 };
  const { condition: made, name } = await create({ condition, cooldown_seconds: 0 });
  expect(made).toEqual({ ...condition, symbol: "EURUSD", source: null });
  expect(name).toBe("EURUSD is less than 98 % complete");
  expect((await create({ condition: { ...condition, source: "*" } })).condition).toMatchObject({ source: "*" });
  const refuse = (changed: object) => write("POST", "/v1/alerts", { condition: { ...condition, ...changed } });
  expectError(await refuse({ source: "nobody" }), 404, "SOURCE_NOT_FOUND");
  expectError(await refuse({ symbol: "NOPE1" }), 404, "SYMBOL_NOT_FOUND");
  for (const changed of [{ percent: 0 }, { percent: 100.5 }, { percent: "98" }, { source: "" }, { source: 1 }]) {
    expectError(await refuse(changed), 400, "VALIDATION_ERROR");
  }
});

test("An alert is created, read, changed and deleted, and the audit log names the key", async () => {
  const alert = await create({ condition: { ...PRICE, symbol: "eur/usd", level: 1.200001 } });
  expect(alert).toMatchObject({
    name: "EURUSD bid crosses 1.20000",
    condition: { type: "price", symbol: "EURUSD", level: 1.2, direction: "either", price: "bid" },
    ...{ active: true, cooldown_seconds: null, webhook_id: null, mail: false, push: false, firings: 0 },
  });
  const path = `/v1/alerts/${alert.id}`;
  expect(readData(await send(path, { key }))).toEqual({ ...alert, log: [] });
  const changed = readData<Alert>(await write("PATCH", path, { active: false, name: "later", cooldown_seconds: 600 }));
  expect(changed).toMatchObject({ name: "later", active: false, cooldown_seconds: 600, condition: alert.condition });
  expect(await list()).toEqual([changed]);
  expect(readData(await send(path, { method: "DELETE", key }))).toEqual({ deleted: true });
  expect(await list()).toEqual([]);
  expectError(await send(path, { key }), 404, "ALERT_NOT_FOUND");
  const database = await joinServer(place);
  const events = await createAuditLog(database).list({ accountId, limit: 10 });
  await database.close();
  expect(events.filter(({ keyId }) => keyId !== null).map(({ event }) => event)).toEqual([
    "alert.delete",
    "alert.update",
    "alert.create",
    "key.create",
  ]);
});

test("An account finds no alert and no webhook of another", async () => {
  const { id } = await create({ condition: PRICE });
  const webhook = readData<{ id: string }>(
    await write("POST", "/v1/webhooks", { name: "a", url: "https://hooks.example/" }),
  );
  expect(await list(other)).toEqual([]);
  expectError(await send(`/v1/alerts/${id}`, { key: other }), 404, "ALERT_NOT_FOUND");
  expectError(await write("PATCH", `/v1/alerts/${id}`, { active: false }, other), 404, "ALERT_NOT_FOUND");
  expectError(await send(`/v1/alerts/${id}`, { method: "DELETE", key: other }), 404, "ALERT_NOT_FOUND");
  expectError(await send(`/v1/webhooks/${webhook.id}`, { method: "DELETE", key: other }), 404, "WEBHOOK_NOT_FOUND");
  expectError(
    await write("POST", "/v1/alerts", { condition: PRICE, webhook_id: webhook.id }, other),
    404,
    "WEBHOOK_NOT_FOUND",
  );
  expect(await list()).toHaveLength(1);
});

test("A key with limited symbols sees and changes alerts on those only", async () => {
  const { secrets } = await createKeys("pro", {}, { symbols: ["EURUSD"] });
  const [all = "", limited = ""] = secrets;
  const gold = await create({ condition: { type: "spread", symbol: "XAUUSD" } }, all);
  const euro = await create({ condition: PRICE }, limited);
  expect((await list(limited)).map(({ id }) => id)).toEqual([euro.id]);
  expect(await list(all)).toHaveLength(2);
  const body = { condition: { type: "spread", symbol: "XAUUSD" } };
  expectError(await write("POST", "/v1/alerts", body, limited), 403, "PERMISSION_DENIED");
  expectError(await write("PATCH", `/v1/alerts/${euro.id}`, body, limited), 403, "PERMISSION_DENIED");
  expectError(await send(`/v1/alerts/${gold.id}`, { method: "DELETE", key: limited }), 404, "ALERT_NOT_FOUND");
});

test("Only the scope alerts opens the endpoints, not even all", async () => {
  const { secrets } = await createKeys("pro", { scopes: ["all"] }, { scopes: ["all", "alerts"] });
  const [all = "", both = ""] = secrets;
  expectError(await send("/v1/alerts", { key: all }), 403, "PERMISSION_DENIED");
  expectError(
    await write("POST", "/v1/webhooks", { name: "a", url: "https://hooks.example/" }, all),
    403,
    "PERMISSION_DENIED",
  );
  expect(await list(both)).toEqual([]);
});

test("A key with the scope alerts alone reads no prices by an alert's log, not even of an alert of its account", async () => {
  const { secrets } = await createKeys("pro", {}, { scopes: ["alerts"] });
  const [all = "", alone = ""] = secrets;
  const { id } = await create({ condition: PRICE }, all);
  expectError(await send("/v1/quote?symbol=EURUSD", { key: alone }), 403, "PERMISSION_DENIED");
  expectError(await write("POST", "/v1/alerts", { condition: PRICE }, alone), 403, "PERMISSION_DENIED");
  expectError(await send(`/v1/alerts/${id}`, { key: alone }), 404, "ALERT_NOT_FOUND");
  expect(await list(alone)).toEqual([]);
});

test("The plan limits active alerts, all alerts, webhooks and conditions on events", async () => {
  const { secrets } = await createKeys("free", {});
  const [free = ""] = secrets;
  expectError(await write("POST", "/v1/alerts", { condition: EVENTS }, free), 403, "PLAN_UPGRADE_REQUIRED");
  const alerts: Alert[] = [];
  for (let index = 0; index < 5; index++) alerts.push(await create({ condition: PRICE }, free));
  expectError(await write("POST", "/v1/alerts", { condition: PRICE }, free), 403, "TOO_MANY_ALERTS");
  for (let index = 0; index < 5; index++) await create({ condition: PRICE, active: false }, free);
  const paused = (await list(free)).find(({ active }) => !active);
  expectError(await write("PATCH", `/v1/alerts/${paused?.id}`, { active: true }, free), 403, "TOO_MANY_ALERTS");
  const body = { condition: PRICE, active: false };
  expectError(await write("POST", "/v1/alerts", body, free), 403, "TOO_MANY_ALERTS");
  readData(await write("PATCH", `/v1/alerts/${alerts[0]?.id}`, { active: false }, free));
  readData(await write("PATCH", `/v1/alerts/${paused?.id}`, { active: true }, free));
  const webhook = { name: "a", url: "https://hooks.example/" };
  readData(await write("POST", "/v1/webhooks", webhook, free));
  expectError(await write("POST", "/v1/webhooks", webhook, free), 403, "TOO_MANY_WEBHOOKS");
});

test("A webhook to a chat has no secret of ours, and shows none of its own", async () => {
  const token = "123456789:AAF-abcdefghijklmnopqrstuvwxyz_01234";
  const wanted = { name: "phone", kind: "telegram", token, chat: "-1001234567890" };
  const reply = await write("POST", "/v1/webhooks", wanted);
  const webhook = readData<{ id: string }>(reply);
  expect(webhook).toMatchObject({ kind: "telegram", chat: "-1001234567890", secret: null });
  expect(reply.text + (await send("/v1/webhooks", { key })).text).not.toContain("abcdefghijklm");
  readData(await send(`/v1/webhooks/${webhook.id}`, { method: "DELETE", key }));
  for (const wrong of [
    { ...wanted, token: "x" },
    { ...wanted, chat: "a b" },
    { ...wanted, kind: "fax" },
  ]) {
    expectError(await write("POST", "/v1/webhooks", wrong), 400, "VALIDATION_ERROR");
  }
});

test("A webhook shows its secret once, and deleting it leaves its alerts", async () => {
  const webhook = readData<{ id: string; secret: string }>(
    await write("POST", "/v1/webhooks", { name: "desk", url: "https://hooks.example/alerts" }),
  );
  expect(webhook.secret).toMatch(/^whsec_/);
  const alert = await create({ condition: PRICE, webhook_id: webhook.id });
  const shown = { ...webhook, secret: undefined };
  expect(readData(await send("/v1/webhooks", { key }))).toEqual({ webhooks: [shown], count: 1 });
  expect(readData(await send(`/v1/webhooks/${webhook.id}`, { method: "POST", key }))).toMatchObject({ sent: true });
  readData(await send(`/v1/webhooks/${webhook.id}`, { method: "DELETE", key }));
  expect(readData(await send(`/v1/alerts/${alert.id}`, { key }))).toMatchObject({ webhook_id: null });
  for (const url of ["http://example.com/", "https://127.0.0.1/", "https://[::1]/", "https://localhost/x", "nonsense"])
    expectError(await write("POST", "/v1/webhooks", { name: "desk", url }), 400, "VALIDATION_ERROR");
});

test.each([
  ["nothing", {}],
  ["an unknown type", { condition: { type: "weather" } }],
  ["a condition that is a text", { condition: "price" }],
  ["a missing level", { condition: { type: "price", symbol: "EURUSD" } }],
  ["a level of 0", { condition: { ...PRICE, level: 0 } }],
  ["a level that rounds to 0", { condition: { ...PRICE, level: 0.000001 } }],
  ["a misspelled field", { condition: { ...PRICE, directon: "up" } }],
  ["a huge window", { condition: { type: "move", symbol: "EURUSD", percent: 1, minutes: 1e9 } }],
  ["no state", { condition: { type: "state", symbol: "EURUSD", states: [] } }],
  ["a short cool-down", { condition: PRICE, cooldown_seconds: 59 }],
  ["a cool-down too short for mail", { condition: PRICE, mail: true, cooldown_seconds: 600 }],
  ["a fraction", { condition: PRICE, cooldown_seconds: 90.5 }],
  ["control characters in the name", { name: "a\u0007b", condition: PRICE }],
  ["a long name", { name: "x".repeat(101), condition: PRICE }],
  ["a webhook that is no id", { condition: PRICE, webhook_id: 7 }],
])("An alert with %s is refused", async (_, body) => {
  expectError(await write("POST", "/v1/alerts", body), 400, "VALIDATION_ERROR");
});

test("Unknown names are refused with their own codes", async () => {
  const unknown = { condition: { ...PRICE, symbol: "NOPE1" } };
  expectError(await write("POST", "/v1/alerts", unknown), 404, "SYMBOL_NOT_FOUND");
  for (const id of [NO_ID, "x"])
    expectError(await write("POST", "/v1/alerts", { condition: PRICE, webhook_id: id }), 404, "WEBHOOK_NOT_FOUND");
  for (const id of [NO_ID, "x", "%00", "'"]) {
    expectError(await send(`/v1/alerts/${id}`, { key }), 404, "ALERT_NOT_FOUND");
    expectError(await send(`/v1/webhooks/${id}`, { method: "DELETE", key }), 404, "WEBHOOK_NOT_FOUND");
  }
  expectError(await send("/v1/alerts", { method: "POST", key, body: "{}" }), 415, "UNSUPPORTED_MEDIA_TYPE");
});
