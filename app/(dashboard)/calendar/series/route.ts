import { calendarTerms, readSeries } from "@/features/calendar/data";
import { currentAccount } from "@/features/session/session";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { getRuntime } from "@/lib/runtime";

/** What a series has released so far, for the chart in an open row. */
export async function GET(request: Request): Promise<Response> {
  const account = await currentAccount();
  if (account === null) return signedOutAnswer();
  const seriesId = new URL(request.url).searchParams.get("id") ?? "";
  const points = calendarTerms(account).actuals ? readSeries(await getRuntime(), seriesId) : [];
  return Response.json({ points }, { headers: { "Cache-Control": "no-store" } });
}
