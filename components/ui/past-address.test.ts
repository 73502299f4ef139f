import { expect, test } from "vitest";
import { isStillPast, readAt, toAt, withAt } from "@/components/ui/past-address";

const AT = "2026-11-27T13:30:00Z";

test("An address gets a second of the past, in place of its own", () => {
  expect(withAt("/quotes", AT)).toBe(`/quotes?at=${AT}`);
  expect(withAt("/quotes?q=eur%2Fusd&sort=-percent", AT)).toBe(`/quotes?q=eur%2Fusd&sort=-percent&at=${AT}`);
  expect(withAt("/spreads?at=2026-01-01&symbols=EURUSD", AT)).toBe(`/spreads?symbols=EURUSD&at=${AT}`);
  expect(withAt("/ticks?symbol=EURUSD&at=x&view=M5#chart", AT)).toBe(`/ticks?symbol=EURUSD&view=M5&at=${AT}#chart`);
  expect(withAt("?range=week", AT)).toBe(`?range=week&at=${AT}`);
});

test("Without one, its own is removed and the rest stays as it is", () => {
  expect(withAt(`/quotes?at=${AT}`, null)).toBe("/quotes");
  expect(withAt(`/quotes?at=${AT}&q=a%20b`, null)).toBe("/quotes?q=a%20b");
  expect(withAt("/quotes?what=1&chat=2", null)).toBe("/quotes?what=1&chat=2");
});

test("What an address names is read as it is, and text of others cannot leave its parameter", () => {
  const read = (address: string) => readAt(new URL(address, "http://localhost").searchParams);
  expect(read(withAt("/quotes?q=1", AT))).toBe(AT);
  expect(read(withAt("/quotes", "a&b=c#d e"))).toBe("a&b=c#d e");
  expect(read("/quotes?q=at")).toBeNull();
  // The page of sessions once had a time of day there.
  expect(read("/sessions?at=14:30")).toBeNull();
  expect(toAt(Date.parse(AT) + 999)).toBe(AT);
});

test("An answer of an earlier second may stay until the next one is there, and none of a later second or the present", () => {
  expect(isStillPast("2026-11-27T13:29:59Z", AT)).toBe(true);
  expect(isStillPast("2026-11-27T13:30:01Z", AT)).toBe(false);
  expect(isStillPast(null, AT)).toBe(false);
  expect(isStillPast(AT, null)).toBe(false);
});
