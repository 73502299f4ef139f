import { SESSION_LIFE_MS, startSession } from "@/lib/access/sign-in/account-sessions";
import { createTickets, loadSessionSecret } from "@/lib/access/sign-in/tickets";
import type { Database } from "@/lib/platform/database/database";
import { systemClock } from "@/lib/platform/timing/clock";

/** The name of the session's cookie on a server without TLS. */
export const SESSION_COOKIE = "spotline-session";

/**
 * Signs an account of a running server in, without the pages of signing in, which take longer than most tests. Returns
 * the value of the session's cookie.
 */
export async function startTestSession(database: Database, accountId: string): Promise<string> {
  const secret = await loadSessionSecret(database);
  const sessions = createTickets({ secret, purpose: "session", now: systemClock, lifeMs: SESSION_LIFE_MS });
  const { token } = await startSession(database, { accountId, address: "127.0.0.1", userAgent: null }, systemClock());
  return sessions.issue({ accountId, token });
}
