import { describe, expect, test } from "vitest";
import { checkWebhookUrl, isPublicAddress, resolveTarget } from "@/lib/alerts/delivery/address-guard";

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
