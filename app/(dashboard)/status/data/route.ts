import { currentAccount } from "@/features/session/session";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { readStatusData } from "@/features/status/data";
import { getRuntime } from "@/lib/runtime";

const headers = { "Cache-Control": "no-store" };

/** The status page's figures, as it asks for them again and again; nothing to whoever is no operator. */
export async function GET(request: Request): Promise<Response> {
  const runtime = await getRuntime();
  if (!runtime.operatorTickets.admits(request.headers.get("authorization"))) {
    const account = await currentAccount();
    if (account === null) return signedOutAnswer();
    if (account.role !== "operator") return Response.json({ error: "Not found" }, { status: 404, headers });
  }
  return Response.json(await readStatusData(runtime), { headers });
}
