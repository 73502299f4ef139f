import { createDecipheriv, createECDH, createHmac, createPublicKey, createVerify, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { DeliveryScene, startReceiver } from "@/lib/alerts/delivery-scene.fixture";
import { createPushDevices } from "@/lib/alerts/push-devices";
import { deriveVapidKeys, encryptPush, hasValidKeys } from "@/lib/alerts/web-push";

const SECRET = "a session secret of at least thirty-two characters";

/** A browser with a subscription, which decrypts as RFC 8188 and RFC 8291 say, with nothing of ours. */
function createBrowser(privateKey?: string, auth = randomBytes(16).toString("base64url")) {
  const own = createECDH("prime256v1");
  if (privateKey === undefined) own.generateKeys();
  else own.setPrivateKey(Buffer.from(privateKey, "base64url"));
  const hmac = (key: Buffer, ...parts: (Buffer | string)[]) => {
    const mac = createHmac("sha256", key);
    for (const part of parts) mac.update(part);
    return mac.digest();
  };
  return {
    keys: { p256dh: own.getPublicKey("base64url"), auth },
    decrypt(message: Buffer): string {
      const salt = message.subarray(0, 16);
      const sender = message.subarray(21, 21 + message.readUInt8(20));
      const content = message.subarray(21 + sender.length);
      const prkKey = hmac(Buffer.from(auth, "base64url"), own.computeSecret(sender));
      const ikm = hmac(prkKey, "WebPush: info\0", own.getPublicKey(), sender, "\u0001");
      const prk = hmac(salt, ikm);
      const key = hmac(prk, "Content-Encoding: aes128gcm\0\u0001").subarray(0, 16);
      const nonce = hmac(prk, "Content-Encoding: nonce\0\u0001").subarray(0, 12);
      const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(content.subarray(-16));
      const plain = Buffer.concat([decipher.update(content.subarray(0, -16)), decipher.final()]);
      const end = plain.findLastIndex((byte) => byte !== 0);
      expect(plain[end]).toBe(2);
      return plain.subarray(0, end).toString("utf8");
    },
  };
}

test("A message is encrypted as in the example of RFC 8291", () => {
  const receiver = {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  };
  const chosen = {
    salt: Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url"),
    privateKey: Buffer.from("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url"),
  };
  const text = "When I grow up, I want to be a watermelon";
  expect(encryptPush({ endpoint: "", ...receiver }, text, chosen).toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_" +
      "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("A browser decrypts what was encrypted for it, and no other browser does", () => {
  const [browser, other] = [createBrowser(), createBrowser()];
  const text = JSON.stringify({ title: "EURUSD crossed 1.085 – “now”", body: "€".repeat(1_000) });
  const message = encryptPush({ endpoint: "", ...browser.keys }, text);
  expect(browser.decrypt(message)).toBe(text);
  expect(() => other.decrypt(message)).toThrow();
  expect(message.length).toBeLessThanOrEqual(4_096);
  expect(() => encryptPush({ endpoint: "", ...browser.keys }, "x".repeat(4_000))).toThrow("too long");
});

test("All processes of an installation have one key pair, and others another", () => {
  const keys = deriveVapidKeys(SECRET);
  expect(deriveVapidKeys(SECRET)).toEqual(keys);
  expect(deriveVapidKeys(`${SECRET}2`).publicKey).not.toBe(keys.publicKey);
  expect(Buffer.from(keys.publicKey, "base64url")).toHaveLength(65);
});

test("Keys of a subscription that are no point of the curve are not valid", () => {
  const { keys } = createBrowser();
  expect(hasValidKeys(keys)).toBe(true);
  const bent = Buffer.from(keys.p256dh, "base64url");
  bent.writeUInt8((bent.readUInt8(64) + 1) % 256, 64);
  for (const wrong of [
    { ...keys, p256dh: bent.toString("base64url") },
    { ...keys, p256dh: "" },
    { ...keys, auth: "short" },
  ]) {
    expect(hasValidKeys(wrong)).toBe(false);
  }
});

describe("A device", () => {
  const scene = new DeliveryScene();
  const open = (rules = { isPrivateAllowed: true, ports: null }) =>
    createPushDevices(scene.db, { now: scene.now, sessionSecret: SECRET, rules });

  test("receives an encrypted message that is signed with the key that it subscribed with", async () => {
    const service = await startReceiver((response) => response.writeHead(201).end());
    const browser = createBrowser();
    const devices = open();
    const endpoint = `http://127.0.0.1:${service.port}/push/abc`;
    const id = await devices.add({ endpoint, ...browser.keys, name: "Chrome on Android" }, scene.owner);
    const testId = await devices.test(id, scene.owner);
    await scene.run(scene.createDeliverer());
    const [message = expect.fail()] = service.received;
    expect(message.headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "3600", urgency: "high" });
    expect(JSON.parse(browser.decrypt(message.bytes))).toEqual({
      title: "Spotline test",
      body: "This is a test of “Chrome on Android”.",
      tag: `spotline-${testId}`,
      href: "/alerts",
    });
    const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(message.headers.authorization ?? "") ?? [];
    expect(key).toBe(devices.publicKey);
    const [head = "", claims = "", signature = ""] = token.split(".");
    const point = Buffer.from(key, "base64url");
    const jwk = { x: point.subarray(1, 33).toString("base64url"), y: point.subarray(33).toString("base64url") };
    const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", ...jwk }, format: "jwk" });
    const verifier = createVerify("SHA256").update(`${head}.${claims}`);
    expect(verifier.verify({ key: publicKey, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"))).toBe(
      true,
    );
    const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
    expect({ aud, sub }).toEqual({ aud: `http://127.0.0.1:${service.port}`, sub: "mailto:operator@example.com" });
    expect(Number(exp) - scene.nowMs / 1_000).toBeLessThanOrEqual(24 * 3_600);
    expect(await scene.readDelivery()).toMatchObject({ channel: "push", state: "delivered", responseStatus: 201 });
    await service.close();
  });

  test.each([404, 410])("whose subscription has ended (%i) is removed, and the log says so", async (status) => {
    const service = await startReceiver((response) => response.writeHead(status).end());
    const devices = open();
    const endpoint = `http://127.0.0.1:${service.port}/push/${status}`;
    const id = await devices.add({ endpoint, ...createBrowser().keys, name: "" }, scene.owner);
    await devices.test(id, scene.owner);
    await scene.run(scene.createDeliverer());
    expect(await devices.list(scene.accountId)).toEqual([]);
    const { state, error } = await scene.readDelivery();
    expect({ state, error }).toEqual({ state: "failed", error: expect.stringContaining("was removed") as unknown });
    await service.close();
  });

  test("is not asked again and again by a push service that has too much to do", async () => {
    const service = await startReceiver((response) => response.writeHead(429, { "Retry-After": "120" }).end());
    const devices = open();
    const endpoint = `http://127.0.0.1:${service.port}/push/busy`;
    const id = await devices.add({ endpoint, ...createBrowser().keys, name: "Phone" }, scene.owner);
    await devices.test(id, scene.owner);
    await scene.run(scene.createDeliverer());
    expect(await scene.readDelivery()).toMatchObject({ state: "pending", dueAtMs: scene.nowMs + 120_000 });
    expect(await devices.list(scene.accountId)).toHaveLength(1);
    await service.close();
  });

  test("is one of the account that subscribed last, and its address is stored encrypted", async () => {
    const devices = open();
    const subscription = { endpoint: "https://push.example/secret-path", ...createBrowser().keys, name: "Phone" };
    await devices.add(subscription, scene.owner);
    await devices.add({ ...subscription, name: "Same phone" }, scene.owner);
    expect((await devices.list(scene.accountId)).map(({ name, host }) => [name, host])).toEqual([
      ["Same phone", "push.example"],
    ]);
    const bob = await someAccount(scene.db);
    await devices.add({ ...subscription, name: "Bob" }, { kind: "owner", accountId: bob.id });
    expect(await devices.list(scene.accountId)).toEqual([]);
    // Its former owner is told, in the audit log from which notices are made, without a word of the other account.
    const [told] = await createAuditLog(scene.db).list({ accountId: scene.accountId, limit: 1 });
    expect(told).toMatchObject({ event: "device.delete", before: { name: "Same phone" }, after: { moved: true } });
    expect(JSON.stringify(told)).not.toContain(bob.id);
    const { rows } = await scene.db.pool.query<{ text: string }>("SELECT push_device::text AS text FROM push_device");
    expect(rows.map(({ text }) => text).join()).not.toContain("secret-path");
  });

  test.each([
    "http://push.example/a",
    "https://127.0.0.1/a",
    "https://10.1.2.3/a",
    "https://[fd00::1]/a",
    "https://localhost/a",
    "nonsense",
  ])("at %s is refused", async (endpoint) => {
    const devices = open({ isPrivateAllowed: false, ports: null });
    const adding = devices.add({ endpoint, ...createBrowser().keys, name: "x" }, scene.owner);
    await expect(adding).rejects.toMatchObject({ code: "invalid_url" });
  });
});
