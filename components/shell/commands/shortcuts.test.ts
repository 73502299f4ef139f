import { describe, expect, test } from "vitest";
import { GO_KEYS, readStroke } from "@/components/shell/commands/shortcuts";
import { pageGroups } from "@/components/shell/pages";

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
