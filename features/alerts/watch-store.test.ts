import { expect, test } from "vitest";
import { EMPTY_WATCH, findShown, findUnseen, mergeFirings, parseWatch, tidyWatch } from "@/features/alerts/watch-store";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

const NOW_MS = Date.UTC(2026, 0, 15, 12);
const fire = (id: string, minutesAgo: number) => ({
  ...{ id, alertId: `alert ${id}`, alertName: id, symbol: null, message: id },
  atMs: NOW_MS - minutesAgo * MINUTE_MS,
});
const ids = (firings: readonly { id: string }[]) => firings.map(({ id }) => id);

test("News are merged by their id, newest first, for a day", () => {
  const known = [fire("b", 5), fire("old", 25 * 60)];
  expect(ids(mergeFirings(known, { nowMs: NOW_MS, firings: [fire("a", 1), fire("b", 5)] }))).toEqual(["a", "b"]);
});

test("A firing is shown for ten minutes, unless it was closed or seen", () => {
  const firings = [fire("new", 1), fire("closed", 2), fire("seen", 5), fire("late", 11)];
  const state = { ...EMPTY_WATCH, closed: { closed: NOW_MS }, seenMs: 0 };
  expect(ids(findShown(firings, state, NOW_MS))).toEqual(["new", "seen"]);
  expect(ids(findUnseen(firings, state))).toEqual(["new", "seen", "late"]);
  expect(ids(findUnseen(firings, { ...state, seenMs: NOW_MS - 5 * MINUTE_MS }))).toEqual(["new"]);
});

test("A stored state that is broken or of another version is read as far as it is valid", () => {
  for (const text of [null, "", "{", "7", "null", '{"isOn":1,"closed":[],"seenMs":"x"}']) {
    expect(parseWatch(text)).toEqual(EMPTY_WATCH);
  }
  const state = { isOn: true, hasSound: true, seenMs: 5, closed: { a: 1 }, given: { b: NOW_MS } };
  expect(parseWatch(JSON.stringify(state))).toEqual(state);
  expect(parseWatch('{"closed":{"a":"x"}}').closed).toEqual({});
  expect(tidyWatch(state, NOW_MS)).toEqual({ ...state, closed: {} });
  expect(tidyWatch(state, NOW_MS + 3 * DAY_MS).given).toEqual({});
});
