import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findClientAddress } from "@/lib/api/engine/client-address";

describe("the client's address", () => {
  test("is the socket's if no proxy is trusted, and the header is ignored", () => {
    expect(findClientAddress("192.0.2.1", "203.0.113.7", 0)).toBe("192.0.2.1");
    expect(findClientAddress(undefined, "203.0.113.7", 0)).toBeNull();
  });

  test("is the one that the outermost trusted proxy added", () => {
    expect(findClientAddress("10.0.0.1", "203.0.113.7", 1)).toBe("203.0.113.7");
    expect(findClientAddress("10.0.0.1", "203.0.113.7, 10.0.0.2", 2)).toBe("203.0.113.7");
  });

  test("is the socket's if there is no header, because the call did not pass through the proxies", () => {
    expect(findClientAddress("192.0.2.1", undefined, 1)).toBe("192.0.2.1");
  });

  test("is unknown if the header has fewer entries than there are proxies", () => {
    expect(findClientAddress("10.0.0.1", "203.0.113.7", 2)).toBeNull();
    expect(findClientAddress("10.0.0.1", "", 1)).toBeNull();
  });

  test("never depends on the entries that the client sent", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.ipV4(), fc.integer({ min: 1, max: 4 }), (written, real, proxies) => {
        const added = [real, ...Array.from({ length: proxies - 1 }, (_, hop) => `10.0.0.${hop + 2}`)];
        expect(findClientAddress("10.0.0.1", [...written, ...added].join(", "), proxies)).toBe(real);
      }),
    );
  });
});
