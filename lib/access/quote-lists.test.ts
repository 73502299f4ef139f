import { afterAll, describe, expect, test } from "vitest";
import { DEFAULT_LIST, LIST_LIMITS } from "@/lib/access/quote-list";
import { createQuoteLists } from "@/lib/access/quote-lists";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { instruments } from "@/lib/market/catalog";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const majors = { slug: "majors", name: "Majors", symbols: ["EURUSD", "USDJPY"] };

describe("The lists of an account", () => {
  const open = () => createQuoteLists(testDatabase.db.pool, { now: () => 0 });

  test("are its own, in their order, and begin with the starred symbols", async () => {
    const [mine, theirs] = [await someAccount(testDatabase.db), await someAccount(testDatabase.db)];
    expect(await open().read(mine.id)).toEqual({ revision: 0, lists: [DEFAULT_LIST] });
    const starred = { ...DEFAULT_LIST, symbols: ["XAUUSD"] };
    const saved = await open().save(mine.id, 0, [majors, starred]);
    expect(saved).toEqual({ revision: 1, lists: [majors, starred], isSaved: true });
    expect(await open().read(mine.id)).toEqual({ revision: 1, lists: [majors, starred] });
    expect(await open().read(theirs.id)).toEqual({ revision: 0, lists: [DEFAULT_LIST] });
  });

  test("are not overwritten by a browser that has not seen the last change", async () => {
    const { id } = await someAccount(testDatabase.db);
    await open().save(id, 0, [majors]);
    const late = await open().save(id, 0, []);
    expect(late).toEqual({ revision: 1, lists: [DEFAULT_LIST, majors], isSaved: false });
    expect(await open().save(id, 1, [])).toEqual({ revision: 2, lists: [DEFAULT_LIST], isSaved: true });
  });

  test("are saved once by two browsers at the same moment", async () => {
    const { id } = await someAccount(testDatabase.db);
    const saves = await Promise.all([open().save(id, 0, [majors]), open().save(id, 0, [majors])]);
    expect(saves.filter(({ isSaved }) => isSaved)).toHaveLength(1);
  });

  const symbols = instruments.map(({ symbol }) => symbol);
  test.each([
    ["anything else than an array", null],
    [
      "too many lists",
      Array.from({ length: LIST_LIMITS.lists + 1 }, (_, at) => ({ ...majors, slug: `l${at}`, name: `${at}` })),
    ],
    ["a list that is none", [null]],
    ["an address with other characters", [{ ...majors, slug: "a/b" }]],
    ["two lists of one address", [majors, { ...majors, name: "Others" }]],
    ["two lists of one name", [majors, { ...majors, slug: "others", name: "MAJORS" }]],
    ["an empty name", [{ ...majors, name: " " }]],
    ["a long name", [{ ...majors, name: "x".repeat(LIST_LIMITS.name + 1) }]],
    ["a name that the database cannot hold", [{ ...majors, name: "a\u0000" }]],
    ["an unknown symbol", [{ ...majors, symbols: ["NOSUCH"] }]],
    ["too many symbols", [{ ...majors, symbols: [...symbols, ...symbols] }]],
  ])("are refused, and nothing is changed, for %s", async (_, lists) => {
    const { id } = await someAccount(testDatabase.db);
    await expect(open().save(id, 0, lists)).rejects.toMatchObject({ code: "invalid_list" });
    expect((await open().read(id)).revision).toBe(0);
  });
});
