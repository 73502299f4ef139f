import { describe, expect, test } from "vitest";
import { findAdmittingRange, listAllowListWarnings } from "@/lib/access/keys/key-settings";

describe("advice on an allow-list", () => {
  test("Very wide ranges give a warning", () => {
    expect(listAllowListWarnings(["0.0.0.0/0", "::/0"])).toEqual([
      "0.0.0.0/0 allows every IPv4 address.",
      "::/0 allows every IPv6 address.",
    ]);
    expect(listAllowListWarnings(["64.0.0.0/7"])).toEqual(["64.0.0.0/7 is a very wide range: 33,554,432 addresses."]);
  });

  test("A range within another gives a warning", () => {
    expect(listAllowListWarnings(["192.0.2.7/32", "192.0.2.0/24", "2001:db8::/32"])).toEqual([
      "192.0.2.7/32 is within 192.0.2.0/24 already.",
    ]);
  });

  test("A good list gives no warning", () => {
    expect(listAllowListWarnings([])).toEqual([]);
    expect(listAllowListWarnings(["10.0.0.0/8", "2001:db8::/32", "::ffff:192.0.2.1"])).toEqual([]);
  });
});

describe("finding the range of an address", () => {
  const cidrs = ["198.51.100.0/24", "203.0.113.0/29", "2001:db8::/32"];
  test.each([
    ["203.0.113.7", "203.0.113.0/29"],
    [" ::ffff:203.0.113.7 ", "203.0.113.0/29"],
    ["203.0.113.8", null],
    ["2001:DB8::9", "2001:db8::/32"],
    ["2001:db9::9", null],
    ["010.0.0.1", undefined],
    ["example.com", undefined],
  ])("The range that allows %s is %s", (address, range) => {
    expect(findAdmittingRange(cidrs, address)).toBe(range);
  });
});
