import { expect, test } from "vitest";
import {
  dropOld,
  findDue,
  formatFilter,
  NO_REMINDERS,
  parseReminders,
  writeFilter,
} from "@/features/calendar/reminders";
import type { PageEvent } from "@/features/calendar/types";
import { MINUTE_MS } from "@/lib/time/units";

const NOW_MS = Date.UTC(2026, 10, 23, 13, 25);
const create = (id: string, minutes: number, change: Partial<PageEvent> = {}): PageEvent => ({
  ...{ id, timeMs: NOW_MS + minutes * MINUTE_MS, certainty: "exact", hasHour: true, kind: "figure", currency: "USD" },
  ...{ title: "CPI", impact: "high", forecast: "", previous: "", revised: null, actual: null, outcome: null },
  ...{ stream: "primary", seriesId: null },
  ...change,
});

test("A reminder is due in the five minutes before its event", () => {
  const events = [create("past", 0), create("soon", 1), create("now", 5), create("later", 6)];
  const reminders = { ...NO_REMINDERS, filters: ["impact=high"] };
  expect(findDue(events, reminders, NOW_MS).map(({ id }) => id)).toEqual(["soon", "now"]);
  const closed = { ...reminders, closed: { soon: NOW_MS + MINUTE_MS } };
  expect(findDue(events, closed, NOW_MS).map(({ id }) => id)).toEqual(["now"]);
});

test("Reminders are of single events and of filters", () => {
  const events = [create("a", 3), create("b", 3, { currency: "EUR" }), create("c", 3, { impact: "low" })];
  const due = (reminders: object) => findDue(events, { ...NO_REMINDERS, ...reminders }, NOW_MS).map(({ id }) => id);
  expect(due({})).toEqual([]);
  expect(due({ events: { c: NOW_MS } })).toEqual(["c"]);
  expect(due({ filters: ["currencies=EUR", "impact=low&currencies=GBP"] })).toEqual(["b"]);
  expect(due({ filters: [""] })).toEqual(["a", "b", "c"]);
  expect(findDue([create("d", 3, { hasHour: false })], { ...NO_REMINDERS, filters: [""] }, NOW_MS)).toEqual([]);
});

test("A filter is stored as an address and shown in words", () => {
  const filter = { currencies: ["USD", "EUR"], impacts: ["high"], kinds: ["figure"], search: "cpi" } as const;
  expect(writeFilter(filter)).toBe("currencies=USD,EUR&impact=high&kind=figure&q=cpi");
  expect(formatFilter(writeFilter(filter))).toBe("High impact, figures, USD and EUR, “cpi” in the title");
  expect(formatFilter("")).toBe("All events");
});

test("What is stored is read with its bounds, and forgotten an hour after the event", () => {
  expect(parseReminders(null)).toEqual(NO_REMINDERS);
  expect(parseReminders("[]")).toEqual(NO_REMINDERS);
  const many = Array.from({ length: 9 }, (_, index) => `q=${index}`);
  const stored = { filters: [...many, 3], events: { a: NOW_MS, b: "x", c: NOW_MS - 61 * MINUTE_MS }, hasSound: true };
  const read = parseReminders(JSON.stringify(stored));
  expect(read).toMatchObject({ filters: many.slice(0, 5), hasSound: true });
  expect(Object.keys(read.events)).toEqual(["a", "c"]);
  expect(Object.keys(dropOld(read, NOW_MS).events)).toEqual(["a"]);
});
