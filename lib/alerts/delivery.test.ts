import { describe, expect, test } from "vitest";
import { checkWebhookUrl, isPublicAddress, resolveTarget } from "@/lib/alerts/delivery";
import { RETRY_PAUSES_MS } from "@/lib/alerts/delivery-rows";
import { DeliveryScene, startReceiver, verifyMessage } from "@/lib/alerts/delivery-scene.fixture";
import { databaseKinds } from "@/lib/platform/testing/databases";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

describe.each(databaseKinds)("deliveries in %s", (kind) => {
  const scene = new DeliveryScene(kind);

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
      error: "There was no answer within 0.2 seconds.",
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

  test("An address in the own network is not connected to, even if its name was public before", async () => {
    const receiver = await startReceiver();
    await expect(
      scene.openWebhooks(false).create({ name: "desk", url: receiver.url }, { by: scene.owner }),
    ).rejects.toThrow("https://");
    const { id } = await scene.create(`https://rebound.example:${receiver.port}/`);
    await scene.webhooks.test(id, scene.owner);
    const lookup = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    await scene.run(scene.createDeliverer({ isPrivateAllowed: false, sending: { lookup } }));
    expect(await scene.readDelivery()).toMatchObject({
      state: "pending",
      error: "The host has an address that is not on the public internet.",
    });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });
});

describe("the address of a webhook", () => {
  test.each([
    "127.0.0.1",
    "127.255.0.9",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.2.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001::1",
    "fe80::1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "example.com",
    "",
  ])("%s is not public", (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(["93.184.215.14", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])("%s is public", (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  test("is refused if its text shows that it is not public, in every spelling of the host", () => {
    const hosts = [
      "localhost",
      "LOCALHOST.",
      "api.localhost",
      "127.1",
      "0x7f000001",
      "2130706433",
      "[::1]",
      "0",
      "[::ffff:7f00:1]",
    ];
    for (const host of hosts)
      expect(() => checkWebhookUrl(`https://${host}/x`, false), host).toThrow("public internet");
    for (const text of [
      "",
      "example.com",
      "ftp://example.com",
      "javascript:alert(1)",
      `https://a.example/${"x".repeat(2_000)}`,
    ])
      expect(() => checkWebhookUrl(text, false), text).toThrow("Enter an address");
    expect(() => checkWebhookUrl("http://example.com/", false)).toThrow("https://");
    expect(() => checkWebhookUrl("https://ada:secret@example.com/", false)).toThrow("password");
    expect(checkWebhookUrl(" https://Example.com/a?b=1#c ", false)).toBe("https://example.com/a?b=1");
    expect(checkWebhookUrl("http://127.0.0.1:9000/a", true)).toBe("http://127.0.0.1:9000/a");
  });

  test("is refused if any address of its name is not public", async () => {
    const resolve = (...addresses: string[]) =>
      resolveTarget(new URL("https://hooks.example/"), {
        isPrivateAllowed: false,
        lookup: () => Promise.resolve(addresses.map((address) => ({ address, family: 4 }))),
      });
    expect(await resolve("93.184.215.14", "8.8.8.8")).toEqual({ address: "93.184.215.14", family: 4 });
    await expect(resolve("93.184.215.14", "10.0.0.1")).rejects.toThrow("not on the public internet");
    await expect(resolve("169.254.169.254")).rejects.toThrow("not on the public internet");
    await expect(resolve()).rejects.toThrow("cannot be resolved");
    const failing = { isPrivateAllowed: false, lookup: () => Promise.reject(new Error("ENOTFOUND")) };
    await expect(resolveTarget(new URL("https://hooks.example/"), failing)).rejects.toThrow("cannot be resolved");
    await expect(resolveTarget(new URL("https://127.0.0.1/"), { isPrivateAllowed: false })).rejects.toThrow("public");
  });
});
