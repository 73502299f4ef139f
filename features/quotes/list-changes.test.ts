import { describe, expect, test } from "vitest";
import {
  addList,
  addSymbols,
  findNameProblem,
  mergeLists,
  moveSymbol,
  removeList,
  renameList,
  stepSymbol,
  toggleSymbol,
} from "@/features/quotes/list-changes";
import { parseListText } from "@/features/quotes/list-format";
import { DEFAULT_LIST } from "@/lib/access/quote-list";
import { checkLists } from "@/lib/access/quote-lists";
import { catalogResolver } from "@/lib/market/catalog-resolver";

const majors = { slug: "majors", name: "Majors", symbols: ["EURUSD", "USDJPY", "GBPUSD"] };
const lists = [DEFAULT_LIST, majors];
const read = (changed: readonly { symbols: readonly string[] }[]) => changed[1]?.symbols;

describe("A list", () => {
  test("gains and loses symbols at its end", () => {
    expect(read(toggleSymbol(lists, "majors", "AUDUSD"))).toEqual(["EURUSD", "USDJPY", "GBPUSD", "AUDUSD"]);
    expect(read(toggleSymbol(lists, "majors", "USDJPY"))).toEqual(["EURUSD", "GBPUSD"]);
    expect(read(addSymbols(lists, "majors", ["USDJPY", "XAUUSD"]))).toEqual([...majors.symbols, "XAUUSD"]);
    expect(toggleSymbol(lists, "majors", "AUDUSD")[0]).toBe(DEFAULT_LIST);
  });

  test("moves a symbol before another one, or to its end", () => {
    expect(read(moveSymbol(lists, "majors", "GBPUSD", "EURUSD"))).toEqual(["GBPUSD", "EURUSD", "USDJPY"]);
    expect(read(moveSymbol(lists, "majors", "EURUSD", null))).toEqual(["USDJPY", "GBPUSD", "EURUSD"]);
    expect(read(moveSymbol(lists, "majors", "EURUSD", "EURUSD"))).toEqual(majors.symbols);
  });

  test("moves a symbol by one place among those that are shown", () => {
    const step = (symbol: string, by: -1 | 1, shown: readonly string[] = majors.symbols) =>
      read(stepSymbol(lists, "majors", symbol, { step: by, shown }));
    expect(step("USDJPY", -1)).toEqual(["USDJPY", "EURUSD", "GBPUSD"]);
    expect(step("EURUSD", 1)).toEqual(["USDJPY", "EURUSD", "GBPUSD"]);
    expect(step("USDJPY", 1)).toEqual(["EURUSD", "GBPUSD", "USDJPY"]);
    expect(step("EURUSD", -1)).toEqual(majors.symbols);
    expect(step("EURUSD", 1, ["EURUSD", "GBPUSD"])).toEqual(["USDJPY", "GBPUSD", "EURUSD"]);
  });

  test("gets an address from its name, which no other list has", () => {
    const first = addList(lists, { name: "Métaux & Öl!", symbols: [] });
    expect(first.slug).toBe("metaux-ol");
    const second = addList(first.lists, { name: "Majors", symbols: [] });
    const third = addList(second.lists, { name: "貴金属", symbols: [] });
    expect([second.slug, third.slug]).toEqual(["majors-2", "list"]);
    expect(() => checkLists(renameList(third.lists, "majors-2", "More"))).not.toThrow();
  });

  test("has a name that no other list has", () => {
    expect(findNameProblem(lists, "majors ", null)).toMatch(/Another/);
    expect(findNameProblem(lists, "majors ", "majors")).toBeNull();
    expect(findNameProblem(lists, " ", null)).toMatch(/Enter/);
    expect(findNameProblem(lists, "x".repeat(41), null)).toMatch(/at most 40/);
  });

  test("that was kept in a browser replaces the same one, and is otherwise added", () => {
    const kept = [
      { ...majors, symbols: ["XAUUSD"] },
      { slug: "metals", name: "Metals", symbols: ["XAGUSD"] },
    ];
    expect(mergeLists(lists, kept)).toEqual([DEFAULT_LIST, ...kept]);
  });

  test("can be removed, except the starred symbols", () => {
    expect(removeList(lists, "majors")).toEqual([DEFAULT_LIST]);
    expect(removeList(lists, "starred")).toBe(lists);
  });

  const parse = (text: string) => parseListText(text, catalogResolver);

  test("is read from the text that it is written to, and from other tools' lists", () => {
    expect(parse(majors.symbols.join("\n"))).toEqual({ symbols: majors.symbols, unknown: [] });
    expect(parse("###Majors,OANDA:EURUSD\nOANDA:EURUSD,FX:USDJPY; gold\n# a note\nNOSUCH,")).toEqual({
      symbols: ["EURUSD", "USDJPY", "XAUUSD"],
      unknown: ["NOSUCH"],
    });
    expect(parse("EURUSD GBPUSD  usd/jpy NOSUCH")).toEqual({
      symbols: ["EURUSD", "GBPUSD", "USDJPY"],
      unknown: ["NOSUCH"],
    });
    expect(parse("EURUSD, S&P 500, EUR USD").unknown).toEqual([]);
  });
});
