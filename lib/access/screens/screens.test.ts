import { afterAll, describe, expect, test } from "vitest";
import { type Panel, SCREEN_LIMITS } from "@/lib/access/screens/screen";
import { createScreens } from "@/lib/access/screens/screens";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const LINKS = { symbol: true, timeframe: false, crosshair: true };
const CHART: Panel<"chart"> = {
  ...{ id: "a", kind: "chart", colour: "amber", x: 0, y: 0, w: 12, h: 24 },
  settings: { symbol: "EURUSD", timeframe: "M5", indicators: ["EMA_21"], layers: ["volume"] },
};
const CLOCK: Panel<"clock"> = {
  ...{ id: "b", kind: "clock", colour: null, x: 12, y: 0, w: 12, h: 24 },
  settings: { zones: ["Europe/London"] },
};
const content = { panels: [CHART, CLOCK], links: LINKS };

describe("The screens of an account", () => {
  const open = () => createScreens(testDatabase.db.pool, { now: () => 0 });

  test("are its own, and others can neither read, change, order nor delete them", async () => {
    const [mine, theirs] = [await someAccount(testDatabase.db), await someAccount(testDatabase.db)];
    const { id } = await open().create(mine.id, { name: " Desk ", content });
    expect(await open().find(mine.id, id)).toEqual({ id, name: "Desk", content, revision: 1 });
    expect(await open().find(theirs.id, id)).toBeNull();
    expect(await open().save(theirs.id, id, { revision: 1, name: "Taken", content })).toBeNull();
    expect(await open().remove(theirs.id, id)).toBe(false);
    expect(await open().order(theirs.id, [id])).toEqual([]);
    expect(await open().list(mine.id)).toEqual([{ id, name: "Desk", revision: 1 }]);
    expect(await open().remove(mine.id, id)).toBe(true);
    expect(await open().find(mine.id, id)).toBeNull();
  });

  test("are not overwritten by a browser that has not seen the last change", async () => {
    const { id: owner } = await someAccount(testDatabase.db);
    const { id } = await open().create(owner, { name: "Desk", content });
    const saved = await open().save(owner, id, { revision: 1, name: "First", content });
    expect(saved).toEqual({ id, name: "First", content, revision: 2, isSaved: true });
    const late = await open().save(owner, id, { revision: 1, name: "Second", content: { panels: [], links: LINKS } });
    expect(late).toEqual({ id, name: "First", content, revision: 2, isSaved: false });
  });

  test("have the order that the account has chosen, and new ones come last", async () => {
    const { id: owner } = await someAccount(testDatabase.db);
    const ids: string[] = [];
    for (const name of ["One", "Two", "Three"]) ids.push((await open().create(owner, { name, content })).id);
    const [one = "", two = "", three = ""] = ids;
    expect((await open().order(owner, [three, one, "nonsense"])).map(({ id }) => id)).toEqual([three, one, two]);
    const { id: four } = await open().create(owner, { name: "Four", content });
    expect((await open().list(owner)).map(({ id }) => id)).toEqual([three, one, two, four]);
  });

  test("are limited in number, also when many are created at the same moment", async () => {
    const { id: owner } = await someAccount(testDatabase.db);
    const all = Array.from({ length: SCREEN_LIMITS.screens + 4 }, (_, at) =>
      open().create(owner, { name: `${at}`, content }),
    );
    const results = await Promise.allSettled(all);
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(4);
    expect(refused[0]).toMatchObject({ reason: { code: "too_many_screens" } });
    expect(await open().list(owner)).toHaveLength(SCREEN_LIMITS.screens);
  });

  test("lose the panels of a symbol that the catalogue has lost", async () => {
    const { id: owner } = await someAccount(testDatabase.db);
    const { id } = await open().create(owner, { name: "Desk", content });
    await testDatabase.db.pool.query(
      "UPDATE screen SET content = jsonb_set(content, '{panels,0,settings,symbol}', '\"GONE\"') WHERE id = $1",
      [id],
    );
    expect((await open().find(owner, id))?.content.panels).toEqual([CLOCK]);
  });

  const settings = (change: object) => ({
    ...content,
    panels: [{ ...CHART, settings: { ...CHART.settings, ...change } }],
  });
  const panel = (change: object) => ({ ...content, panels: [{ ...CHART, ...change }] });
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...CLOCK,
      id: `p${at}`,
      x: 4 * (at % 6),
      y: 4 * Math.floor(at / 6),
      w: 4,
      h: 4,
    }));
  test.each<[string, unknown, unknown?]>([
    ["nothing", null],
    ["panels that are no array", { panels: {}, links: LINKS }],
    ["too many panels", { panels: many(SCREEN_LIMITS.panels + 1), links: LINKS }],
    [
      "too many charts",
      { panels: many(13).map((each) => ({ ...CHART, ...each, kind: "chart", settings: CHART.settings })) },
    ],
    ["two panels of one id", { panels: [CHART, { ...CLOCK, id: "a" }] }],
    ["two panels in one place", { panels: [CHART, { ...CLOCK, x: 11, w: 13 }] }],
    ["a panel outside of the grid", panel({ x: 20 })],
    ["a panel that is too small", panel({ h: 3 })],
    ["half a column", panel({ x: 0.5 })],
    ["an unknown kind", panel({ kind: "web" })],
    ["an unknown colour", panel({ colour: "#fff" })],
    ["an id with other characters", panel({ id: "a b" })],
    ["an unknown symbol", settings({ symbol: "NOSUCH" })],
    ["an unknown timeframe", settings({ timeframe: "H99" })],
    ["indicators that are no names", settings({ indicators: ["<b>"] })],
    ["too many indicators", settings({ indicators: Array.from({ length: 9 }, (_, at) => `EMA_${at}`) })],
    ["an unknown time zone", panel({ kind: "clock", settings: { zones: ["Mars/Base"] } })],
    ["links that are no flags", { panels: [], links: { symbol: "yes" } }],
    ["an empty name", content, " "],
    ["a long name", content, "x".repeat(SCREEN_LIMITS.name + 1)],
    ["a name that the database cannot hold", content, "a\u0000"],
  ])("are refused, and nothing is changed, for %s", async (_, given, name = "Desk") => {
    const { id: owner } = await someAccount(testDatabase.db);
    await expect(open().create(owner, { name, content: given })).rejects.toMatchObject({ code: "invalid_screen" });
    const { id } = await open().create(owner, { name: "Desk", content });
    await expect(open().save(owner, id, { revision: 1, name, content: given })).rejects.toMatchObject({
      code: "invalid_screen",
    });
    expect(await open().list(owner)).toEqual([{ id, name: "Desk", revision: 1 }]);
  });
});
