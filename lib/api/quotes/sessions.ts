import * as z from "zod";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { createEtag } from "@/lib/api/engine/etag";
import { timeParam } from "@/lib/api/engine/params";
import { sessionsReply, sessionsTable } from "@/lib/api/quotes/replies";
import { mapSessions, type Sessions, type SessionsAt } from "@/lib/market/sessions/sessions";
import { formatWait } from "@/lib/time/duration";
import { MINUTE_MS } from "@/lib/time/units";

export const sessions = defineEndpoint({
  method: "GET",
  path: "/v1/sessions",
  summary: "Which trading sessions are open, which overlap, and what opens or closes next.",
  group: "Calendar and sessions",
  access: "any-key",
  weight: 1,
  query: z.object({
    at: timeParam.optional().meta({ description: "Another moment to look at; now when left out." }),
  }),
  reply: sessionsReply,
  table: sessionsTable,
  headers: ["ETag"],

  handle({ query, services }) {
    const atMs = query.at ?? Math.floor(services.marketNow());
    const rest =
      query.at === undefined ? writeRestOfMinute(services.sessions, atMs) : writeRest(services.sessions, atMs);
    const body = `{"success":true,"data":{"current_time":"${new Date(atMs).toISOString()}"${rest}`;
    // The sessions of a named moment stay as they are; those of now change with the clock.
    return { body, isAscii: true, etag: query.at === undefined ? undefined : createEtag(body) };
  },
});

/** The part of the body after the current time, which stays the same for a minute. */
let written: { readonly sessions: Sessions; readonly minute: number; readonly rest: string } | null = null;

function writeRestOfMinute(sessions: Sessions, atMs: number): string {
  const minute = Math.floor(atMs / MINUTE_MS);
  // At the exact start of a minute every wait is one minute longer than during the rest of it.
  if (atMs === minute * MINUTE_MS) return writeRest(sessions, atMs);
  if (written?.minute !== minute || written.sessions !== sessions) {
    written = { sessions, minute, rest: writeRest(sessions, atMs) };
  }
  return written.rest;
}

function writeRest(sessions: Sessions, atMs: number): string {
  const at = sessions.at(atMs);
  const { open, overlaps, next } = at;
  const data = {
    active_sessions: open,
    sessions: mapSessions((name) => describe(at, name, atMs)),
    overlaps,
    next_major_event: { event: next.event, in: formatWait(next.atMs - atMs) },
  };
  return `,${JSON.stringify(data).slice(1)}}`;
}

/** At the weekend all sessions count to Sydney, which opens the market on Sunday unless it has a holiday. */
function describe({ isWeekend, states, next }: SessionsAt, name: keyof SessionsAt["states"], atMs: number) {
  const { isOpen, changesAtMs } = states[name];
  if (isOpen) return { status: "open", closes_in: formatWait(changesAtMs - atMs), weekend: isWeekend };
  const opensAtMs = isWeekend && next.event === "sydney_open" ? next.atMs : changesAtMs;
  return {
    status: "closed",
    opens_in: formatWait(opensAtMs - atMs),
    session_opens_in: formatWait(changesAtMs - atMs),
    weekend: isWeekend,
  };
}
