import { expect, test } from "vitest";
import type { Calendar } from "@/lib/calendar/calendar";
import { createTestEvent } from "@/lib/calendar/event.fixture";
import { applyChanges, type Entry } from "@/lib/calendar/sorted-events";
import { hideUnreleased } from "@/lib/calendar/unreleased";

const utc = (text: string) => Date.parse(`${text}Z`);
const release = (id: string, time: string, figures: { previous: string; actual: string; revised?: string }) =>
  createTestEvent({ id, timeMs: utc(time), seriesId: "us-cpi", title: "CPI y/y", ...figures });

const byId = new Map<string, Entry>();
const sorted = applyChanges([], byId, [
  release("a", "2014-05-02T12:30", { previous: "1.0%", actual: "1.1%" }),
  release("b", "2014-06-02T12:30", { previous: "1.1%", actual: "1.2%", revised: "1.15%" }),
  release("c", "2014-07-02T12:30", { previous: "1.2%", actual: "1.3%" }),
  createTestEvent({
    id: "d",
    stream: "secondary",
    timeMs: utc("2014-06-02T12:30"),
    title: "CPI y/y",
    previous: "1.1%",
  }),
]);
const whole = {
  events: sorted,
  revision: 3,
  find: (id: string) => byId.get(id),
  readChanges: (ids: readonly string[]) =>
    Promise.resolve(
      new Map(
        ids.map((id) => [
          id,
          ["actual", "title"].map((field) => ({ field, before: null, after: "x", atMs: 0, origin: "file" })),
        ]),
      ),
    ),
} as unknown as Calendar;

function at(time: string) {
  const state = { nowMs: utc(time) };
  return { state, calendar: hideUnreleased(whole, () => state.nowMs) };
}
const figures = (calendar: Calendar) =>
  Object.fromEntries(
    calendar.events.map(({ event: { id, previous, revised, actual } }) => [id, [previous, revised, actual]]),
  );

test("A calendar in the past has no figure that is released later, not even as the previous one", () => {
  const { state, calendar } = at("2014-05-20T00:00");
  expect(figures(calendar)).toEqual({
    a: ["1.0%", null, "1.1%"],
    b: ["1.1%", null, null],
    c: ["", null, null],
    d: ["1.1%", null, null],
  });
  expect(calendar.find("b")?.event.actual).toBeNull();
  const before = calendar.revision;
  state.nowMs = utc("2014-06-02T12:30");
  expect(calendar.revision).toBeGreaterThan(before);
  expect(figures(calendar)).toMatchObject({ b: ["1.1%", "1.15%", "1.2%"], c: ["1.2%", null, null] });
});

test("Twins are hidden in the past too, and the history of an event has no later figure", async () => {
  const { calendar } = at("2014-05-20T00:00");
  const page = calendar.query({
    fromMs: 0,
    toMs: Infinity,
    newestFirst: false,
    currencies: null,
    impact: null,
    search: null,
    stream: null,
    offset: 0,
    limit: 10,
  });
  expect(page.shown.map(({ event }) => event.id)).toEqual(["a", "b", "c"]);
  const changes = await calendar.readChanges(["a", "b"]);
  expect(changes.get("a")?.map(({ field }) => field)).toEqual(["actual", "title"]);
  expect(changes.get("b")?.map(({ field }) => field)).toEqual(["title"]);
});
