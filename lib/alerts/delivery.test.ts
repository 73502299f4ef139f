import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { claimDeliveries, type DueDelivery, finishTry, RETRY_PAUSES_MS } from "@/lib/alerts/delivery-rows";
import { DeliveryScene, startReceiver, verifyMessage } from "@/lib/alerts/delivery-scene.fixture";
import { listNews, listWebhookDeliveries } from "@/lib/alerts/firing-log";
import type { Logger } from "@/lib/platform/log/log";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

const PUBLIC = { isPrivateAllowed: false, ports: null };

describe("deliveries", () => {
  const scene = new DeliveryScene();

  test("A message is signed, sent once and logged with its answer", async () => {
    const receiver = await startReceiver();
    const { id, secret } = await scene.create(receiver.url);
    const firingId = await scene.webhooks.test(id, scene.owner);
    const deliverer = scene.createDeliverer();
    await scene.run(deliverer);
    await scene.run(deliverer);
    expect(receiver.received).toHaveLength(1);
    const [message = expect.fail()] = receiver.received;
    expect(message.url).toBe("/hook?a=1");
    expect(message.headers).toMatchObject({
      "webhook-id": firingId,
      "webhook-timestamp": String(scene.nowMs / SECOND_MS),
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
    expect(await scene.readDelivery()).toMatchObject({
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
    const { id } = await scene.create(receiver.url);
    await scene.webhooks.test(id, scene.owner);
    const deliverer = scene.createDeliverer();
    await scene.run(deliverer);
    for (const pauseMs of RETRY_PAUSES_MS) {
      scene.nowMs += pauseMs - 1;
      await scene.run(deliverer);
      const before = receiver.received.length;
      scene.nowMs += 1;
      await scene.run(deliverer);
      expect(receiver.received).toHaveLength(before + 1);
    }
    scene.nowMs += DAY_MS;
    await scene.run(deliverer);
    expect(receiver.received).toHaveLength(RETRY_PAUSES_MS.length + 1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const delivery = await scene.readDelivery();
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
    await scene.webhooks.test((await scene.create(moved.url)).id, scene.owner);
    const deliverer = scene.createDeliverer();
    await scene.run(deliverer);
    expect(await scene.readDelivery()).toMatchObject({ state: "pending", responseStatus: 307 });
    expect(elsewhere.received).toEqual([]);
    scene.nowMs += SECOND_MS;
    const gone = await startReceiver((response) => response.writeHead(410).end());
    await scene.webhooks.test((await scene.create(gone.url)).id, scene.owner);
    await scene.run(deliverer);
    expect(await scene.readDelivery()).toMatchObject({ state: "failed", responseStatus: 410 });
    await Promise.all([elsewhere.close(), moved.close(), gone.close()]);
  });

  test("A receiver that does not answer, or never stops answering, is cut off", async () => {
    const silent = await startReceiver(() => {});
    await scene.webhooks.test((await scene.create(silent.url)).id, scene.owner);
    const deliverer = scene.createDeliverer({ sending: { timeoutMs: 200 } });
    await scene.run(deliverer);
    expect(await scene.readDelivery()).toMatchObject({
      state: "pending",
      error: "The message could not be delivered.",
      durationMs: null,
    });
    scene.nowMs += SECOND_MS;
    const endless = await startReceiver((response) => {
      const timer = setInterval(() => response.write("y".repeat(1_000)), 5);
      response.on("close", () => clearInterval(timer));
    });
    await scene.webhooks.test((await scene.create(endless.url)).id, scene.owner);
    await scene.run(scene.createDeliverer({ sending: { timeoutMs: 2_000 } }));
    expect(await scene.readDelivery()).toMatchObject({ state: "delivered", responseText: "y".repeat(200) });
    await Promise.all([silent.close(), endless.close()]);
  });

  test("A closed port, a silent one, one that speaks no TLS and a private name look alike to an owner", async () => {
    const silent = await startReceiver(() => {});
    const closed = await startReceiver();
    await closed.close();
    const reasons: unknown[] = [];
    const log = { info: ({ reason }: { reason: unknown }) => reasons.push(reason) } as unknown as Logger;
    const lookup = (host: string) =>
      Promise.resolve(host === "none.example" ? [] : [{ address: "127.0.0.1", family: 4 }]);
    const seen: unknown[] = [];
    for (const url of [
      closed.url,
      silent.url,
      `https://127.0.0.1:${silent.port}/`,
      "http://none.example/",
      `http://none.example:${silent.port}/`,
    ]) {
      scene.nowMs += SECOND_MS;
      await scene.webhooks.test((await scene.create(url)).id, scene.owner);
      await scene.run(scene.createDeliverer({ log, sending: { timeoutMs: 200, lookup } }));
      const { state, tries, responseStatus, responseText, error, durationMs } = await scene.readDelivery();
      seen.push({ state, tries, responseStatus, responseText, error, durationMs });
    }
    const [first] = seen;
    expect(first).toMatchObject({ error: "The message could not be delivered.", durationMs: null });
    for (const each of seen) expect(each).toEqual(first);
    expect(new Set(reasons).size).toBeGreaterThan(3);
    await silent.close();
  });

  test("A webhook whose port is not allowed any more is not sent to, and its owner reads why", async () => {
    const receiver = await startReceiver();
    await scene.webhooks.test((await scene.create(receiver.url)).id, scene.owner);
    const rules = { isPrivateAllowed: true, ports: new Set([443, 8443]) };
    await scene.run(scene.createDeliverer({ rules }));
    expect(await scene.readDelivery()).toMatchObject({
      state: "pending",
      error: "The port must be one of 443, 8443.",
    });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });

  test("An address in the own network is not connected to, even if its name was public before", async () => {
    const receiver = await startReceiver();
    await expect(
      scene.openWebhooks(PUBLIC).create({ name: "desk", url: receiver.url }, { by: scene.owner }),
    ).rejects.toThrow("https://");
    const { id } = await scene.create(`https://rebound.example:${receiver.port}/`);
    await scene.webhooks.test(id, scene.owner);
    const lookup = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    await scene.run(scene.createDeliverer({ rules: PUBLIC, sending: { lookup } }));
    expect(await scene.readDelivery()).toMatchObject({
      state: "pending",
      error: "The message could not be delivered.",
    });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });
});

describe("accounts and processes that share deliveries", () => {
  const scene = new DeliveryScene();

  test("A try that ends after another server has claimed the delivery does not replace its outcome", async () => {
    const { pool } = scene.db;
    await scene.webhooks.test((await scene.create("http://127.0.0.1:9/")).id, scene.owner);
    const claim = () => claimDeliveries(pool, { nowMs: scene.nowMs, limit: 9, busy: [] });
    const [paused] = await claim();
    scene.nowMs += 20 * SECOND_MS;
    const [next] = await claim();
    const outcome = { isFinal: false, status: 200, text: null, error: null, retryAfterMs: null, durationMs: 1 };
    await finishTry(pool, next as DueDelivery, { ...outcome, ok: true }, scene.nowMs);
    await finishTry(pool, paused as DueDelivery, { ...outcome, ok: false, status: 500 }, scene.nowMs);
    expect(await scene.readDelivery()).toMatchObject({
      state: "delivered",
      tries: 2,
      responseStatus: 200,
      dueAtMs: null,
    });
  });

  test("A mail and a chat name their alert first, and link to it", async () => {
    const receiver = await startReceiver((response) => response.end(JSON.stringify({ ok: true })));
    const url = `http://127.0.0.1:${receiver.port}/`;
    const chat = { name: "phone", kind: "telegram", url, token: `1234:${"a".repeat(35)}`, chat: "1" } as const;
    const { id: webhookId } = await scene.webhooks.create(chat, { by: scene.owner });
    const mails: { subject: string; text: string; to: string }[] = [];
    const mailer = { send: (mail: (typeof mails)[number]) => Promise.resolve(void mails.push(mail)) };
    const { pool, prisma } = scene.db;
    const condition = { type: "spread", symbol: "EURUSD" };
    const settings = { name: "Wide", active: true, byMail: true, revision: 0, createdAt: new Date(scene.nowMs) };
    const { id: alertId } = await prisma.alert.create({
      data: { ...settings, accountId: scene.accountId, condition, id: randomUUID() },
    });
    const firing = {
      accountId: scene.accountId,
      alertId,
      at: new Date(scene.nowMs),
      message: "EURUSD spread is 9 pips.",
      body: "{}",
    };
    const delivery = { accountId: scene.accountId, dueAt: new Date(scene.nowMs) };
    const deliveries = [
      { ...delivery, channel: "mail", id: randomUUID() },
      { ...delivery, channel: "webhook", id: randomUUID(), webhookId },
    ] as const;
    await prisma.alertFiring.create({ data: { ...firing, id: randomUUID(), deliveries: { create: [...deliveries] } } });
    const deliverer = scene.createDeliverer({ mailer });
    await scene.run(deliverer);
    await scene.run(deliverer);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe("Wide: EURUSD spread is 9 pips.");
    const texts = receiver.received.map(({ body }) => (JSON.parse(body) as { text: string }).text);
    expect(texts).toEqual([`Wide: EURUSD spread is 9 pips.\nhttps://prices.example/alerts?alert=${alertId}`]);
    await receiver.close();
    expect(mails[0]?.text).toBe(
      `EURUSD spread is 9 pips.\n\nAlert: Wide\nTo change or delete it: https://prices.example/alerts?alert=${alertId}\n`,
    );
    const news = await listNews(pool, { accountIds: [scene.accountId], sinceMs: scene.nowMs - 1 });
    expect(news).toMatchObject([
      { accountId: scene.accountId, alertId, alertName: "Wide", symbol: "EURUSD", atMs: scene.nowMs },
    ]);
    expect(await listNews(pool, { accountIds: [scene.accountId], sinceMs: scene.nowMs })).toEqual([]);
    expect(await listNews(pool, { accountIds: [], sinceMs: 0 })).toEqual([]);
  });

  test("Each webhook has its own log, newest first, and a test is no news", async () => {
    const receiver = await startReceiver();
    const [one, two] = [await scene.create(receiver.url), await scene.create(receiver.url)];
    await scene.webhooks.test(one.id, scene.owner);
    scene.nowMs += SECOND_MS;
    await scene.webhooks.test(two.id, scene.owner);
    scene.nowMs += SECOND_MS;
    await scene.webhooks.test(one.id, scene.owner);
    await scene.run(scene.createDeliverer());
    const { pool } = scene.db;
    const log = await listWebhookDeliveries(pool, scene.accountId);
    expect(log.map(({ webhookId, atMs }) => [webhookId, scene.nowMs - atMs])).toEqual([
      [one.id, 0],
      [two.id, SECOND_MS],
      [one.id, 2 * SECOND_MS],
    ]);
    expect(log[0]).toMatchObject({ isTest: true, state: "delivered", tries: 1, responseStatus: 200 });
    const other = await someAccount(scene.db, "pro");
    expect(await listWebhookDeliveries(pool, other.id)).toEqual([]);
    expect(await listNews(pool, { accountIds: [scene.accountId], sinceMs: 0 })).toEqual([]);
    await receiver.close();
  });

  test("A delivery whose process has died is sent by another, and one that runs is not", async () => {
    let answer: () => void = () => {};
    const receiver = await startReceiver((response) => (answer = () => response.end()));
    await scene.webhooks.test((await scene.create(receiver.url)).id, scene.owner);
    const first = scene.createDeliverer();
    await first.deliver();
    await expect.poll(() => receiver.received.length).toBe(1);
    await scene.run(scene.createDeliverer());
    expect(receiver.received).toHaveLength(1);
    scene.nowMs += 20 * SECOND_MS;
    const second = scene.createDeliverer();
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
    const { id } = await scene.create(receiver.url);
    await scene.webhooks.test(id, scene.owner);
    const status = createAccountStatus(scene.db, { now: scene.now });
    await status.setSuspended(scene.accountId, true);
    const deliverer = scene.createDeliverer();
    await scene.run(deliverer);
    expect(receiver.received).toEqual([]);
    await status.setSuspended(scene.accountId, false);
    await scene.run(deliverer);
    expect(receiver.received).toHaveLength(1);
    await scene.webhooks.test(id, scene.owner);
    await scene.webhooks.remove(id, { by: scene.owner });
    await scene.run(deliverer);
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  });

  test("A slow receiver of one account does not delay another account", async () => {
    const slow = await startReceiver(() => {});
    const webhook = await scene.create(slow.url);
    for (let sent = 0; sent < 5; sent++) await scene.webhooks.test(webhook.id, scene.owner);
    const deliverer = scene.createDeliverer({ sending: { timeoutMs: 1_500 } });
    await deliverer.deliver();
    await expect.poll(() => slow.received.length).toBe(4);
    const fast = await startReceiver();
    scene.accountId = (await someAccount(scene.db, "pro")).id;
    await scene.webhooks.test((await scene.create(fast.url)).id, scene.owner);
    await deliverer.deliver();
    await expect.poll(() => fast.received.length).toBe(1);
    expect(slow.received).toHaveLength(4);
    await deliverer.settle();
    await Promise.all([slow.close(), fast.close()]);
  });

  test("The limits of the plan and of tests, and the audit log, which has no secret", async () => {
    scene.accountId = (await someAccount(scene.db, "free")).id;
    const { id, secret } = await scene.create("http://127.0.0.1:9/");
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    await expect(scene.create("http://127.0.0.1:9/")).rejects.toThrow("Your plan allows one webhook.");
    for (let sent = 0; sent < 5; sent++) await scene.webhooks.test(id, scene.owner);
    await expect(scene.webhooks.test(id, scene.owner)).rejects.toThrow("5 tests a minute");
    const other = await someAccount(scene.db, "free");
    await expect(scene.webhooks.test(id, { kind: "owner", accountId: other.id })).rejects.toThrow("no such webhook");
    await expect(scene.webhooks.remove(id, { by: { kind: "owner", accountId: other.id } })).rejects.toThrow(
      "no such webhook",
    );
    const events = await createAuditLog(scene.db).list({ accountId: scene.accountId, limit: 10 });
    const created = events.find(({ event }) => event === "webhook.create");
    expect(created?.after).toEqual({ webhook: id, name: "desk", kind: "signed", host: "127.0.0.1:9" });
    const { rows } = await scene.db.pool.query<{ text: string }>("SELECT webhook::text AS text FROM webhook");
    expect(rows.map(({ text }) => text).join()).not.toContain(secret.slice(6));
  });
});
