import { expect, test } from "vitest";
import { formatClockNote } from "@/features/sessions/clock-note";
import type { ClockChange } from "@/features/sessions/session-days";

const utc = (text: string) => Date.parse(`${text}Z`);
const spring: readonly ClockChange[] = [
  { name: "new_york", atMs: utc("2026-03-08T07:00"), date: "8 March" },
  { name: "london", atMs: utc("2026-03-29T01:00"), date: "29 March" },
  { name: "sydney", atMs: utc("2026-04-04T16:00"), date: "5 April" },
];

test("The note appears only between the first and the last clock change of a season", () => {
  expect(formatClockNote(spring, utc("2026-03-08T06:59"))).toBe("");
  expect(formatClockNote(spring, utc("2026-03-08T07:00"))).toMatch(
    /^Clocks changed in New York on 8 March and will change in London on 29 March and Sydney on 5 April\./,
  );
  expect(formatClockNote(spring, utc("2026-04-01T00:00"))).toMatch(/^Clocks changed in New York on 8 March and London/);
  expect(formatClockNote(spring, utc("2026-04-04T16:00"))).toBe("");
  expect(formatClockNote([], utc("2026-07-01T00:00"))).toBe("");
});
