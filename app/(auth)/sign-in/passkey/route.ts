import { refuse } from "@/features/session/data-route";
import { readPasskeySite } from "@/features/session/passkey-site";
import { requireOwnOrigin } from "@/features/session/visitor";
import { issuePasskeyBrowser } from "@/features/sign-in/second-step";
import { getRuntime } from "@/lib/runtime";

/** Answers with the challenge that a passkey signs to sign in. */
export async function POST(): Promise<Response> {
  await requireOwnOrigin();
  const site = await readPasskeySite();
  if (site === null) return refuse(404, "No passkeys at this address");
  const { passkeys } = await getRuntime();
  const challenge = await passkeys.beginSignIn(site, await issuePasskeyBrowser());
  return Response.json(challenge, { headers: { "Cache-Control": "no-store" } });
}
