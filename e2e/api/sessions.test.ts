import { expect, test } from "vitest";
import { readData, send } from "@/e2e/api/server";
import { sessionsReply } from "@/lib/api/quotes/replies";

interface Sessions {
  current_time: string;
  active_sessions: string[];
  sessions: Record<string, { status: string; opens_in?: string; closes_in?: string; weekend: boolean }>;
  overlaps: string[];
  next_major_event: { event: string; in: string };
}

test("/v1/sessions answers exactly the specified fields", async () => {
  const reply = await send("/v1/sessions");
  const data = readData<Sessions>(reply);
  expect(() => sessionsReply.parse(reply.json)).not.toThrow();
  expect(Object.keys(data)).toEqual(["current_time", "active_sessions", "sessions", "overlaps", "next_major_event"]);
  expect(Object.keys(data.sessions)).toEqual(["sydney", "tokyo", "london", "new_york"]);
  expect(Math.abs(Date.parse(data.current_time) - Date.now())).toBeLessThan(5_000);
  const open = Object.keys(data.sessions).filter((name) => data.sessions[name]?.status === "open");
  expect(data.active_sessions).toEqual(open);
});

test.each([
  ["2026-01-15T15:00:00Z", ["london", "new_york"], ["london_new_york"], "london_close", "2h 0m"],
  ["2026-01-15T08:30:00Z", ["tokyo", "london"], ["tokyo_london"], "tokyo_close", "30m"],
  ["2026-01-15T03:00:00Z", ["sydney", "tokyo"], ["sydney_tokyo"], "sydney_close", "4h 0m"],
  ["2026-07-15T12:30:00Z", ["london", "new_york"], ["london_new_york"], "london_close", "3h 30m"],
  ["2026-07-15T22:30:00", [], [], "sydney_open", "30m"],
  ["2026-01-17T12:00:00+02:00", [], [], "sydney_open", "1d 12h"],
  // Christmas is a Friday, and the Monday after it Boxing Day in Sydney.
  ["2026-12-25T12:00:00Z", [], [], "tokyo_open", "2d 12h"],
])(
  "At %s the sessions %j are open with the overlaps %j, and the next event is %s in %s",
  async (at, open, overlaps, event, wait) => {
    const data = readData<Sessions>(await send(`/v1/sessions?at=${encodeURIComponent(at)}`));
    expect(data.active_sessions).toEqual(open);
    expect(data.overlaps).toEqual(overlaps);
    expect(data.next_major_event).toEqual({ event, in: wait });
  },
);

test.each(["at=1970-01-01", "at=2100-12-31T23:59:59Z", "at=2026-01-16T22:00:00.000Z"])(
  "/v1/sessions?%s is answered",
  async (search) => {
    const reply = await send(`/v1/sessions?${search}`);
    expect(reply.status).toBe(200);
    expect(() => sessionsReply.parse(reply.json)).not.toThrow();
  },
);
