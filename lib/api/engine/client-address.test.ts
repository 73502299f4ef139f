import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findClientAddress, isTrustedProxy } from "@/lib/api/engine/client-address";
import { findPublicUrl } from "@/lib/api/engine/services";
import { loadConfig } from "@/lib/platform/config";

const counted = (count: number) => ({ count, addresses: null });
const addresses = new BlockList();
addresses.addSubnet("10.0.0.0", 8, "ipv4");
addresses.addAddress("2001:db8::1", "ipv6");
const listed = (count = 0) => ({ count, addresses });

describe("the client's address", () => {
  test("is the socket's if no proxy is trusted, and the header is ignored", () => {
    expect(findClientAddress("192.0.2.1", "203.0.113.7", counted(0))).toBe("192.0.2.1");
    expect(findClientAddress(undefined, "203.0.113.7", counted(0))).toBeNull();
  });

  test("is the one that the outermost trusted proxy added", () => {
    expect(findClientAddress("10.0.0.1", "203.0.113.7", counted(1))).toBe("203.0.113.7");
    expect(findClientAddress("10.0.0.1", "203.0.113.7, 10.0.0.2", counted(2))).toBe("203.0.113.7");
  });

  test("is the socket's if there is no header, because the call did not pass through the proxies", () => {
    expect(findClientAddress("192.0.2.1", undefined, counted(1))).toBe("192.0.2.1");
    expect(findClientAddress("10.0.0.1", undefined, listed())).toBe("10.0.0.1");
  });

  test("is unknown if the header has fewer entries than there are proxies", () => {
    expect(findClientAddress("10.0.0.1", "203.0.113.7", counted(2))).toBeNull();
    expect(findClientAddress("10.0.0.1", "", counted(1))).toBeNull();
  });

  test("never depends on the entries that the client sent", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.ipV4(), fc.integer({ min: 1, max: 4 }), (written, real, proxies) => {
        const added = [real, ...Array.from({ length: proxies - 1 }, (_, hop) => `10.0.0.${hop + 2}`)];
        expect(findClientAddress("10.0.0.1", [...written, ...added].join(", "), counted(proxies))).toBe(real);
        const isProxy = real.startsWith("10.");
        if (!isProxy) expect(findClientAddress("10.0.0.1", [...written, ...added].join(", "), listed())).toBe(real);
      }),
    );
  });

  test.each([listed(), listed(1)])("is the socket's if a connection past the proxies sends the header", (proxies) => {
    expect(findClientAddress("192.0.2.1", "203.0.113.7", proxies)).toBe("192.0.2.1");
    expect(isTrustedProxy("192.0.2.1", proxies)).toBe(false);
    expect(findClientAddress(undefined, "203.0.113.7", proxies)).toBeNull();
  });

  test.each(["10.0.0.1", "::ffff:10.0.0.1", "2001:db8::1"])("is the header's if the proxy %s connects", (proxy) => {
    expect(isTrustedProxy(proxy, listed())).toBe(true);
    expect(findClientAddress(proxy, "198.51.100.1, 203.0.113.7, 10.9.9.9", listed())).toBe("203.0.113.7");
    expect(findClientAddress(proxy, "198.51.100.1, 203.0.113.7", listed(1))).toBe("203.0.113.7");
  });

  test("is the first entry if all are in the networks of the proxies", () => {
    expect(findClientAddress("10.0.0.1", "10.0.0.3, 10.0.0.2", listed())).toBe("10.0.0.3");
  });
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
