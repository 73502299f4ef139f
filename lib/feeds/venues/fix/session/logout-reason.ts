import { VenueError } from "@/lib/feeds/live/connector";
import type { FixMessage } from "@/lib/feeds/venues/fix/messages/fix-message";
import { TAG } from "@/lib/feeds/venues/fix/messages/tags";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** LMAX refuses logons for this long after too many messages. */
const RATE_PAUSE_MS = 15 * SECOND_MS;

/** SessionStatus (1409): wrong username or password, locked account, expired password. */
const FINAL_STATUSES: ReadonlySet<string> = new Set(["5", "6", "8"]);
/** SessionStatus: logons are not allowed at this time. */
const CLOSED_STATUS = "7";

// FIX 4.4 has no codes for these reasons, so the text decides.
const LATER = /\b(later|again|temporar\w*|unavailable)\b/i;
const RATE = /\brate\b|too many|throttl/i;
const CLOSED = /session time|not within|outside|not allowed at th|out of (hours|session)/i;
const FINAL =
  /passw|user ?name|user ?id|credential|authenticat|authori[sz]|comp ?id|sub ?id|invalid[ _](login|user|data|account)|no[ _]such[ _]login|account[ _](is )?(disabled|locked)/i;

/** Makes of a venue's Logout, or of its Reject of a logon, the reason why the connection ends. */
export function describeLogout(message: FixMessage, isLoggedOn: boolean): VenueError {
  const text = message.readText(TAG.text);
  const status = message.get(TAG.sessionStatus) ?? "";
  const reason = text || (status === "" ? "no reason given" : `session status ${status}`);
  if (RATE.test(text)) {
    return new VenueError(`the venue's limit of messages was exceeded: ${reason}`, { retryAfterMs: RATE_PAUSE_MS });
  }
  if (isLoggedOn) return new VenueError(`the venue logged out: ${reason}`);
  if (status === CLOSED_STATUS || CLOSED.test(text)) {
    return new VenueError(`the venue's session is closed now: ${reason}`, { retryAfterMs: MINUTE_MS });
  }
  const isFinal = FINAL_STATUSES.has(status) || (FINAL.test(text) && !LATER.test(text));
  return new VenueError(`the venue refused the logon: ${reason}`, { isFinal, retryAfterMs: RATE_PAUSE_MS });
}
