import { signedOutAnswer } from "@/app/(dashboard)/quotes/signed-out";
import { currentAccount } from "@/app/session";
import { readSpreadTable } from "@/app/(dashboard)/spreads/read-spreads";
import { readView } from "@/components/spreads/spreads-url";
import { getRuntime } from "@/lib/runtime";

/** The compared symbols as they stand now. The query is the page's own. */
export async function GET(request: Request): Promise<Response> {
  if ((await currentAccount()) === null) return signedOutAnswer();
  const runtime = await getRuntime();
  const params = Object.fromEntries(new URL(request.url).searchParams);
  const { symbols, period } = readView(params, (spelling) => runtime.resolver.find(spelling)?.symbol);
  return Response.json(await readSpreadTable(runtime, symbols, period), { headers: { "Cache-Control": "no-store" } });
}
