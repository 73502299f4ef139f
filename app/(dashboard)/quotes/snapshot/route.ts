import { readBoard } from "@/features/quotes/data";
import { currentAccount } from "@/features/session/session";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { getRuntime } from "@/lib/runtime";

/** The whole board once: what a browser asks for while it cannot hold a stream. */
export async function GET(): Promise<Response> {
  if ((await currentAccount()) === null) return signedOutAnswer();
  return Response.json(readBoard(await getRuntime()), { headers: { "Cache-Control": "no-store" } });
}
