import { describe, expect, test } from "vitest";
import { parseOwnSymbols, type SymbolHit, type SymbolHits } from "@/components/shared/symbol-hits";
import type { Audience } from "@/components/shell/pages";
import { listCommands } from "@/components/shell/palette";

const EURO: SymbolHit = { symbol: "EURUSD", name: "Euro / US Dollar", category: "forex" };
const list = (search: string, more = {}) =>
  listCommands(search, { audience: "member", symbol: null, found: undefined, ...more });
const labels = (search: string, group: string) =>
  (list(search).find(({ name }) => name === group)?.commands ?? []).map(({ label }) => label);

describe("listCommands", () => {
  test("lists the symbols that the server finds, and the pages of one that is the only one", () => {
    const groups = (counts: SymbolHits["counts"]) => list("eur/usd", { found: { hits: [EURO], counts } });
    expect(groups({ forex: 1 }).map(({ name }) => name)).toEqual(["Symbols", "EURUSD"]);
    expect(groups({ forex: 9 }).map(({ name }) => name)).toEqual(["Symbols"]);
    expect(groups({ forex: 9 })[0]?.commands[0]).toMatchObject({ label: "EURUSD", href: "/symbols/EURUSD" });
  });

  test("finds pages and actions by their words", () => {
    expect(labels("usage", "Pages")).toEqual(["Usage"]);
    expect(labels("new key", "Actions")).toEqual(["Create key"]);
    expect(labels("colour blind", "Actions")).toEqual(["Blue and orange prices"]);
    expect(list("no such thing at all")).toEqual([]);
  });

  test("lists the operator's pages for operators only", () => {
    const pages = (audience: Audience) =>
      list("", { audience }).flatMap(({ commands }) => commands.map(({ id }) => id));
    expect(pages("member")).not.toContain("page-/operator/accounts");
    expect(pages("operator")).toContain("page-/operator/accounts");
  });

  test("has the starred and the latest symbols before the pages, each once and without the current one", () => {
    const gold: SymbolHit = { symbol: "XAUUSD", name: "Gold", category: "metals" };
    const own = { starred: [gold], recent: [EURO, gold] };
    const [first] = list("", { own });
    expect(first?.commands.map(({ label }) => label)).toEqual(["XAUUSD", "EURUSD"]);
    const names = list("", { own: { starred: [], recent: [gold] }, symbol: "XAUUSD" }).map(({ name }) => name);
    expect(names).not.toContain("Starred and recent");
  });

  test("reads the visitor's symbols as they were stored, and nothing else", () => {
    const stored = { starred: [EURO], recent: [EURO, { symbol: 5 }, null, "EURUSD"] };
    expect(parseOwnSymbols(JSON.stringify(stored))).toEqual({ starred: [EURO], recent: [EURO] });
    for (const text of [null, "", "{", "[]", "null", '{"recent":{}}']) {
      expect(parseOwnSymbols(text), String(text)).toEqual({ starred: [], recent: [] });
    }
  });

  test("offers the pages of the current symbol first, and keeps it in the links to pages", () => {
    const [own, pages] = list("", { symbol: "XAUUSD" });
    expect(own?.commands.map(({ href }) => href)).toContain("/spreads?symbols=XAUUSD");
    expect(pages?.commands.find(({ id }) => id === "page-/ticks")?.href).toBe("/ticks?symbol=XAUUSD");
  });
});
