import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { Deliverer } from "@/lib/alerts/delivery/deliverer";
import { claimDeliveries, type DueDelivery, finishTry, RETRY_PAUSES_MS } from "@/lib/alerts/delivery/delivery-rows";
import { startReceiver, verifyMessage } from "@/lib/alerts/delivery/receiver.fixture";
import { listFirings, listNews, listWebhookDeliveries } from "@/lib/alerts/firing-log";
import { createWebhooks, type Webhooks } from "@/lib/alerts/webhooks";
import { silentLog } from "@/lib/platform/log/log";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

const SECRET = "a session secret of at least thirty-two characters";

describe.each(databaseKinds)("deliveries in %s", (kind) => {
  let testDatabase: TestDatabase;
  let accountId: string;
  let webhooks: Webhooks;
  let nowMs: number;
  const now = () => nowMs;
  const owner = () => ({ kind: "owner", accountId }) as const;
  beforeAll(async () => void (testDatabase = await openTestDatabase(kind)));
  beforeEach(async () => {
    nowMs = Date.UTC(2026, 0, 15, 12);
    accountId = (await someAccount(testDatabase.db, "pro")).id;
    webhooks = createWebhooks(testDatabase.db, { now, sessionSecret: SECRET, isPrivateAllowed: true });
  });
  afterAll(() => testDatabase.cleanup());

  const createDeliverer = (options: Partial<ConstructorParameters<typeof Deliverer>[0]> = {}) =>
    new Deliverer({
      ...{
        pool: testDatabase.db.pool,
        now,
        log: silentLog,
        sessionSecret: SECRET,
        isPrivateAllowed: true,
        mailer: null,
      },
      ...{ publicUrl: "https://prices.example", ...options },
    });
  const create = (url: string) => webhooks.create({ name: "desk", url }, { by: owner() });
  const readDelivery = async () =>
    (await listFirings(testDatabase.db.pool, { accountId }))[0]?.deliveries[0] ?? expect.fail("no delivery");
  async function run(deliverer: Deliverer): Promise<void> {
    await deliverer.deliver();
    await deliverer.settle();
  }

  test("A try that ends after another server has claimed the delivery does not replace its outcome", async () => {
    const { pool } = testDatabase.db;
    await webhooks.test((await create("http://127.0.0.1:9/")).id, owner());
    const claim = () => claimDeliveries(pool, { nowMs, limit: 9, busy: [] });
    const [paused] = await claim();
    nowMs += 20 * SECOND_MS;
    const [next] = await claim();
    const outcome = { isFinal: false, status: 200, text: null, error: null, durationMs: 1 };
    await finishTry(pool, next as DueDelivery, { ...outcome, ok: true }, nowMs);
    await finishTry(pool, paused as DueDelivery, { ...outcome, ok: false, status: 500 }, nowMs);
    expect(await readDelivery()).toMatchObject({ state: "delivered", tries: 2, responseStatus: 200, dueAtMs: null });
  });

  test("A mail names its alert and links to it", async () => {
    const mails: { subject: string; text: string; to: string }[] = [];
    const mailer = { send: (mail: (typeof mails)[number]) => Promise.resolve(void mails.push(mail)) };
    const { pool, prisma } = testDatabase.db;
    const condition = { type: "spread", symbol: "EURUSD" };
    const settings = { name: "Wide", active: true, byMail: true, revision: 0, createdAt: new Date(nowMs) };
    const { id: alertId } = await prisma.alert.create({
      data: { ...settings, accountId, condition, id: randomUUID() },
    });
    const firing = { accountId, alertId, at: new Date(nowMs), message: "EURUSD spread is 9 pips.", body: "{}" };
    const delivery = { accountId, channel: "mail", dueAt: new Date(nowMs), id: randomUUID() } as const;
    await prisma.alertFiring.create({ data: { ...firing, id: randomUUID(), deliveries: { create: delivery } } });
    const deliverer = createDeliverer({ mailer });
    await run(deliverer);
    await run(deliverer);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe("EURUSD spread is 9 pips.");
    expect(mails[0]?.text).toBe(
      `EURUSD spread is 9 pips.\n\nAlert: Wide\nTo change or delete it: https://prices.example/alerts?alert=${alertId}\n`,
    );
    const news = await listNews(pool, { accountIds: [accountId], sinceMs: nowMs - 1 });
    expect(news).toMatchObject([{ accountId, alertId, alertName: "Wide", symbol: "EURUSD", atMs: nowMs }]);
    expect(await listNews(pool, { accountIds: [accountId], sinceMs: nowMs })).toEqual([]);
    expect(await listNews(pool, { accountIds: [], sinceMs: 0 })).toEqual([]);
  });

  test("Each webhook has its own log, newest first, and a test is no news", async () => {
    const receiver = await startReceiver();
    const [one, two] = [await create(receiver.url), await create(receiver.url)];
    await webhooks.test(one.id, owner());
    nowMs += SECOND_MS;
    await webhooks.test(two.id, owner());
    nowMs += SECOND_MS;
    await webhooks.test(one.id, owner());
    await run(createDeliverer());
    const { pool } = testDatabase.db;
    const log = await listWebhookDeliveries(pool, accountId);
    expect(log.map(({ webhookId, atMs }) => [webhookId, nowMs - atMs])).toEqual([
      [one.id, 0],
      [two.id, SECOND_MS],
      [one.id, 2 * SECOND_MS],
    ]);
    expect(log[0]).toMatchObject({ isTest: true, state: "delivered", tries: 1, responseStatus: 200 });
    const other = await someAccount(testDatabase.db, "pro");
    expect(await listWebhookDeliveries(pool, other.id)).toEqual([]);
    expect(await listNews(pool, { accountIds: [accountId], sinceMs: 0 })).toEqual([]);
    await receiver.close();
  });

  test("A message is signed, sent once and logged with its answer", async () => {
    const receiver = await startReceiver();
    const { id, secret } = await create(receiver.url);
    const firingId = await webhooks.test(id, owner());
    const deliverer = createDeliverer();
    await run(deliverer);
    await run(deliverer);
    expect(receiver.received).toHaveLength(1);
    const [message = expect.fail()] = receiver.received;
    expect(message.url).toBe("/hook?a=1");
    expect(message.headers).toMatchObject({
      "webhook-id": firingId,
      "webhook-timestamp": String(nowMs / SECOND_MS),
      "content-type": "application/json",
      host: `127.0.0.1:${receiver.port}`,
    });
    expect(verifyMessage(secret, message)).toBe(true);
    expect(verifyMessage(secret, { ...message, body: `${message.body} ` })).toBe(false);
    expect(JSON.parse(message.body)).toEqual({
      type: "alert.test",
      timestamp: "2026-01-15T12:00:00.000Z",
      data: { id: firingId, message: "This is a test of the webhook “desk”." },
    });
    expect(await readDelivery()).toMatchObject({
      state: "delivered",
      tries: 1,
      responseStatus: 200,
      responseText: "ok",
      error: null,
    });
    await receiver.close();
  });

  test("A failed message is sent again with the same id at growing pauses, up to a limit", async () => {
    const receiver = await startReceiver((response) => response.writeHead(500).end(`no\u0000${"x".repeat(5_000)}`));
    const { id } = await create(receiver.url);
    await webhooks.test(id, owner());
    const deliverer = createDeliverer();
    await run(deliverer);
    for (const pauseMs of RETRY_PAUSES_MS) {
      nowMs += pauseMs - 1;
      await run(deliverer);
      const before = receiver.received.length;
      nowMs += 1;
      await run(deliverer);
      expect(receiver.received).toHaveLength(before + 1);
    }
    nowMs += DAY_MS;
    await run(deliverer);
    expect(receiver.received).toHaveLength(RETRY_PAUSES_MS.length + 1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const delivery = await readDelivery();
    expect(delivery).toMatchObject({
      state: "failed",
      tries: RETRY_PAUSES_MS.length + 1,
      responseStatus: 500,
      dueAtMs: null,
    });
    expect(delivery.responseText).toMatch(/^no x{197}$/);
    await receiver.close();
  });

  test("A redirect is not followed, and a receiver that is gone gets no more", async () => {
    const elsewhere = await startReceiver();
    const moved = await startReceiver((response) => response.writeHead(307, { Location: elsewhere.url }).end());
    await webhooks.test((await create(moved.url)).id, owner());
    const deliverer = createDeliverer();
    await run(deliverer);
    expect(await readDelivery()).toMatchObject({ state: "pending", responseStatus: 307 });
    expect(elsewhere.received).toEqual([]);
    nowMs += SECOND_MS;
    const gone = await startReceiver((response) => response.writeHead(410).end());
    await webhooks.test((await create(gone.url)).id, owner());
    await run(deliverer);
    expect(await readDelivery()).toMatchObject({ state: "failed", responseStatus: 410 });
    await Promise.all([elsewhere.close(), moved.close(), gone.close()]);
  });

  test("A receiver that does not answer, or never stops answering, is cut off", async () => {
    const silent = await startReceiver(() => {});
    await webhooks.test((await create(silent.url)).id, owner());
    const deliverer = createDeliverer({ sending: { timeoutMs: 200 } });
    await run(deliverer);
    expect(await readDelivery()).toMatchObject({ state: "pending", error: "There was no answer within 0.2 seconds." });
    nowMs += SECOND_MS;
    const endless = await startReceiver((response) => {
      const timer = setInterval(() => response.write("y".repeat(1_000)), 5);
      response.on("close", () => clearInterval(timer));
    });
    await webhooks.test((await create(endless.url)).id, owner());
    await run(createDeliverer({ sending: { timeoutMs: 2_000 } }));
    expect(await readDelivery()).toMatchObject({ state: "delivered", responseText: "y".repeat(200) });
    await Promise.all([silent.close(), endless.close()]);
  });

  test("An address in the own network is not connected to, even if its name was public before", async () => {
    const receiver = await startReceiver();
    await expect(
      createWebhooks(testDatabase.db, { now, sessionSecret: SECRET, isPrivateAllowed: false }).create(
        { name: "desk", url: receiver.url },
        { by: owner() },
      ),
    ).rejects.toThrow("https://");
    const { id } = await create(`https://rebound.example:${receiver.port}/`);
    await webhooks.test(id, owner());
    const lookup = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    await run(createDeliverer({ isPrivateAllowed: false, sending: { lookup } }));
    expect(await readDelivery()).toMatchObject({
      state: "pending",
      error: "The host has an address that is not on the public internet.",
    });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });

  test("A delivery whose process has died is sent by another, and one that runs is not", async () => {
    let answer: () => void = () => {};
    const receiver = await startReceiver((response) => (answer = () => response.end()));
    await webhooks.test((await create(receiver.url)).id, owner());
    const first = createDeliverer();
    await first.deliver();
    await expect.poll(() => receiver.received.length).toBe(1);
    await run(createDeliverer());
    expect(receiver.received).toHaveLength(1);
    nowMs += 20 * SECOND_MS;
    const second = createDeliverer();
    await second.deliver();
    await expect.poll(() => receiver.received.length).toBe(2);
    expect(receiver.received[1]?.headers["webhook-id"]).toBe(receiver.received[0]?.headers["webhook-id"]);
    answer();
    await second.settle();
    await receiver.close();
    await first.settle();
  });

  test("The messages of a suspended account wait, and those of a deleted webhook are not sent", async () => {
    const receiver = await startReceiver();
    const { id } = await create(receiver.url);
    await webhooks.test(id, owner());
    const status = createAccountStatus(testDatabase.db, { now });
    await status.setSuspended(accountId, true);
    const deliverer = createDeliverer();
    await run(deliverer);
    expect(receiver.received).toEqual([]);
    await status.setSuspended(accountId, false);
    await run(deliverer);
    expect(receiver.received).toHaveLength(1);
    await webhooks.test(id, owner());
    await webhooks.remove(id, { by: owner() });
    await run(deliverer);
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  });

  test("A slow receiver of one account does not delay another account", async () => {
    const slow = await startReceiver(() => {});
    const webhook = await create(slow.url);
    for (let sent = 0; sent < 5; sent++) await webhooks.test(webhook.id, owner());
    const deliverer = createDeliverer({ sending: { timeoutMs: 1_500 } });
    await deliverer.deliver();
    await expect.poll(() => slow.received.length).toBe(4);
    const fast = await startReceiver();
    accountId = (await someAccount(testDatabase.db, "pro")).id;
    await webhooks.test((await create(fast.url)).id, owner());
    await deliverer.deliver();
    await expect.poll(() => fast.received.length).toBe(1);
    expect(slow.received).toHaveLength(4);
    await deliverer.settle();
    await Promise.all([slow.close(), fast.close()]);
  });

  test("The limits of the plan and of tests, and the audit log, which has no secret", async () => {
    accountId = (await someAccount(testDatabase.db, "free")).id;
    const { id, secret } = await create("http://127.0.0.1:9/");
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    await expect(create("http://127.0.0.1:9/")).rejects.toThrow("Your plan allows one webhook.");
    for (let sent = 0; sent < 5; sent++) await webhooks.test(id, owner());
    await expect(webhooks.test(id, owner())).rejects.toThrow("5 tests a minute");
    const other = await someAccount(testDatabase.db, "free");
    await expect(webhooks.test(id, { kind: "owner", accountId: other.id })).rejects.toThrow("no such webhook");
    await expect(webhooks.remove(id, { by: { kind: "owner", accountId: other.id } })).rejects.toThrow(
      "no such webhook",
    );
    const events = await createAuditLog(testDatabase.db).list({ accountId, limit: 10 });
    const created = events.find(({ event }) => event === "webhook.create");
    expect(created?.after).toEqual({ webhook: id, name: "desk", host: "127.0.0.1:9" });
    const { rows } = await testDatabase.db.pool.query<{ text: string }>("SELECT webhook::text AS text FROM webhook");
    expect(rows.map(({ text }) => text).join()).not.toContain(secret.slice(6));
  });
});
