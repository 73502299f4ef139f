import { describe, expect, test } from "vitest";
import { SESSION_NAMES, type SessionName, USUAL_SESSION_HOURS } from "@/lib/market/sessions/session-hours";
import { CITY_HOLIDAYS, createSessions, getOpenSessions } from "@/lib/market/sessions/sessions";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const utc = (text: string) => Date.parse(`${text}Z`);

/** UTC open and close hours; Sydney's opening belongs to the evening before the local date. */
const expected: readonly [date: string, hours: Record<SessionName, readonly [number, number]>][] = [
  ["2026-01-15", { sydney: [22, 7], tokyo: [0, 9], london: [8, 17], new_york: [13, 22] }],
  ["2026-03-16", { sydney: [22, 7], tokyo: [0, 9], london: [8, 17], new_york: [12, 21] }],
  ["2026-04-15", { sydney: [23, 8], tokyo: [0, 9], london: [7, 16], new_york: [12, 21] }],
  ["2026-07-15", { sydney: [23, 8], tokyo: [0, 9], london: [7, 16], new_york: [12, 21] }],
  ["2026-10-15", { sydney: [22, 7], tokyo: [0, 9], london: [7, 16], new_york: [12, 21] }],
  ["2026-10-28", { sydney: [22, 7], tokyo: [0, 9], london: [8, 17], new_york: [12, 21] }],
  ["2026-11-16", { sydney: [22, 7], tokyo: [0, 9], london: [8, 17], new_york: [13, 22] }],
];

describe.each(expected)("on %s", (date, hours) => {
  test.each(Object.entries(hours))(
    "%s opens and closes on the expected UTC hours, half-open",
    (name, [opens, closes]) => {
      const midnightMs = utc(`${date}T00:00`);
      const opensMs = midnightMs + (opens > closes ? opens - 24 : opens) * HOUR_MS;
      const closesMs = midnightMs + closes * HOUR_MS;
      const isOpen = (atMs: number) => getOpenSessions(atMs).some((open) => open === name);
      expect([isOpen(opensMs - 1), isOpen(opensMs), isOpen(closesMs - 1), isOpen(closesMs)]).toEqual([
        false,
        true,
        true,
        false,
      ]);
    },
  );
});

test("A session that crosses UTC midnight is the one that began the evening before", () => {
  expect(getOpenSessions(utc("2026-01-15T03:00"))).toEqual(["sydney", "tokyo"]);
});

test("No session is open from Friday 22:00 to Sunday 22:00 UTC", () => {
  for (let atMs = utc("2026-01-16T22:00"); atMs < utc("2026-01-18T22:00"); atMs += HOUR_MS) {
    expect(getOpenSessions(atMs)).toEqual([]);
  }
  expect(getOpenSessions(utc("2026-01-16T21:59:59.999"))).toEqual(["new_york"]);
  expect(getOpenSessions(utc("2026-01-18T22:00"))).toEqual(["sydney"]);
  expect(getOpenSessions(utc("2026-07-12T22:00"))).toEqual([]);
  expect(getOpenSessions(utc("2026-07-12T23:00"))).toEqual(["sydney"]);
});

const sessions = createSessions({ hours: USUAL_SESSION_HOURS, holidays: CITY_HOLIDAYS });

/** A second implementation: the wall clock of each city, read from Intl for every moment. */
const readers = new Map(
  SESSION_NAMES.map((name) => [
    name,
    new Intl.DateTimeFormat("en-GB", {
      timeZone: USUAL_SESSION_HOURS[name].zone,
      weekday: "short",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      hourCycle: "h23",
    }),
  ]),
);
const localHours = { sydney: [9, 18], tokyo: [9, 18], london: [8, 17], new_york: [8, 17] } as const;

