import { afterAll, beforeAll, expect, test } from "vitest";
import { joinServer, withAccess } from "@/e2e/support/access";
import { simulateFewPrices } from "@/e2e/support/few-prices";
import { createPlace } from "@/e2e/support/prepared-past";
import { type Place, type Spotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { startReceiver, verifyMessage } from "@/lib/alerts/delivery-scene.fixture";

/** Alerts of a server that is killed: each fires once, and its message arrives with one id. */

const COUNT = 12;
const undo: (() => Promise<unknown>)[] = [];
let place: Place;
let server: Spotline;
let key: string;

const start = () =>
  startTestServer({ env: { ...place, ...simulateFewPrices(), ...WITHOUT_PAGES, SPOTLINE_WEBHOOK_PRIVATE: "1" } });

beforeAll(async () => {
  const created = await createPlace();
  place = created.place;
  undo.push(created.remove);
  server = await start();
  undo.push(() => server.stop());
  key = await withAccess(place, async ({ accounts, keys }) => {
    const { id } = await accounts.create({ email: "a@example.com", password: "correct horse battery", plan: "pro" });
    return (await keys.create({ accountId: id, label: "desk", scopes: ["all", "alerts"] })).secret;
  });
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${server.url}${path}`, { method, headers, ...init });
  const answer = (await response.json()) as { data: Data };
  expect({ status: response.status, answer }).toMatchObject({ status: 200 });
  return answer.data;
}

test("Alerts that fire around a kill fire once each, and their messages arrive", { timeout: 180_000 }, async () => {
  let isAnswering = false;
  const receiver = await startReceiver((response) => void (isAnswering && response.end("thanks")));
  undo.push(receiver.close);
  const webhook = await call<{ id: string; secret: string }>("POST", "/v1/webhooks", { name: "a", url: receiver.url });
  const { bid } = await call<{ bid: number }>("GET", "/v1/quote?symbol=EURUSD");
  // Levels around the price, which the simulated market crosses within seconds.
  for (let index = 0; index < COUNT; index++) {
    const level = Number((bid + ((index % 2 === 0 ? 1 : -1) * (1 + Math.floor(index / 2))) / 1e5).toFixed(5));
    await call("POST", "/v1/alerts", { condition: { type: "price", symbol: "EURUSD", level }, webhook_id: webhook.id });
  }
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBeGreaterThan(0);
  // The first messages have arrived, and their outcome is not noted.
  process.kill(server.pid, "SIGKILL");
  await server.stop();
  const before = receiver.received.map(({ headers }) => String(headers["webhook-id"]));
  isAnswering = true;
  server = await start();
  const readIds = () => new Set(receiver.received.map(({ headers }) => String(headers["webhook-id"])));
  const database = await joinServer(place);
  undo.push(() => database.close());
  const readStates = async () =>
    (await database.prisma.alertDelivery.findMany({ include: { firing: true } })).map(({ state, tries, firing }) => ({
      state,
      tries,
      id: firing.id,
      alertId: firing.alertId,
    }));
  const isDone = async () => {
    const states = await readStates();
    return states.length >= before.length && states.every(({ state }) => state === "delivered");
  };
  await expect.poll(isDone, { timeout: 90_000 }).toBe(true);
  // Those that have not fired must not do so while the rest is compared.
  await database.prisma.alert.updateMany({ where: { firings: 0 }, data: { active: false } });
  await expect.poll(isDone, { timeout: 60_000 }).toBe(true);
  const states = await readStates();
  expect(new Set(states.map(({ alertId }) => alertId)).size).toBe(states.length);
  expect(new Set(states.map(({ id }) => id))).toEqual(readIds());
  // Those before the kill arrived twice, with the same id.
  for (const id of before) {
    const copies = receiver.received.filter(({ headers }) => headers["webhook-id"] === id);
    expect(copies.length).toBeGreaterThan(1);
    expect(new Set(copies.map(({ body }) => body)).size).toBe(1);
  }
  for (const message of receiver.received) expect(verifyMessage(webhook.secret, message)).toBe(true);
  const message = JSON.parse(receiver.received[0]?.body ?? "") as { type: string; data: { quote: object } };
  expect(message).toMatchObject({ type: "alert.fired", data: { quote: { symbol: "EURUSD", data_mode: "simulated" } } });
  const alerts = await database.prisma.alert.findMany();
  expect(alerts).toHaveLength(COUNT);
  for (const { id, active, firings } of alerts) {
    const hasFired = states.some(({ alertId }) => alertId === id);
    expect({ active, firings }).toEqual({ active: false, firings: hasFired ? 1 : 0 });
  }
});
