import { expect, test } from "vitest";
import { USUAL_SESSION_HOURS } from "@/lib/market/sessions/session-hours";
import { CITY_HOLIDAYS, createSessions } from "@/lib/market/sessions/sessions";
import { loadConfig } from "@/lib/platform/config";
import { corsSetting, sessionHolidaysSetting, sessionHoursSetting } from "@/lib/platform/settings/server-settings";

test("Hours that are set move one session and not the others", () => {
  const hours = sessionHoursSetting.parse("sydney=08:00-17:30 Australia/Sydney");
  expect(hours).toEqual({
    ...USUAL_SESSION_HOURS,
    sydney: { zone: "Australia/Sydney", opensAtMinute: 480, closesAtMinute: 1050 },
  });
  const { openAt } = createSessions({ hours, holidays: CITY_HOLIDAYS });
  // A Tuesday in January: 08:00 in Sydney is 21:00 UTC of the evening before, while New York is still open.
  expect(openAt(Date.parse("2026-01-12T21:00Z"))).toEqual(["sydney", "new_york"]);
});

test("A session can be fixed to UTC with a fixed zone", () => {
  const hours = sessionHoursSetting.parse("sydney=09:00-18:00 Etc/GMT-11");
  const { openAt } = createSessions({ hours, holidays: CITY_HOLIDAYS });
  expect(openAt(Date.parse("2026-07-14T22:00Z"))).toEqual(["sydney"]);
  expect(openAt(Date.parse("2026-07-15T07:00Z"))).toEqual(["tokyo", "london"]);
});

test("A session that would open during the weekend opens at its end", () => {
  const hours = sessionHoursSetting.parse("sydney=08:00-17:00 Australia/Sydney");
  const sessions = createSessions({ hours, holidays: CITY_HOLIDAYS });
  expect(sessions.openAt(Date.parse("2026-01-18T21:59:59.999Z"))).toEqual([]);
  expect(sessions.openAt(Date.parse("2026-01-18T22:00Z"))).toEqual(["sydney"]);
  // Saturday in Sydney: its session is closed, although it is still Friday in UTC.
  expect(sessions.openAt(Date.parse("2026-01-16T21:30Z"))).toEqual(["new_york"]);
});

test("Holidays that are set replace only those of the same city and year", () => {
  const holidays = sessionHolidaysSetting.parse("london=2026-05-04 2029-01-01, tokyo=2029-01-01");
  expect(holidays.london).toEqual({ ...CITY_HOLIDAYS.london, 2026: "05-04", 2029: "01-01" });
  expect(holidays.tokyo).toEqual({ ...CITY_HOLIDAYS.tokyo, 2029: "01-01" });
  expect(holidays.new_york).toEqual(CITY_HOLIDAYS.new_york);
});

test.each([
  "paris=09:00-18:00 Europe/Paris",
  "london=09:00-18:00",
  "london=18:00-09:00 Europe/London",
  "london=09:00-24:01 Europe/London",
  "london=09:00-18:00 Europe/Londres",
  "london",
])("The hours %j are refused with an example of their format", (text) => {
  expect(() => sessionHoursSetting.parse(text)).toThrow(/must be like sydney=/);
});

test.each(["paris=2026-05-04", "london=04.05.2026", "london=", "london=2026-02-30"])(
  "refuses the holidays %j",
  (text) => {
    expect(() => sessionHolidaysSetting.parse(text)).toThrow();
  },
);

const TOKEN = "t".repeat(32);
const read = (env: Record<string, string>) => loadConfig(env).metrics;

test("Metrics are off, at the public port with a token, or at a port of their own.", () => {
  expect(read({})).toBeNull();
  expect(read({ SPOTLINE_METRICS_HOST: "0.0.0.0" })).toBeNull();
  expect(read({ SPOTLINE_METRICS_TOKEN: TOKEN })).toEqual({ token: TOKEN, own: null });
  const own = { port: 9464, host: "127.0.0.1" };
  expect(read({ SPOTLINE_METRICS_PORT: "9464" })).toEqual({ token: null, own });
  expect(read({ SPOTLINE_METRICS_PORT: "9464", SPOTLINE_METRICS_TOKEN: TOKEN })).toEqual({ token: TOKEN, own });
});

test.each([
  ["SPOTLINE_METRICS_PORT", "65536"],
  ["SPOTLINE_METRICS_PORT", "-1"],
  ["SPOTLINE_METRICS_PORT", "no"],
  ["SPOTLINE_METRICS_TOKEN", "short"],
  ["SPOTLINE_METRICS_TOKEN", `${TOKEN} x`],
])("%s refuses %j by its name.", (name, value) => {
  expect(() => read({ [name]: value })).toThrow(name);
});

test.each([
  ["", null],
  [" , ", null],
  ["*", "*"],
  ["https://app.example.com", new Set(["https://app.example.com"])],
  [
    "https://APP.example.com:443/, http://localhost:5173",
    new Set(["https://app.example.com", "http://localhost:5173"]),
  ],
])("The setting %j is %j", (text, expected) => expect(corsSetting.parse(text)).toEqual(expected));

test.each([
  "app.example.com",
  "https://app.example.com/page",
  "https://user@app.example.com",
  "ftp://x",
  "null",
  "https://*",
])("%s is refused by its name", (text) => {
  const { error } = corsSetting.safeParse(`https://ok.example, ${text}`);
  expect(error?.issues[0]?.message).toContain(JSON.stringify(text));
});