function isOpenByTheBook(name: SessionName, atMs: number): boolean {
  const inUtc = new Date(atMs);
  const hourOfWeek = inUtc.getUTCDay() * 24 + inUtc.getUTCHours();
  if (hourOfWeek >= 5 * 24 + 22 || hourOfWeek < 22) return false;
  const marketDay = new Date(atMs + 2 * HOUR_MS).toISOString().slice(5, 10);
  if (marketDay === "01-01" || marketDay === "12-25") return false;
  // Such as "Thu, 15/01/2026, 09".
  const [, weekday = "", day, month, year, hourText] =
    /^(\w+), (\d+)\/(\d+)\/(\d+), (\d+)$/.exec(readers.get(name)?.format(inUtc) ?? "") ?? [];
  const hour = Number(hourText);
  if (Number.isNaN(hour)) throw new Error("Intl writes times in another way");
  if (weekday.startsWith("S")) return false;
  const holidays = CITY_HOLIDAYS[name][Number(year)] ?? "";
  if (holidays.includes(`${month}-${day}`)) return false;
  return localHours[name][0] <= hour && hour < localHours[name][1];
}

test("The sessions agree with each city's clock in every hour of two years, and in every minute around a change", () => {
  const openByTheBook = (atMs: number) => SESSION_NAMES.filter((name) => isOpenByTheBook(name, atMs)).join();
  const compare = (atMs: number, expectedOpen: string) => {
    const open = getOpenSessions(atMs).join();
    if (open !== expectedOpen) throw new Error(`${new Date(atMs).toISOString()}: ${open} rather than ${expectedOpen}`);
  };
  let before = openByTheBook(utc("2026-01-01T00:00"));
  let changes = 0;
  for (let atMs = utc("2026-01-01T00:00"); atMs < utc("2028-01-01T00:00"); atMs += HOUR_MS) {
    const expectedOpen = openByTheBook(atMs);
    compare(atMs, expectedOpen);
    if (expectedOpen === before) continue;
    before = expectedOpen;
    changes++;
    for (let minute = -6; minute <= 5; minute++) {
      const fromMs = atMs + minute * MINUTE_MS;
      // A city's hour never changes within a minute.
      const openInMinute = openByTheBook(fromMs);
      compare(fromMs, openInMinute);
      compare(fromMs + MINUTE_MS - 1, openInMinute);
    }
  }
  expect(changes).toBeGreaterThan(3_000);
});

test("No clock change shortens a session: each lasts nine hours", () => {
  const spans = sessions.between(utc("2026-01-01T22:00"), utc("2027-12-31T22:00"));
  for (const name of SESSION_NAMES) {
    const closedOn = ["2026-01-01", "2026-12-25", "2027-01-01"];
    for (const year of [2026, 2027]) {
      closedOn.push(...(CITY_HOLIDAYS[name][year] ?? "").split(" ").map((day) => `${year}-${day}`));
    }
    expect(new Set(spans[name].open.map(({ fromMs, untilMs }) => untilMs - fromMs))).toEqual(new Set([9 * HOUR_MS]));
    const weekdays = 2 * 261;
    expect(spans[name].open.length).toBe(weekdays - new Set(closedOn).size);
  }
});

test("Each session has its next change, and the soonest change of all is returned too", () => {
  // Thursday 09:45 UTC in January: London is open, Tokyo has closed, New York opens at 13:00.
  const at = sessions.at(utc("2026-01-15T09:45"));
  expect(at).toMatchObject({ isWeekend: false, open: ["london"], overlaps: [] });
  expect(at.states).toEqual({
    sydney: { isOpen: false, changesAtMs: utc("2026-01-15T22:00") },
    tokyo: { isOpen: false, changesAtMs: utc("2026-01-16T00:00") },
    london: { isOpen: true, changesAtMs: utc("2026-01-15T17:00") },
    new_york: { isOpen: false, changesAtMs: utc("2026-01-15T13:00") },
  });
  expect(at.next).toEqual({ event: "new_york_open", atMs: utc("2026-01-15T13:00") });
});

