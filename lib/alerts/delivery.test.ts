import { describe, expect, test } from "vitest";
import { RETRY_PAUSES_MS } from "@/lib/alerts/delivery-rows";
import { DeliveryScene, startReceiver, verifyMessage } from "@/lib/alerts/delivery-scene.fixture";
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
