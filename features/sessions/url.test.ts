import { expect, test } from "vitest";
import {
  findMoment,
  formatMinutes,
  getShownDay,
  moveDay,
  readSessionsChoice,
  toSessionsHref,
} from "@/features/sessions/url";

const utc = (text: string) => Date.parse(`${text}Z`);
const SATURDAY_EVENING = utc("2026-11-21T20:10:30");
const find = (spelling: string) => (spelling.toLowerCase() === "gold" ? "XAUUSD" : undefined);
const DEFAULT = { zone: "UTC", day: null, at: null, symbol: "EURUSD" } as const;

test("The choice is read from the address written for it", () => {
  const choice = { zone: "Asia/Tokyo", day: "2026-11-24", at: "14:05", symbol: "gold" };
  expect(toSessionsHref(choice, "UTC")).toBe("/sessions?zone=Asia/Tokyo&day=2026-11-24&time=14:05&symbol=gold");
  expect(readSessionsChoice(choice, find, "UTC")).toEqual({ ...choice, symbol: "XAUUSD" });
  expect(toSessionsHref(DEFAULT, "UTC")).toBe("/sessions");
});

test("An address without a zone has the browser's own", () => {
  expect(readSessionsChoice({}, find, "Asia/Tokyo").zone).toBe("Asia/Tokyo");
  expect(readSessionsChoice({ zone: "UTC" }, find, "Asia/Tokyo").zone).toBe("UTC");
  expect(toSessionsHref(DEFAULT, "Asia/Tokyo")).toBe("/sessions?zone=UTC");
});

test("Invalid values are replaced by the defaults", () => {
  const invalid = { zone: "Mars/Base", day: "2026-02-30", at: "24:00", symbol: "nonsense" };
  expect(readSessionsChoice(invalid, find, "UTC")).toEqual(DEFAULT);
  expect(readSessionsChoice({ day: "1999-12-31", at: "7:30" }, find, "UTC")).toEqual(DEFAULT);
  expect(readSessionsChoice({ day: ["2026-11-24"], zone: ["UTC"] }, find, "UTC")).toEqual(DEFAULT);
});

test("The day is that of the present in the zone, unless the choice has one", () => {
  const tokyo = { ...DEFAULT, zone: "Asia/Tokyo" };
  expect(getShownDay(DEFAULT, SATURDAY_EVENING)).toBe("2026-11-21");
  expect(getShownDay(tokyo, SATURDAY_EVENING)).toBe("2026-11-22");
  expect(moveDay(tokyo, 1, SATURDAY_EVENING)).toBe("2026-11-23");
  expect(moveDay({ ...tokyo, day: "2026-11-23" }, -1, SATURDAY_EVENING)).toBeNull();
  expect(moveDay({ ...DEFAULT, day: "2028-02-28" }, 1, SATURDAY_EVENING)).toBe("2028-02-29");
});

test("The moment is the present until a day or a time is chosen", () => {
  expect(findMoment(DEFAULT, SATURDAY_EVENING)).toBe(SATURDAY_EVENING);
  expect(findMoment({ ...DEFAULT, at: "09:30" }, SATURDAY_EVENING)).toBe(utc("2026-11-21T09:30"));
  expect(findMoment({ ...DEFAULT, day: "2026-11-24" }, SATURDAY_EVENING)).toBe(utc("2026-11-24T20:00"));
  const newYork = { ...DEFAULT, zone: "America/New_York" };
  expect(findMoment({ ...newYork, day: "2026-07-01", at: "08:00" }, SATURDAY_EVENING)).toBe(utc("2026-07-01T12:00"));
  expect(findMoment({ ...newYork, day: "2026-12-01", at: "08:00" }, SATURDAY_EVENING)).toBe(utc("2026-12-01T13:00"));
});

test("Minutes are formatted as a time of day", () => {
  expect([0, 65, 1439].map(formatMinutes)).toEqual(["00:00", "01:05", "23:59"]);
});
