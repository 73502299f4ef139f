import { describe, expect, test } from "vitest";
import type { Audience } from "@/components/shell/pages";
import { listCommands } from "@/components/shell/palette";

const list = (search: string, more = {}) => listCommands(search, { audience: "member", symbol: null, ...more });
const labels = (search: string, group: string) =>
  (list(search).find(({ name }) => name === group)?.commands ?? []).map(({ label }) => label);

describe("listCommands", () => {
  test("finds symbols by alias, by a broker's spelling and by name", () => {
    expect(labels("dax", "Symbols")[0]).toBe("GER40");
    expect(labels("EURUSD.pro", "Symbols")[0]).toBe("EURUSD");
    expect(labels("eur/usd", "Symbols")[0]).toBe("EURUSD");
    expect(labels("gold", "Symbols")).toContain("XAUUSD");
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

  test("offers the pages of the current symbol first, and keeps it in the links to pages", () => {
    const [own, pages] = list("", { symbol: "XAUUSD" });
    expect(own?.commands.map(({ href }) => href)).toContain("/spreads?symbols=XAUUSD");
    expect(pages?.commands.find(({ id }) => id === "page-/ticks")?.href).toBe("/ticks?symbol=XAUUSD");
  });
});
