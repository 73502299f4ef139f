import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAllowList, findNetwork } from "@/lib/access/allow-list";
import { findClientAddress, isTrustedProxy } from "@/lib/api/engine/client-address";
import { findPublicUrl } from "@/lib/api/engine/services";
import { loadConfig } from "@/lib/platform/config";
import type { TrustedProxies } from "@/lib/platform/settings/proxy-settings";

const find = (socket: string | undefined, forwardedFor: string | undefined, proxies: TrustedProxies) =>
  findClientAddress(socket, { forwardedFor, forwarded: undefined }, proxies);
const counted = (count: number) => ({ count, addresses: null });
const addresses = new BlockList();
addresses.addSubnet("10.0.0.0", 8, "ipv4");
addresses.addAddress("2001:db8::1", "ipv6");
const listed = (count = 0) => ({ count, addresses });

describe("the client's address", () => {
  test("is the socket's if no proxy is trusted, and the header is ignored", () => {
    expect(find("192.0.2.1", "203.0.113.7", counted(0))).toBe("192.0.2.1");
    expect(find(undefined, "203.0.113.7", counted(0))).toBeNull();
  });

  test("is the one that the outermost trusted proxy added", () => {
    expect(find("10.0.0.1", "203.0.113.7", counted(1))).toBe("203.0.113.7");
    expect(find("10.0.0.1", "203.0.113.7, 10.0.0.2", counted(2))).toBe("203.0.113.7");
  });

  test("is the socket's if there is no header, because the call did not pass through the proxies", () => {
    expect(find("192.0.2.1", undefined, counted(1))).toBe("192.0.2.1");
    expect(find("10.0.0.1", undefined, listed())).toBe("10.0.0.1");
  });

  test("is unknown if the header has fewer entries than there are proxies", () => {
    expect(find("10.0.0.1", "203.0.113.7", counted(2))).toBeNull();
    expect(find("10.0.0.1", "", counted(1))).toBeNull();
  });

  test("never depends on the entries that the client sent", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.ipV4(), fc.integer({ min: 1, max: 4 }), (written, real, proxies) => {
        const added = [real, ...Array.from({ length: proxies - 1 }, (_, hop) => `10.0.0.${hop + 2}`)];
        expect(find("10.0.0.1", [...written, ...added].join(", "), counted(proxies))).toBe(real);
        const isProxy = real.startsWith("10.");
        if (!isProxy) expect(find("10.0.0.1", [...written, ...added].join(", "), listed())).toBe(real);
      }),
    );
  });

  test.each([listed(), listed(1)])("is the socket's if a connection past the proxies sends the header", (proxies) => {
    expect(find("192.0.2.1", "203.0.113.7", proxies)).toBe("192.0.2.1");
    expect(isTrustedProxy("192.0.2.1", proxies)).toBe(false);
    expect(find(undefined, "203.0.113.7", proxies)).toBeNull();
  });

  test.each(["10.0.0.1", "::ffff:10.0.0.1", "2001:db8::1"])("is the header's if the proxy %s connects", (proxy) => {
    expect(isTrustedProxy(proxy, listed())).toBe(true);
    expect(find(proxy, "198.51.100.1, 203.0.113.7, 10.9.9.9", listed())).toBe("203.0.113.7");
    expect(find(proxy, "198.51.100.1, 203.0.113.7", listed(1))).toBe("203.0.113.7");
  });

  test("is the first entry if all are in the networks of the proxies", () => {
    expect(find("10.0.0.1", "10.0.0.3, 10.0.0.2", listed())).toBe("10.0.0.3");
  });
});

