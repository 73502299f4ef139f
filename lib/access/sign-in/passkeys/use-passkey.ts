import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { anonymous } from "@/lib/access/actor";
import { record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import type { PasskeyContext } from "@/lib/access/sign-in/passkeys/add-passkey";
import type { ChallengePurpose } from "@/lib/access/sign-in/passkeys/challenges";
import {
  type PasskeyAnswer,
  type PasskeyChallenge,
  type PasskeySite,
  toUserHandle,
} from "@/lib/access/sign-in/passkeys/passkey";
import { createRefusal, parseAuthentication } from "@/lib/access/sign-in/passkeys/responses";
import type { Logger } from "@/lib/platform/log/log";
import type { Passkey as PasskeyRow } from "@/prisma/generated/client";

export type RequestChallenge = PasskeyChallenge<PublicKeyCredentialRequestOptionsJSON>;

export interface PasskeyUse extends PasskeyAnswer {
  readonly purpose: Exclude<ChallengePurpose, "add">;
  /** The network address of the sender, if known. */
  readonly address: string | null;
}

/** What a browser needs to use a passkey: one of `accountId`, or one that its user chooses. */
export async function beginUse(
  { database, challenges }: PasskeyContext,
  site: PasskeySite,
  { purpose, boundTo, accountId }: Pick<PasskeyUse, "purpose" | "boundTo"> & { readonly accountId?: string },
): Promise<RequestChallenge> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const { challenge, ticket } = challenges.issue(purpose, boundTo);
  const own = accountId === undefined ? [] : await database.prisma.passkey.findMany({ where: { accountId } });
  const options = await generateAuthenticationOptions({
    rpID: site.host,
    challenge,
    userVerification: "required",
    allowCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
  return { options, ticket };
}

/**
 * Resolves with the passkey that signed the challenge, after its user was verified. Rejects with "passkey_refused" for
 * everything else, the same for an unknown passkey and a wrong signature.
 */
export async function verifyUse(context: PasskeyContext & { log?: Logger | undefined }, use: PasskeyUse) {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { site, ticket, purpose, boundTo } = use;
  const expectedChallenge = await context.challenges.redeem(ticket, purpose, boundTo);
  const response = parseAuthentication(use.response);
  const row = await context.database.prisma.passkey.findUnique({ where: { credentialId: response.id } });
  if (row === null || !isOwnHandle(response.response.userHandle, row, purpose)) throw createRefusal();
  const verification = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
    // The stored counter is compared below, in the statement that raises it.
    credential: { id: row.credentialId, publicKey: row.publicKey, counter: 0 },
  }).catch(() => null);
  if (verification?.verified !== true) throw createRefusal();
  const { newCounter, credentialBackedUp } = verification.authenticationInfo;
  await raiseCounter(context, use, row, { counter: newCounter, backedUp: credentialBackedUp });
  return row;
}

/** Whether the response names the account of the passkey. Only where the account is known may it name none. */
function isOwnHandle(handle: string | undefined, { accountId }: PasskeyRow, purpose: ChallengePurpose): boolean {
  if (handle === undefined) return purpose === "confirm";
  return Buffer.from(handle, "base64url").equals(toUserHandle(accountId));
}

/**
 * Stores the use. A counter that is not higher than the stored one means that somebody else has a copy of the passkey,
 * so it is refused and recorded. Authenticators that do not count always send 0.
 */
async function raiseCounter(
  { database, now, log }: PasskeyContext & { log?: Logger | undefined },
  { address }: PasskeyUse,
  { id, accountId, name }: PasskeyRow,
  { counter, backedUp }: { readonly counter: number; readonly backedUp: boolean },
): Promise<void> {
  const { count } = await database.prisma.passkey.updateMany({
    where: { id, counter: counter === 0 ? 0 : { lt: counter } },
    data: { counter, backedUp, lastUsedAt: new Date(now()) },
  });
  if (count === 1) return;
  const row = await database.prisma.passkey.findUnique({ where: { id } });
  // Null if it was removed in the meantime.
  if (row !== null) {
    log?.warn(
      { passkey: id, stored: Number(row.counter), received: counter },
      "a passkey was refused: its counter fell",
    );
    const after = { passkey: id, name, counter, stored_counter: Number(row.counter) };
    await change(database, (transaction) =>
      record(transaction, {
        atMs: now(),
        event: "account.refuse_passkey",
        by: anonymous(address),
        accountId,
        after,
      }),
    );
  }
  throw createRefusal();
}
