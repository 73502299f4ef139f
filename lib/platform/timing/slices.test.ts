import { setImmediate as untilNextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Slices } from "@/lib/platform/timing/slices";

/** Slices whose time passes by the work alone: each unit takes a millisecond. */
function setUp() {
  let nowMs = 0;
  let turn = 0;
  const workOfTurns: number[] = [];
  const slices = new Slices({
    monotonic: () => nowMs,
    nextTurn: (callback) =>
      void setImmediate(() => {
        turn++;
        callback();
      }),
  });
  const work = (name: string) => {
    nowMs++;
    workOfTurns[turn] = (workOfTurns[turn] ?? 0) + 1;
    return name;
  };
  return { slices, work, workOfTurns };
}

const units = (name: string, count: number) => Array.from({ length: count }, () => name);

test("The computations of several callers together take at most a slice of a turn, and all get their turns", async () => {
  const { slices, work, workOfTurns } = setUp();
  const order: string[] = [];
  const run = async (name: string, count: number) => {
    const results = await slices.map(units(name, count), work);
    order.push(name);
    return results;
  };
  const running = [run("long", 500), run("short", 20), run("other", 20)];
  await untilNextTurn();
  running.push(run("late", 5));
  expect(await Promise.all(running)).toEqual([
    units("long", 500),
    units("short", 20),
    units("other", 20),
    units("late", 5),
  ]);
  expect(Math.max(...workOfTurns)).toBe(3);
  expect(workOfTurns.reduce((sum, count) => sum + count)).toBe(545);
  expect(order.at(-1)).toBe("long");
});

test("A short computation ends within the turn", async () => {
  const { slices, work } = setUp();
  let isNextTurn = false;
  setImmediate(() => (isNextTurn = true));
  await slices.map(units("short", 2), work);
  expect(isNextTurn).toBe(false);
});

test("The order is kept when values have to be read first", async () => {
  const { slices } = setUp();
  const read = async (value: number) => {
    await untilNextTurn();
    return value;
  };
  expect(await slices.map([1, 2, 3], (value) => (value === 2 ? read(value) : value))).toEqual([1, 2, 3]);
});

test("An error ends the computation and not those of others", async () => {
  const { slices, work } = setUp();
  const other = slices.map(units("other", 50), work);
  const failing = slices.map(units("failing", 50), () => {
    throw new Error("no history");
  });
  await expect(failing).rejects.toThrow("no history");
  expect(await other).toHaveLength(50);
});
