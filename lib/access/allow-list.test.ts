import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAllowList, describeProblem, parseRangeLines } from "@/lib/access/allow-list";
import { anyCharacter } from "@/lib/text/any-text.fixture";

const admits = (cidrs: string[], address: string) => createAllowList(cidrs).admits(address);
const normalised = (line: string) => parseRangeLines([line]).cidrs[0];
const problemWith = (line: string) => parseRangeLines([line]).problems[0]?.reason;

describe("parsing lines", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7/32"],
    [" 203.0.113.7/24 ", "203.0.113.0/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8:0:0::1", "2001:db8::1/128"],
    ["2001:db8::1/33", "2001:db8::/33"],
    ["::/0", "::/0"],
    ["::ffff:203.0.113.7", "203.0.113.7/32"],
    ["::ffff:cb00:7107", "203.0.113.7/32"],
    ["::ffff:203.0.113.7/120", "203.0.113.0/24"],
  ])("%s is normalised to %s", (line, cidr) => expect(normalised(line)).toBe(cidr));

  test.each([
    ["", /empty/],
    ["   ", /empty/],
    ["010.0.0.1", /leading zero/],
    ["10.0.0.1/08", /whole number from 0 to 32/],
    ["10.0.0.1/", /whole number from 0 to 32/],
    ["10.0.0.1/33", /above 32/],
    ["10.0.0.1/-1", /whole number/],
    ["10.0.0.0/255.0.0.0", /whole number/],
    ["10.0.0.1/24/24", /more than one/],
    ["2001:db8::/129", /above 128/],
    ["10.0.0.256", /above 255/],
    ["10.0.0", /four numbers/],
    ["167772161", /four numbers/],
    ["0x0a.0.0.1", /not an address/],
    ["10.0.0.1:443", /port/],
    ["[2001:db8::1]:443", /port/],
    ["10.0.0.*", /CIDR/],
    ["10.0.0.1-10.0.0.9", /CIDR/],
    ["fe80::1%eth0", /zone id/],
    ["2001:db8::1::2", /not an IPv6 address/],
    ["example.com", /names are not looked up/],
    ["１0.0.0.1", /not an address/],
    ["::ffff:10.0.0.0/64", /beyond the IPv4 addresses/],
  ])("%j is refused with a reason", (line, reason) => expect(problemWith(line)).toMatch(reason));

  test("Each problem has its line, and each range occurs once", () => {
    const { cidrs, problems } = parseRangeLines(["10.0.0.1/8", "host", "10.200.0.0/8", "::1"]);
    expect(cidrs).toEqual(["10.0.0.0/8", "::1/128"]);
    expect(problems.map(describeProblem)).toEqual(["Line 2: “host” is not an address; names are not looked up."]);
  });

  test("Any text gives a range or a reason", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (line) => {
        const { cidrs, problems } = parseRangeLines([line]);
        expect(cidrs.length + problems.length).toBe(1);
      }),
    );
  });
});

describe("admitting addresses", () => {
  test("An IPv4-mapped address is treated as IPv4", () => {
    expect(admits(["203.0.113.0/24"], "::ffff:203.0.113.9")).toBe(true);
    expect(admits(["203.0.113.0/24"], "::FFFF:cb00:7109")).toBe(true);
    expect(admits(["::ffff:203.0.113.0/120"], "203.0.113.9")).toBe(true);
  });

  test("IPv4 and IPv6 ranges are separate", () => {
    expect(admits(["::/0"], "203.0.113.9")).toBe(false);
    expect(admits(["::/0"], "::ffff:203.0.113.9")).toBe(false);
    expect(admits(["0.0.0.0/0"], "2001:db8::1")).toBe(false);
  });

  test("A text that is not an address is not admitted", () => {
    const everything = createAllowList(["0.0.0.0/0", "::/0"]);
    for (const address of ["", "unknown", "localhost", "10.0.0.1 ", "010.0.0.1", "10.0.0.1:80", "fe80::1%eth0"]) {
      expect(everything.admits(address)).toBe(false);
    }
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(everything.admits(value as string)).toBe(false);
      }),
    );
  });

  test("An invalid range admits no address", () => {
    expect(admits(["broken"], "10.0.0.1")).toBe(false);
    expect(admits(["broken", "10.0.0.0/8"], "10.0.0.1")).toBe(true);
  });

  test("The cached answer is not used for another address", () => {
    const list = createAllowList(["10.0.0.0/8"]);
    const answers = ["10.0.0.1", "10.0.0.1", "11.0.0.1", "11.0.0.1", "10.0.0.1", ""].map((a) => list.admits(a));
    expect(answers).toEqual([true, true, false, false, true, false]);
  });
});

describe("compared with a reference implementation in big integers", () => {
  const v4 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
  const v6 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
  const text4 = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
  const text6 = (value: bigint) =>
    Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(":");
  const isMapped = (value: bigint) => value >> 32n === 0xffffn;

  /** The ends of the range and their neighbours, where a wrong mask would give a wrong result. */
  function check(bits: number, range: bigint, address: bigint, prefix: number, text: (value: bigint) => string) {
    const shift = BigInt(bits - prefix);
    const list = createAllowList(parseRangeLines([`${text(range)}/${prefix}`]).cidrs);
    const first = (range >> shift) << shift;
    const last = first + (1n << shift) - 1n;
    for (const probe of [address, range, first, last, first - 1n, last + 1n]) {
      if (probe < 0n || probe >= 1n << BigInt(bits) || (bits === 128 && isMapped(probe))) continue;
      expect(list.admits(text(probe))).toBe(probe >> shift === range >> shift);
    }
  }

  test("An IPv4 range admits exactly its addresses", () => {
    fc.assert(fc.property(v4, v4, fc.nat(32), (range, address, prefix) => check(32, range, address, prefix, text4)));
  });

  test("An IPv6 range admits exactly its addresses", () => {
    fc.assert(
      fc.property(v6, v6, fc.nat(128), (range, address, prefix) => {
        fc.pre(!isMapped(range));
        check(128, range, address, prefix, text6);
      }),
    );
  });
});
