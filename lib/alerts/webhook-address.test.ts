import { expect, test } from "vitest";
import { checkWebhookUrl, isPublicAddress, resolveTarget } from "@/lib/alerts/webhook-address";
import { loadConfig } from "@/lib/platform/config";

const USUAL = loadConfig({}).webhookRules;
const OWN_NETWORK = loadConfig({ SPOTLINE_WEBHOOK_PRIVATE: "1" }).webhookRules;

/** An address of each range of the IANA special-purpose address registries, and of multicast. */
const SPECIAL = [
  ["0.0.0.0", "0.255.255.255", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.9"],
  ["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.9", "192.0.0.170", "192.0.2.1"],
  ["192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.1.1", "192.175.48.1", "198.18.0.1", "198.19.255.255"],
  ["198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
  ["::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::808:808"],
  ["64:ff9b:1::1", "100::1", "100:0:0:1::1", "2001::1", "2001:1::1", "2001:2::1", "2001:3::1", "2001:4:112::1"],
  ["2001:10::1", "2001:20::1", "2001:30::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "2620:4f:8000::1"],
  ["3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "4000::1"],
].flat();

test.each([...SPECIAL, "2606:4700::1111%1", "example.com", ""])("The address %s is not public", (address) =>
  expect(isPublicAddress(address)).toBe(false),
);

test.each([
  "1.1.1.1",
  "93.184.215.14",
  "100.63.255.255",
  "100.128.0.1",
  "172.32.0.1",
  "192.0.1.1",
  "198.17.255.255",
  "223.255.255.255",
  "2606:4700::1111",
  "2001:200::1",
  "2400::1",
  "3ffe::1",
])("The address %s is public", (address) => expect(isPublicAddress(address)).toBe(true));

test("An address is refused if its text shows that it is not public, in every spelling of the host", () => {
  const hosts = [
    "localhost",
    "LOCALHOST.",
    "api.localhost",
    "127.1",
    "127.0.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "0",
    "127.0.0.1.",
    "0X7F.1.",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "169.254.43518",
    ...SPECIAL.filter((address) => !address.includes("%")).map((address) =>
      address.includes(":") ? `[${address}]` : address,
    ),
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[64:FF9B::10.0.0.1]",
    "[2002:A00:1::]",
  ];
  for (const host of hosts) expect(() => checkWebhookUrl(`https://${host}/x`, USUAL), host).toThrow("public internet");
});

test("What is no address of a webhook is refused in words", () => {
  const long = `https://a.example/${"x".repeat(2_000)}`;
  for (const text of ["", "example.com", "ftp://example.com", "javascript:alert(1)", "https://[fe80::1%25eth0]/", long])
    expect(() => checkWebhookUrl(text, USUAL), text).toThrow("Enter an address");
  expect(() => checkWebhookUrl("http://example.com/", USUAL)).toThrow("https://");
  expect(() => checkWebhookUrl("https://ada:secret@example.com/", USUAL)).toThrow("password");
  expect(checkWebhookUrl(" https://Example.com/a?b=1#c ", USUAL)).toBe("https://example.com/a?b=1");
});

test("Ports are the usual ones of the web, or those that the operator lists", () => {
  const accepts = (address: string, rules = USUAL) => {
    try {
      return checkWebhookUrl(address, rules) !== "";
    } catch (error) {
      expect((error as Error).message).toMatch(/^The port must be one of [\d, ]+\.$/);
      return false;
    }
  };
  for (const port of ["", ":443", ":80", ":8443", ":8080"]) expect(accepts(`https://example.com${port}/`)).toBe(true);
  for (const port of [22, 25, 444, 3000, 6379, 8081, 65_535, 0])
    expect(accepts(`https://example.com:${port}/`), String(port)).toBe(false);
  const listed = loadConfig({ SPOTLINE_WEBHOOK_PORTS: "443, 5678", SPOTLINE_WEBHOOK_PRIVATE: "1" }).webhookRules;
  expect(accepts("http://127.0.0.1:5678/", listed)).toBe(true);
  expect(accepts("http://127.0.0.1/", listed)).toBe(false);
  expect(accepts("https://example.com:9/", loadConfig({ SPOTLINE_WEBHOOK_PORTS: "any" }).webhookRules)).toBe(true);
  expect(checkWebhookUrl("http://127.0.0.1:9000/a", OWN_NETWORK)).toBe("http://127.0.0.1:9000/a");
  for (const ports of ["0", "65536", "https", "443,", "-1"])
    expect(() => loadConfig({ SPOTLINE_WEBHOOK_PORTS: ports })).toThrow(
      "SPOTLINE_WEBHOOK_PORTS: must be any, or ports",
    );
});

test("Before each message the port is checked, and every address of the name", async () => {
  const resolve = (...addresses: string[]) =>
    resolveTarget(new URL("https://hooks.example./"), USUAL, (host) => {
      expect(host).toBe("hooks.example");
      return Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
    });
  expect(await resolve("93.184.215.14", "8.8.8.8")).toEqual({ address: "93.184.215.14", family: 4 });
  await expect(resolve("93.184.215.14", "10.0.0.1")).rejects.toThrow("not on the public internet");
  await expect(resolve("169.254.169.254")).rejects.toThrow("not on the public internet");
  await expect(resolve()).rejects.toThrow("cannot be resolved");
  const failing = () => Promise.reject(new Error("ENOTFOUND"));
  await expect(resolveTarget(new URL("https://hooks.example/"), USUAL, failing)).rejects.toThrow("cannot be resolved");
  await expect(resolveTarget(new URL("https://127.0.0.1/"), USUAL)).rejects.toThrow("public");
  await expect(resolveTarget(new URL("https://hooks.example:6379/"), USUAL, failing)).rejects.toThrow("port");
});
