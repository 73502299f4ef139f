import { readDays } from "@/app/(dashboard)/sessions/days/read-days";
import { signedOutAnswer } from "@/app/(dashboard)/quotes/signed-out";
import { currentAccount } from "@/app/session";
import { getRuntime } from "@/lib/runtime";

/** The sessions of the coming days, for a page that stays open. */
export async function GET(): Promise<Response> {
  if ((await currentAccount()) === null) return signedOutAnswer();
  return Response.json(readDays(await getRuntime()), { headers: { "Cache-Control": "no-store" } });
}
