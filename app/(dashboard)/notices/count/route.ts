import { currentAccount } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

/** How many notices are new to the visitor. */
export async function GET(): Promise<Response> {
  const account = await currentAccount();
  if (account === null) return new Response("Sign in first.\n", { status: 401 });
  const { notices } = await getRuntime();
  const count = await notices.countNew(account.id);
  return Response.json({ count }, { headers: { "Cache-Control": "private, no-store" } });
}
