import { currentAccount } from "@/features/session/session";
import { readDays } from "@/features/sessions/data";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { getRuntime } from "@/lib/runtime";

/** The sessions of the coming days, for a page that stays open. */
export async function GET(): Promise<Response> {
  if ((await currentAccount()) === null) return signedOutAnswer();
  return Response.json(readDays(await getRuntime()), { headers: { "Cache-Control": "no-store" } });
}