describe("an entry of a forwarding header", () => {
  test.each([
    ["203.0.113.7:51234", "203.0.113.7"],
    [" 203.0.113.7 ", "203.0.113.7"],
    ['"203.0.113.7"', "203.0.113.7"],
    ["2001:db8::7", "2001:db8::7"],
    ["2001:0DB8:0:0::7", "2001:db8::7"],
    ["[2001:db8::7]", "2001:db8::7"],
    ["[2001:db8::7]:51234", "2001:db8::7"],
    ['"[2001:db8::7]:51234"', "2001:db8::7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["[::ffff:cb00:7107]:443", "203.0.113.7"],
    ["fe80::7%eth0", "fe80::7"],
  ])("%s is the address %s", (entry, address) => {
    const unreadable: string[] = [];
    const proxies = { ...counted(1), onUnreadable: (text: string) => void unreadable.push(text) };
    expect(find("10.0.0.1", `198.51.100.1, ${entry}`, proxies)).toBe(address);
    expect(find("10.0.0.1", `198.51.100.1,${entry}`, listed())).toBe(address);
    expect(unreadable).toEqual([]);
  });

  test.each([
    ["for=203.0.113.7", "203.0.113.7"],
    ['For="203.0.113.7:4711"', "203.0.113.7"],
    ['proto=https; for="[2001:db8:cafe::17]:4711" ;by=10.0.0.2', "2001:db8:cafe::17"],
    ['for=192.0.2.1, for=203.0.113.7;host="a;for=192.0.2.9"', "203.0.113.7"],
    ['for="192.0.2.1, for=203.0.113.7', "203.0.113.7"],
  ])("Forwarded: %s is the address %s", (forwarded, address) => {
    expect(findClientAddress("10.0.0.1", { forwardedFor: undefined, forwarded }, counted(1))).toBe(address);
    expect(findClientAddress("10.0.0.1", { forwardedFor: undefined, forwarded }, listed())).toBe(address);
    expect(findClientAddress("10.0.0.1", { forwardedFor: "198.51.100.1", forwarded }, counted(1))).toBe("198.51.100.1");
    expect(findClientAddress("192.0.2.4", { forwardedFor: undefined, forwarded }, listed())).toBe("192.0.2.4");
  });

  test.each(["for=192.0.2.1;for=203.0.113.7", 'host="a, for=203.0.113.7"', "203.0.113.7", "for=203.0.113.7 x"])(
    "Forwarded: %s names nobody's address",
    (forwarded) => {
      const address = findClientAddress("10.0.0.1", { forwardedFor: undefined, forwarded }, counted(1));
      expect(address).toMatch(/^_/);
    },
  );

  test("that is no address is reported, and keeps callers apart without admitting them", () => {
    const unreadable: string[] = [];
    const proxies = { ...counted(1), onUnreadable: (text: string) => void unreadable.push(text) };
    const names = ["host-1.example", "host-2.example", "[203.0.113.7]", "203.0.113.7:1:2"].map((entry) =>
      find("10.0.0.1", entry, proxies),
    );
    expect(new Set(names.map(findNetwork)).size).toBe(4);
    expect(names).toEqual(names.map(() => expect.stringMatching(/^_[\w-]{16}$/) as string));
    expect(find("10.0.0.1", "host-1.example", proxies)).toBe(names[0]);
    expect(createAllowList(["0.0.0.0/0", "::/0"]).admits(names[0] ?? "")).toBe(false);
    expect(unreadable).toEqual([
      "host-1.example",
      "host-2.example",
      "[203.0.113.7]",
      "203.0.113.7:1:2",
      "host-1.example",
    ]);
    expect(find("10.0.0.1", "_caller-7", proxies)).toBe("_caller-7");
    expect(find("10.0.0.1", "unknown", proxies)).toBeNull();
  });
});

test("A socket's IPv4 address is the same where it listens on IPv6", () => {
  expect(find("::ffff:203.0.113.7", undefined, counted(0))).toBe("203.0.113.7");
});

const findFor = (host: string | undefined, settings: Record<string, string> = {}) =>
  findPublicUrl({ header: (name) => (name === "host" ? host : undefined) }, loadConfig({ PORT: "3100", ...settings }));

test("The configured address is the site's for every caller", () => {
  const settings = { SPOTLINE_URL: "https://prices.example.com/" };
  for (const host of ["127.0.0.1:3100", "evil.example", undefined]) {
    expect(findFor(host, settings)).toBe("https://prices.example.com");
  }
});

test("Without one it is the address that the caller used", () => {
  expect(findFor("192.0.2.7:8080")).toBe("http://192.0.2.7:8080");
  expect(findFor("[::1]:3100")).toBe("http://[::1]:3100");
  expect(findFor("localhost")).toBe("http://localhost");
});

test.each([
  "evil.example",
  "127.0.0.1@evil.example",
  "127.0.0.1.evil.example",
  "127.0.0.1, evil.example",
  "",
  undefined,
])("The host “%s” is not repeated", (host) => {
  expect(findFor(host)).toBe("http://localhost:3100");
});

test("Only the host is repeated, not what a caller wrote after it", () => {
  expect(findFor("127.0.0.1:3100/evil?a=1#b")).toBe("http://127.0.0.1:3100");
  expect(findFor("evil@127.0.0.1:3100")).toBe("http://127.0.0.1:3100");
});
