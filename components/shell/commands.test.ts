import { describe, expect, test } from "vitest";
import { pageGroups } from "@/components/shell/pages";
import { findSymbol, GO_KEYS, readStroke, withSymbol } from "@/components/shell/shortcuts";

const press = (key: string, more = {}) => ({ key, hasCommand: false, hasAlt: false, isTyping: false, ...more });

describe("readStroke", () => {
  test("Ctrl-K opens the palette, a question mark the help", () => {
    expect(readStroke(press("k", { hasCommand: true }), false, true)).toEqual({ do: "palette" });
    expect(readStroke(press("?"), false, true)).toEqual({ do: "help" });
  });

  test("G and a letter lead to a page, G and another key nowhere", () => {
    expect(readStroke(press("g"), false, true)).toEqual({ do: "wait" });
    expect(readStroke(press("q"), true, true)).toEqual({ go: "/quotes" });
    expect(readStroke(press("k"), true, true)).toEqual({ go: "/keys" });
    expect(readStroke(press("9"), true, true)).toBeNull();
    expect(readStroke(press("q"), false, true)).toBeNull();
  });

  test("nothing is a shortcut where text is typed, or with Alt", () => {
    for (const more of [{ isTyping: true }, { hasAlt: true }]) {
      expect(readStroke(press("k", { hasCommand: true, ...more }), false, true)).toBeNull();
      expect(readStroke(press("?", more), false, true)).toBeNull();
      expect(readStroke(press("g", more), false, true)).toBeNull();
    }
  });

  test("only Ctrl-K is a shortcut after single keys were switched off", () => {
    expect(readStroke(press("?"), false, false)).toBeNull();
    expect(readStroke(press("k", { hasCommand: true }), false, false)).toEqual({ do: "palette" });
  });
});

test("Every go-key is a single letter of one page", () => {
  const keys = pageGroups.flatMap(({ pages }) => pages.flatMap(({ goKey }) => goKey ?? []));
  expect(keys.every((key) => /^[a-z]$/.test(key))).toBe(true);
  expect(GO_KEYS.size).toBe(keys.length);
});

const find = (address: string) => {
  const { pathname, searchParams } = new URL(address, "http://localhost");
  return findSymbol(pathname, searchParams);
};

describe("findSymbol", () => {
  test("reads the symbol of a page from its path or its query", () => {
    expect(find("/symbols/XAUUSD?timeframe=H1")).toBe("XAUUSD");
    expect(find("/ticks?symbol=GER40")).toBe("GER40");
    expect(find("/spreads?symbols=EURUSD,GBPUSD")).toBe("EURUSD");
    expect(find("/quotes?open=EURUSD")).toBe("EURUSD");
  });

  test("finds none in other addresses, nor in what cannot be a symbol", () => {
    expect(find("/keys")).toBeNull();
    expect(find("/symbols")).toBeNull();
    expect(find("/ticks?symbol=%22onload")).toBeNull();
  });
});

test("A link keeps the symbol where its page can show one", () => {
  expect(withSymbol("/spreads", "EURUSD")).toBe("/spreads?symbols=EURUSD");
  expect(withSymbol("/symbols", "EURUSD")).toBe("/symbols/EURUSD");
  expect(find(withSymbol("/strength", "EURUSD"))).toBe("EURUSD");
  expect(withSymbol("/keys", "EURUSD")).toBe("/keys");
  expect(withSymbol("/ticks", null)).toBe("/ticks");
});
