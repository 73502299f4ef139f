import { currentAccount } from "@/features/session/session";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { readSheet } from "@/features/strength/data";
import { HEATMAP_TIMEFRAMES } from "@/lib/analytics/strength/heatmaps";
import { getRuntime } from "@/lib/runtime";

/** The strength of one timeframe, as the page asks for it again and again. */
export async function GET(request: Request): Promise<Response> {
  if ((await currentAccount()) === null) return signedOutAnswer();
  const asked = new URL(request.url).searchParams.get("timeframe");
  const timeframe = HEATMAP_TIMEFRAMES.find((each) => each === asked) ?? "H4";
  return Response.json(await readSheet(await getRuntime(), timeframe), { headers: { "Cache-Control": "no-store" } });
}
