import { expect, test } from "vitest";
import { type DataOf, readData, send } from "@/e2e/api/server";
import type { sessionsReply } from "@/lib/api/quotes/replies";

type Sessions = DataOf<typeof sessionsReply>;

test("/v1/sessions answers exactly the specified fields", async () => {
  const reply = await send("/v1/sessions");
  const data = readData<Sessions>(reply);
  expect(Object.keys(data)).toEqual(["current_time", "active_sessions", "sessions", "overlaps", "next_major_event"]);
  expect(Object.keys(data.sessions)).toEqual(["sydney", "tokyo", "london", "new_york"]);
  expect(Math.abs(Date.parse(data.current_time) - Date.now())).toBeLessThan(5_000);
  const open = Object.keys(data.sessions).filter(
    (name) => data.sessions[name as keyof Sessions["sessions"]].status === "open",
  );
  expect(data.active_sessions).toEqual(open);
});
