import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Drawing, DRAWING_LIMITS } from "@/lib/access/drawing";
import { createDrawings } from "@/lib/access/drawings";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

const someDrawing = (fields: Partial<Drawing> = {}): Drawing => ({
  id: randomUUID(),
  kind: "horizontal-line",
  points: [[Date.UTC(2026, 10, 23), 1.1]],
  ...fields,
});
const add = (drawing: Drawing) => ({ id: drawing.id, base: null, drawing });

describe("The drawings of an account", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => void (testDatabase = await openTestDatabase()));
  afterAll(() => testDatabase.cleanup());
  const open = () => createDrawings(testDatabase.db.pool, { now: () => 0 });

  test("are its own and of one symbol, in the order in which they were added", async () => {
    const [mine, theirs] = [await someAccount(testDatabase.db), await someAccount(testDatabase.db)];
    const drawings = Array.from({ length: 5 }, () => someDrawing());
    const { made } = await open().save(mine.id, "EURUSD", drawings.map(add));
    expect(made).toHaveLength(5);
    expect((await open().read(mine.id, "EURUSD")).map(({ drawing }) => drawing)).toEqual(drawings);
    expect(await open().read(mine.id, "GBPUSD")).toEqual([]);
    expect(await open().read(theirs.id, "EURUSD")).toEqual([]);
  });

  test("keep kinds and fields that this version does not know", async () => {
    const { id } = await someAccount(testDatabase.db);
    const later = someDrawing({ kind: "gann-fan", rays: [1, 2, { deep: null }], "": "empty" });
    await open().save(id, "EURUSD", [add(later)]);
    expect((await open().read(id, "EURUSD"))[0]?.drawing).toEqual(later);
  });

  test("are changed and removed at the version that was seen, and left as they are at another one", async () => {
    const { id } = await someAccount(testDatabase.db);
    const drawing = someDrawing();
    const first = (await open().save(id, "EURUSD", [add(drawing)])).drawings[0]?.version ?? "";
    const moved = { ...drawing, points: [[0, 2]] as const };
    const second = await open().save(id, "EURUSD", [{ id: drawing.id, base: first, drawing: moved }]);
    expect(second.made).toEqual([drawing.id]);
    const late = [
      [{ id: drawing.id, base: first, drawing: { ...drawing, points: [[0, 3]] } }],
      [{ id: drawing.id, base: first, drawing: null }],
      [add(drawing)],
      [{ id: randomUUID(), base: first, drawing: null }],
    ];
    for (const changes of late) {
      expect(await open().save(id, "EURUSD", changes)).toEqual({ made: [], drawings: second.drawings });
    }
    const version = second.drawings[0]?.version ?? "";
    const third = await open().save(id, "EURUSD", [{ id: drawing.id, base: version, drawing: null }]);
    expect(third).toEqual({ made: [drawing.id], drawings: [] });
    const again = await open().save(id, "EURUSD", [add(drawing)]);
    expect([first, version]).not.toContain(again.drawings[0]?.version);
  });

  test("of another account are not changed, whatever is sent", async () => {
    const [mine, theirs] = [await someAccount(testDatabase.db), await someAccount(testDatabase.db)];
    const drawing = someDrawing();
    const { drawings } = await open().save(theirs.id, "EURUSD", [add(drawing)]);
    const base = drawings[0]?.version ?? "";
    expect((await open().save(mine.id, "EURUSD", [{ id: drawing.id, base, drawing: null }])).made).toEqual([]);
    expect((await open().save(mine.id, "EURUSD", [add({ ...drawing, kind: "mine" })])).made).toEqual([drawing.id]);
    expect(await open().read(theirs.id, "EURUSD")).toEqual(drawings);
  });

  test("have a stamp that differs after every change", async () => {
    const { id } = await someAccount(testDatabase.db);
    const [one, two] = [someDrawing(), someDrawing()];
    const readStamp = async () => (await open().readStamps([{ accountId: id, symbol: "EURUSD" }]))[0] ?? "none";
    const stamps = [await readStamp()];
    const { drawings } = await open().save(id, "EURUSD", [add(one), add(two)]);
    stamps.push(await readStamp());
    for (const { version, drawing } of drawings) {
      await open().save(id, "EURUSD", [{ id: drawing.id, base: version, drawing: null }]);
      stamps.push(await readStamp());
    }
    expect(stamps[0]).toBe("");
    expect(new Set(stamps.slice(0, 3)).size).toBe(3);
    expect(stamps[3]).toBe("");
  });

  const one = someDrawing();
  test.each([
    ["anything else than an array", null],
    ["a change that is none", [null]],
    ["a base that is no version", [{ ...add(one), base: "x" }]],
    ["two changes of one drawing", [add(one), add(one)]],
    ["an id of another drawing", [{ ...add(one), id: randomUUID() }]],
    ["a kind that is no name", [add({ ...one, kind: "A b" })]],
    ["no point", [add({ ...one, points: [] })]],
    ["a point that is none", [add({ ...one, points: [[0, NaN]] })]],
    ["a time that no chart can show", [add({ ...one, points: [[1e300, 1]] })]],
    ["text that the database cannot hold", [add({ ...one, text: "a\u0000" })]],
    ["half a character", [add({ ...one, text: "\ud800" })]],
    ["a drawing that is too large", [add({ ...one, text: "x".repeat(DRAWING_LIMITS.size) })]],
  ])("are refused, and nothing is changed, for %s", async (_, changes) => {
    const { id } = await someAccount(testDatabase.db);
    await expect(open().save(id, "EURUSD", changes)).rejects.toMatchObject({ code: "invalid_drawing" });
    expect(await open().read(id, "EURUSD")).toEqual([]);
  });

  test("keep prices without binary noise, so that a stroke of as many points as are allowed has room", async () => {
    const { id } = await someAccount(testDatabase.db);
    const points = Array.from(
      { length: DRAWING_LIMITS.points },
      (_, at) => [1.7e12 + at + 0.25, 0.1 + at / 3] as const,
    );
    const stroke = { ...someDrawing(), kind: "brush", points };
    expect(JSON.stringify(stroke).length).toBeGreaterThan(DRAWING_LIMITS.size);
    await open().save(id, "EURUSD", [add(stroke)]);
    const [stored] = await open().read(id, "EURUSD");
    expect(stored?.drawing.points.slice(0, 2)).toEqual([
      [1.7e12, 0.1],
      [1.7e12 + 1, 0.433333333333],
    ]);
  });

  test("are bounded by symbol, and none of too many is stored", async () => {
    const { id } = await someAccount(testDatabase.db);
    const many = Array.from({ length: DRAWING_LIMITS.perSymbol + 1 }, () => add(someDrawing()));
    await expect(open().save(id, "EURUSD", many)).rejects.toMatchObject({ code: "too_many_drawings" });
    expect(await open().read(id, "EURUSD")).toEqual([]);
    expect((await open().save(id, "EURUSD", many.slice(1))).made).toHaveLength(DRAWING_LIMITS.perSymbol);
  });

  test("are saved at most ninety times a minute, whichever process an account asks", async () => {
    const { id } = await someAccount(testDatabase.db);
    const processes = [open(), open()];
    for (let time = 0; time < 90; time++) await processes[time % 2]?.save(id, "EURUSD", []);
    await expect(open().save(id, "EURUSD", [])).rejects.toMatchObject({ code: "too_many_changes" });
  });
});
