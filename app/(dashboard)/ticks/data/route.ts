import { currentAccount } from "@/features/session/session";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { readSheet } from "@/features/ticks/data";
import { readAsked } from "@/features/ticks/query";
import { getRuntime } from "@/lib/runtime";

/** Recorded prices of one symbol, for a browser that keeps them fresh. */
export async function GET(request: Request): Promise<Response> {
  const account = await currentAccount();
  if (account === null) return signedOutAnswer();
  const runtime = await getRuntime();
  const asked = readAsked(new URL(request.url).searchParams, runtime.resolver);
  if (asked === null) return Response.json({ error: "Unknown symbol" }, { status: 404 });
  const sheet = await readSheet(runtime, account, asked);
  return Response.json(sheet, { headers: { "Cache-Control": "no-store" } });
}
