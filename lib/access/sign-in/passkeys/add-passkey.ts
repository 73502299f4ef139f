import type { PublicKeyCredentialCreationOptionsJSON, WebAuthnCredential } from "@simplewebauthn/server";
import { AccessError } from "@/lib/access/access-error";
import type { SignedIn } from "@/lib/access/actor";
import { record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import { endSessions } from "@/lib/access/sign-in/account-session";
import type { Challenges } from "@/lib/access/sign-in/passkeys/challenges";
import {
  checkName,
  type PasskeyAnswer,
  type PasskeyChallenge,
  type PasskeySite,
  toUserHandle,
} from "@/lib/access/sign-in/passkeys/passkey";
import { createRefusal, parseRegistration } from "@/lib/access/sign-in/passkeys/responses";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";

/** What the functions on passkeys work with. */
export interface PasskeyContext {
  readonly database: Database;
  readonly now: Clock;
  readonly challenges: Challenges;
}

export interface PasskeyRequest {
  readonly site: PasskeySite;
  /** By which authenticators list the passkey. */
  readonly email: string;
  readonly name: string;
  /** The id of the browser's session. */
  readonly session: string;
}

export interface NewPasskey extends PasskeyAnswer {
  readonly name: string;
  /** Set to end all sessions but this one: where a passkey is the required second factor, the others lack it. */
  readonly endsSessionsBut?: string | undefined;
}

type CreationChallenge = PasskeyChallenge<PublicKeyCredentialCreationOptionsJSON>;

const MAX_PASSKEYS = 20;
/** EdDSA, ES256 and RS256, which every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257];

/** What the browser needs to create a passkey. Needs a confirmed owner and a valid name, like `addPasskey`. */
export async function beginAdding(
  { database, challenges }: PasskeyContext,
  { site, email, name, session }: PasskeyRequest,
  by: SignedIn,
): Promise<CreationChallenge> {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  requireConfirmed(by);
  checkName(name);
  const { accountId } = by;
  const { challenge, ticket } = challenges.issue("add", session);
  const existing = await database.prisma.passkey.findMany({ where: { accountId } });
  if (existing.length >= MAX_PASSKEYS) throw createFullError();
  const options = await generateRegistrationOptions({
    rpName: "Spotline",
    rpID: site.host,
    userID: toUserHandle(accountId),
    userName: email,
    userDisplayName: email,
    challenge,
    attestationType: "none",
    // An authenticator that has a passkey of the account refuses to create a second one.
    excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { options, ticket };
}

/** Stores the passkey that a browser has created. Needs a confirmed owner. */
export async function addPasskey(context: PasskeyContext, added: NewPasskey, by: SignedIn): Promise<void> {
  requireConfirmed(by);
  const { database, now } = context;
  const { accountId } = by;
  const name = checkName(added.name);
  const { credential, canBackUp, backedUp } = await verifyCreation(context, added);
  await change(database, async (transaction) => {
    if ((await transaction.passkey.count({ where: { accountId } })) >= MAX_PASSKEYS) throw createFullError();
    const credentialId = credential.id;
    if ((await transaction.passkey.count({ where: { credentialId } })) > 0) {
      throw new AccessError("passkey_state", "This passkey was added already.");
    }
    const { id } = await transaction.passkey.create({
      data: {
        accountId,
        credentialId,
        publicKey: Uint8Array.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        name,
        canBackUp,
        backedUp,
        createdAt: new Date(now()),
      },
    });
    const kept = added.endsSessionsBut;
    const ended = kept === undefined ? {} : await endSessions(transaction, accountId, { allBut: kept });
    const after = { passkey: id, name, backed_up: backedUp, ...ended };
    await record(transaction, { atMs: now(), event: "account.add_passkey", by, accountId, after });
  });
}

interface Created {
  readonly credential: WebAuthnCredential;
  readonly canBackUp: boolean;
  readonly backedUp: boolean;
}

async function verifyCreation(
  { challenges }: PasskeyContext,
  { site, ticket, response: text, boundTo }: NewPasskey,
): Promise<Created> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const expectedChallenge = await challenges.redeem(ticket, "add", boundTo);
  const response = parseRegistration(text);
  if (!(await hasPlainAttestation(response.response.attestationObject))) throw createRefusal();
  const verification = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (verification?.verified !== true) throw createRefusal();
  const { credential, credentialDeviceType, credentialBackedUp } = verification.registrationInfo;
  return { credential, canBackUp: credentialDeviceType === "multiDevice", backedUp: credentialBackedUp };
}

/**
 * Whether an attestation has no certificates. None is requested, and the library would load lists of revoked ones from
 * addresses that the sender chooses.
 */
async function hasPlainAttestation(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  try {
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    const format = decoded.get("fmt");
    return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
  } catch {
    return false;
  }
}

export function requireConfirmed({ confirmed }: SignedIn): void {
  if (confirmed !== true) throw new AccessError("confirmation_required", "Enter your password to go on.");
}

function createFullError(): AccessError {
  return new AccessError("passkey_state", `An account may have ${MAX_PASSKEYS} passkeys. Remove one first.`);
}
