import { expect, test } from "vitest";
import { describeNear, findNear } from "@/components/shared/news-mark";
import { joinWindows, MARK_MARGINS } from "@/lib/calendar/news-window";
import { MINUTE_MS } from "@/lib/time/units";

const RELEASE = Date.UTC(2026, 10, 18, 13, 30);
const at = (minutes: number) => RELEASE + minutes * MINUTE_MS;
const event = (minutes: number, title: string) => ({ timeMs: at(minutes), currency: "USD", title });

test("A mark counts down to the next release, and is red from the window's first moment to its last", () => {
  const windows = joinWindows([event(0, "CPI (MoM)"), event(40, "Speech"), event(400, "Minutes")], MARK_MARGINS);
  const read = (minutes: number, ms = 0) => {
    const near = findNear(windows, at(minutes) + ms);
    return near && `${near.isInside ? "inside" : "near"}: ${describeNear(near)}`;
  };
  expect([read(-61), read(-60), read(-12, -1), read(-15, -1), read(0), read(5), read(40)]).toEqual([
    null,
    "near: USD CPI (MoM) in 60 min",
    "inside: USD CPI (MoM) in 13 min",
    "near: USD CPI (MoM) in 16 min",
    "inside: USD CPI (MoM) now",
    "inside: USD Speech in 35 min",
    "inside: USD Speech now",
  ]);
  expect([read(55, 1), read(70, -1), read(70)]).toEqual([
    "inside: USD Speech 15 min ago",
    "inside: USD Speech 29 min ago",
    null,
  ]);
});
