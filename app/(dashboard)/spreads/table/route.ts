import { currentAccount } from "@/features/session/session";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { readSpreadTable } from "@/features/spreads/data";
import { readView } from "@/features/spreads/url";
import { getRuntime } from "@/lib/runtime";

/** The compared symbols as they stand now. The query is the page's own. */
export async function GET(request: Request): Promise<Response> {
  if ((await currentAccount()) === null) return signedOutAnswer();
  const runtime = await getRuntime();
  const params = Object.fromEntries(new URL(request.url).searchParams);
  const { symbols, period } = readView(params, (spelling) => runtime.resolver.find(spelling)?.symbol);
  return Response.json(await readSpreadTable(runtime, symbols, period), { headers: { "Cache-Control": "no-store" } });
}
