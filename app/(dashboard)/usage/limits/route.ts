import { currentAccount } from "@/features/session/session";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { readLimits } from "@/features/usage/limits-data";
import { getRuntime } from "@/lib/runtime";

/** What the limits of the account of this session stand at, as its pages ask for it again and again. */
export async function GET(): Promise<Response> {
  const account = await currentAccount();
  if (account === null) return signedOutAnswer();
  const runtime = await getRuntime();
  const sheet = await readLimits(runtime, account, await runtime.keys.list(account.id));
  return Response.json(sheet, { headers: { "Cache-Control": "no-store" } });
}
