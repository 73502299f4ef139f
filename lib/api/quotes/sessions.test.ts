import { expect, test } from "vitest";
import { readDays } from "@/features/sessions/data";
import { getStatus } from "@/features/sessions/session-days";
import type { HandlerRequest } from "@/lib/api/engine/endpoint";
import { sessionsReply } from "@/lib/api/quotes/replies";
import { sessions } from "@/lib/api/quotes/sessions";
import { USUAL_SESSION_HOURS } from "@/lib/market/sessions/session-hours";
import { CITY_HOLIDAYS, createSessions } from "@/lib/market/sessions/sessions";
import { formatWait } from "@/lib/time/duration";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const calendar = createSessions({ hours: USUAL_SESSION_HOURS, holidays: CITY_HOLIDAYS });
const utc = (text: string) => Date.parse(`${text}Z`);

/** Calls the endpoint at a time, which is either the current time or the parameter `at`. */
function answer(time: string, timeFrom: "clock" | "at" = "clock") {
  const query = timeFrom === "clock" ? {} : { at: utc(time) };
  const services = { sessions: calendar, marketNow: () => utc(timeFrom === "clock" ? time : "2026-06-06T06:06:06") };
  const { body } = sessions.handle({ query, services } as unknown as HandlerRequest<unknown, unknown>) as {
    body: string;
  };
  const reply: unknown = JSON.parse(body);
  return (sessionsReply.parse(reply) as { data: Record<string, unknown> }).data;
}

test("The answer lists the four sessions, the overlaps and the next event", () => {
  expect(answer("2026-01-15T14:29:30.250")).toEqual({
    current_time: "2026-01-15T14:29:30.250Z",
    active_sessions: ["london", "new_york"],
    sessions: {
      sydney: { status: "closed", opens_in: "7h 30m", session_opens_in: "7h 30m", weekend: false },
      tokyo: { status: "closed", opens_in: "9h 30m", session_opens_in: "9h 30m", weekend: false },
      london: { status: "open", closes_in: "2h 30m", weekend: false },
      new_york: { status: "open", closes_in: "7h 30m", weekend: false },
    },
    overlaps: ["london_new_york"],
    next_major_event: { event: "london_close", in: "2h 30m" },
  });
});

test("Over the weekend every session counts to Sydney, which opens the market, and beside it to its own opening", () => {
  expect(answer("2026-01-17T12:00")).toMatchObject({
    active_sessions: [],
    sessions: {
      sydney: { status: "closed", opens_in: "1d 10h", session_opens_in: "1d 10h", weekend: true },
      tokyo: { status: "closed", opens_in: "1d 10h", session_opens_in: "1d 12h", weekend: true },
      london: { status: "closed", opens_in: "1d 10h", session_opens_in: "1d 20h", weekend: true },
      // Monday is Martin Luther King's day.
      new_york: { status: "closed", opens_in: "1d 10h", session_opens_in: "3d 1h", weekend: true },
    },
    overlaps: [],
    next_major_event: { event: "sydney_open", in: "1d 10h" },
  });
});

test("The dashboard shows the same next change of every session, over weekends, holidays and clock changes", () => {
  for (let atMs = utc("2026-01-01T00:30"); atMs < utc("2027-02-01T00:00"); atMs += 5 * HOUR_MS + 7 * MINUTE_MS) {
    const { sessions: answered } = answer(new Date(atMs).toISOString().slice(0, -1)) as {
      sessions: Record<string, { session_opens_in?: string; closes_in?: string }>;
    };
    const days = readDays({ sessions: calendar, marketNow: () => atMs }, null);
    for (const line of days.sessions) {
      const { changesAtMs } = getStatus(line, atMs);
      const { session_opens_in: opensIn, closes_in: closesIn } = answered[line.name] ?? {};
      expect(opensIn ?? closesIn, `${line.name} ${new Date(atMs).toISOString()}`).toBe(
        formatWait((changesAtMs ?? NaN) - atMs),
      );
    }
  }
});

test("Over a weekend before a holiday in Sydney the other sessions count to their own opening", () => {
  // 26 January 2026 is a Monday, and Australia Day.
  expect(answer("2026-01-25T21:30")).toMatchObject({
    sessions: { sydney: { opens_in: "1d 0h" }, tokyo: { opens_in: "2h 30m" }, london: { opens_in: "10h 30m" } },
    next_major_event: { event: "tokyo_open", in: "2h 30m" },
  });
});

test("A session opens at the exact start of its minute, even if the minute before was answered", () => {
  expect(answer("2026-01-15T07:59:59.999")).toMatchObject({
    active_sessions: ["tokyo"],
    sessions: { london: { opens_in: "<1m" } },
  });
  expect(answer("2026-01-15T08:00:00.000")).toMatchObject({
    active_sessions: ["tokyo", "london"],
    sessions: { london: { closes_in: "9h 0m" } },
  });
  expect(answer("2026-01-15T08:00:00.001")).toMatchObject({ sessions: { london: { closes_in: "8h 59m" } } });
  expect(answer("2026-01-15T08:00:00.000")).toMatchObject({ sessions: { london: { closes_in: "9h 0m" } } });
});

test("An answer for another time does not change the following answers for the current time", () => {
  const now = answer("2026-01-15T14:29:30.250");
  expect(answer("2026-07-15T07:30", "at")).toMatchObject({
    current_time: "2026-07-15T07:30:00.000Z",
    overlaps: ["sydney_tokyo", "sydney_london", "tokyo_london"],
  });
  expect(answer("2026-01-15T14:29:30.250")).toEqual(now);
});
