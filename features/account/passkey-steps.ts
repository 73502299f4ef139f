import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import type { ActionCall } from "@/features/forms/caller";
import { CREATED_FIELDS, createNoSiteError, readPasskeyAnswer } from "@/features/forms/passkey-answer";
import { readPasskeySite } from "@/features/session/passkey-site";
import { isSecondFactorRequired } from "@/features/session/session";
import type { PasskeyChallenge } from "@/lib/access/sign-in/passkeys";

export interface PasskeyResult {
  /** What the browser needs to create the passkey. It then sends the form again. */
  readonly challenge?: PasskeyChallenge<PublicKeyCredentialCreationOptionsJSON>;
  /** The name of the passkey that was added. */
  readonly added?: string;
}

/** Carries out one of the two steps: prepares a passkey, or stores what the browser created. Throws an AccessError. */
export async function addPasskeyStep(call: ActionCall<"owner">): Promise<PasskeyResult> {
  const { form, account, actor, sessionId } = call;
  const { passkeys } = call.runtime;
  const site = await readPasskeySite();
  if (site === null) throw createNoSiteError();
  const name = form.text("name");
  const answer = readPasskeyAnswer(form, CREATED_FIELDS);
  if (answer === null) {
    const { email } = account;
    return { challenge: await passkeys.beginAdding({ site, email, name, session: sessionId }, actor) };
  }
  // Sessions that were opened with the password alone must not get past the required second factor by it.
  const endsSessionsBut = (await isSecondFactorRequired(account)) ? sessionId : undefined;
  await passkeys.add({ ...answer, site, name, boundTo: sessionId, endsSessionsBut }, actor);
  return { added: name.trim() };
}
