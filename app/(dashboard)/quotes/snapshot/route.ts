import { readBoard } from "@/app/(dashboard)/quotes/board";
import { signedOutAnswer } from "@/app/(dashboard)/quotes/signed-out";
import { currentAccount } from "@/app/session";
import { getRuntime } from "@/lib/runtime";

/** The whole board once: what a browser asks for while it cannot hold a stream. */
export async function GET(): Promise<Response> {
  if ((await currentAccount()) === null) return signedOutAnswer();
  return Response.json(readBoard(await getRuntime()), { headers: { "Cache-Control": "no-store" } });
}