test("The opening comes next when an opening and a close are at the same moment", () => {
  expect(sessions.at(utc("2026-01-15T21:30")).next).toEqual({ event: "sydney_open", atMs: utc("2026-01-15T22:00") });
  expect(sessions.at(utc("2026-01-16T21:30")).next).toEqual({ event: "new_york_close", atMs: utc("2026-01-16T22:00") });
});

test.each([
  ["2026-01-15T03:00", ["sydney_tokyo"]],
  ["2026-01-15T08:30", ["tokyo_london"]],
  ["2026-01-15T15:00", ["london_new_york"]],
  ["2026-01-15T12:59", []],
  ["2026-07-15T07:30", ["sydney_tokyo", "sydney_london", "tokyo_london"]],
  ["2026-07-15T08:30", ["tokyo_london"]],
  ["2026-07-15T12:00", ["london_new_york"]],
  ["2026-03-16T12:00", ["london_new_york"]],
  ["2026-01-17T12:00", []],
])("At %s the overlaps are %j", (time, overlaps) => expect(sessions.at(utc(time)).overlaps).toEqual(overlaps));

test("A bank holiday closes its own city and no other", () => {
  // Early May: London has a holiday, New York does not. Golden Week closes Tokyo for three days.
  expect(sessions.at(utc("2026-05-04T12:30")).open).toEqual(["new_york"]);
  expect(sessions.at(utc("2026-05-04T12:30")).states.london.changesAtMs).toBe(utc("2026-05-05T07:00"));
  expect(sessions.at(utc("2026-05-04T03:00")).states.tokyo.changesAtMs).toBe(utc("2026-05-07T00:00"));
  // Good Friday: Sydney and London closed, Tokyo and New York open.
  expect(sessions.openAt(utc("2026-04-03T01:00"))).toEqual(["tokyo"]);
  expect(sessions.openAt(utc("2026-04-03T12:30"))).toEqual(["new_york"]);
});

test("No session is open on the market's holidays, from 22:00 UTC of the evening before to 22:00 of the day", () => {
  // 2025: both fall on a Thursday. New York's last hours before them and Sydney's next day are open, except on city
  // holidays.
  expect(sessions.openAt(utc("2025-12-24T21:59"))).toEqual(["new_york"]);
  for (let atMs = utc("2025-12-24T22:00"); atMs < utc("2025-12-25T22:00"); atMs += HOUR_MS) {
    expect(sessions.openAt(atMs)).toEqual([]);
  }
  expect(sessions.openAt(utc("2025-12-26T00:00"))).toEqual(["tokyo"]);
  expect(sessions.openAt(utc("2026-01-01T21:59"))).toEqual([]);
  expect(sessions.openAt(utc("2026-01-01T22:00"))).toEqual(["sydney"]);
});

test("Hours that a holiday removed are listed apart from the open ones", () => {
  const { london, new_york: newYork } = sessions.between(utc("2026-05-04T00:00"), utc("2026-05-05T00:00"));
  expect(london).toEqual({
    open: [],
    holidays: [{ fromMs: utc("2026-05-04T07:00"), untilMs: utc("2026-05-04T16:00") }],
  });
  expect(newYork.holidays).toEqual([]);
});

test("Bank holidays are existing weekdays, in order, four years of each city", () => {
  for (const byYear of Object.values(CITY_HOLIDAYS)) {
    expect(Object.keys(byYear)).toEqual(["2025", "2026", "2027", "2028"]);
    for (const [year, list] of Object.entries(byYear)) {
      const days = list.split(" ");
      expect(days).toEqual([...new Set(days)].sort());
      for (const day of days) {
        const date = new Date(`${year}-${day}`);
        expect(date.toISOString().slice(0, 10)).toBe(`${year}-${day}`);
        expect(date.getUTCDay() % 6, `${year}-${day} is a weekend`).not.toBe(0);
      }
    }
  }
});
