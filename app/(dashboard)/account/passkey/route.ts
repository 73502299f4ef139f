import { refuse, refuseSignedOut } from "@/features/session/data-route";
import { readPasskeySite } from "@/features/session/passkey-site";
import { getCurrentAccount, getCurrentSession } from "@/features/session/session";
import { requireOwnOrigin } from "@/features/session/visitor";
import { getRuntime } from "@/lib/runtime";

/** Answers with the challenge that a passkey of the signed-in account signs to confirm a change. */
export async function POST(): Promise<Response> {
  await requireOwnOrigin();
  const [account, session] = [await getCurrentAccount(), await getCurrentSession()];
  if (account === null || session === null) return refuseSignedOut();
  const site = await readPasskeySite();
  if (site === null) return refuse(404, "No passkeys at this address");
  const challenge = await (await getRuntime()).passkeys.beginConfirmation(site, account.id, session.id);
  return Response.json(challenge, { headers: { "Cache-Control": "no-store" } });
}
