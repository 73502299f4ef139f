import { calendarTerms, readSeries } from "@/app/(dashboard)/calendar/sheet/read-sheet";
import { signedOutAnswer } from "@/app/(dashboard)/quotes/signed-out";
import { currentAccount } from "@/app/session";
import { getRuntime } from "@/lib/runtime";

/** What a series has released so far, for the chart in an open row. */
export async function GET(request: Request): Promise<Response> {
  const account = await currentAccount();
  if (account === null) return signedOutAnswer();
  const seriesId = new URL(request.url).searchParams.get("id") ?? "";
  const points = calendarTerms(account).actuals ? readSeries(await getRuntime(), seriesId) : [];
  return Response.json({ points }, { headers: { "Cache-Control": "no-store" } });
}
