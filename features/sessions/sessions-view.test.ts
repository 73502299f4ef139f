import { expect, test } from "vitest";
import type { ClockChange } from "@/features/sessions/session-days";
import { formatClockNote, formatHours } from "@/features/sessions/sessions-view";

const utc = (text: string) => Date.parse(`${text}Z`);
const spring: readonly ClockChange[] = [
  { name: "new_york", atMs: utc("2026-03-08T07:00"), date: "8 March", before: "13:00–22:00", after: "12:00–21:00" },
  { name: "london", atMs: utc("2026-03-29T01:00"), date: "29 March", before: "08:00–17:00", after: "07:00–16:00" },
  { name: "sydney", atMs: utc("2026-04-04T16:00"), date: "5 April", before: "22:00–07:00", after: "23:00–08:00" },
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

test("The note says how each change moves its session", () => {
  const lines = spring.map((change) => formatHours(change, utc("2026-03-20T12:00")));
  expect(lines).toEqual([
    "New York: 12:00–21:00 UTC since 8 March, 13:00–22:00 before.",
    "London: 08:00–17:00 UTC until 29 March, 07:00–16:00 from then on.",
    "Sydney: 22:00–07:00 UTC until 5 April, 23:00–08:00 from then on.",
  ]);
});
