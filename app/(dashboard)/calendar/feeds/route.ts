import type { CalendarFeeds } from "@/features/calendar/calendar-feeds";
import { calendarTerms } from "@/features/calendar/data";
import { currentAccount } from "@/features/session/session";
import { apiOrigin } from "@/features/session/visitor";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { CALENDAR_FEED_PATH } from "@/lib/api/calendar/calendar-feed";
import { getRuntime } from "@/lib/runtime";

const headers = { "Cache-Control": "no-store" };

/** What the addresses of calendar feeds are made of: one for each key of the account that works. */
export async function GET(): Promise<Response> {
  const account = await currentAccount();
  if (account === null) return signedOutAnswer();
  if (!calendarTerms(account).calendar)
    return Response.json({ error: "Not part of the plan" }, { status: 403, headers });
  const { keys, directory, feedTokens } = await getRuntime();
  const feeds = (await keys.list(account.id)).flatMap(({ id, label, state }) => {
    const terms = directory.key(id)?.entitlements;
    if (state !== "active" || !terms?.calendar) return [];
    return [{ id, label, token: feedTokens.tokenOf(id), withActual: terms.actuals }];
  });
  const answer: CalendarFeeds = { address: (await apiOrigin()) + CALENDAR_FEED_PATH, feeds };
  return Response.json(answer, { headers });
}
