import { calendarTerms, readSheet } from "@/features/calendar/data";
import { readChoice } from "@/features/calendar/url";
import { currentAccount } from "@/features/session/session";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { getRuntime } from "@/lib/runtime";

const headers = { "Cache-Control": "no-store" };

/** The calendar as the page asks for it again and again; no more than the time to who has the newest already. */
export async function GET(request: Request): Promise<Response> {
  const account = await currentAccount();
  if (account === null) return signedOutAnswer();
  const terms = calendarTerms(account);
  if (!terms.calendar) return Response.json({ error: "Not part of the plan" }, { status: 403, headers });
  const runtime = await getRuntime();
  const { search, searchParams } = new URL(request.url);
  if (searchParams.get("known") === `${runtime.calendar.revision}-${terms.actuals}`) {
    return Response.json({ nowMs: Math.floor(runtime.now()), unchanged: true }, { headers });
  }
  return Response.json(readSheet(runtime, readChoice(search), terms.actuals), { headers });
}
