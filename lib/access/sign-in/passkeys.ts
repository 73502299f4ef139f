import { randomBytes } from "node:crypto";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  WebAuthnCredential,
} from "@simplewebauthn/server";
import * as z from "zod";
import { AccessError, isAccessError } from "@/lib/access/access-error";
import { type Actor, anonymous, OPERATOR_CLI, type SignedIn } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { change } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";
import { endSessions } from "@/lib/access/sign-in/account-sessions";
import {
  type AttemptLimit,
  type Attempts,
  createAttempts,
  getConfirmLimit,
  getPasskeyLimit,
  type RefusedSignIn,
} from "@/lib/access/sign-in/sign-in-limits";
import { createTickets } from "@/lib/access/sign-in/tickets";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";
import type { Passkey as PasskeyRow, Prisma } from "@/prisma/generated/client";

/**
 * Passkeys (WebAuthn), with which an account signs in and confirms changes. The device verifies its user, so a passkey
 * counts as both factors. The database has only public keys. Every method rejects with an AccessError for what the
 * caller can correct.
 */

interface Options {
  readonly now: Clock;
  readonly secret: string;
  readonly log?: Logger;
  /** Called for every refused sign-in. */
  readonly onRefused?: (refused: RefusedSignIn) => void;
}

export function createPasskeys(database: Database, { now, secret, log, onRefused }: Options) {
  const challenges = createChallenges(database, { now, secret });
  const context: PasskeyContext & { log: Logger | undefined } = { database, now, challenges, log };
  const limited = { ...context, attempts: createAttempts(database, { now }), onRefused };
  const { passkey } = database.prisma;

  return {
    async has(accountId: string): Promise<boolean> {
      return isId(accountId) && (await passkey.findFirst({ where: { accountId }, select: { id: true } })) !== null;
    },

    /** The account's passkeys, oldest first. */
    async list(accountId: string): Promise<Passkey[]> {
      if (!isId(accountId)) return [];
      return (await passkey.findMany({ where: { accountId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] })).map(
        toPasskey,
      );
    },

    beginAdding: (request: PasskeyRequest, by: SignedIn) => beginAdding(context, request, by),

    add: (added: NewPasskey, by: SignedIn): Promise<void> => addPasskey(context, added, by),

    /** For a visitor who is not signed in; `browser` is an id of the browser. */
    beginSignIn: (site: PasskeySite, browser: string): Promise<RequestChallenge> =>
      beginUse(context, site, { purpose: "sign-in", boundTo: browser }),

    beginConfirmation: (site: PasskeySite, accountId: string, session: string): Promise<RequestChallenge> =>
      beginUse(context, site, { purpose: "confirm", boundTo: session, accountId }),

    /** Resolves with the id of the passkey's account, which may be suspended. Limited like wrong passwords. */
    signIn: (use: Omit<PasskeyUse, "purpose">): Promise<string> => admitPasskey(limited, use),

    /** Checks a passkey of this account. Shares the limit of wrong passwords that confirm a change. */
    confirm: (use: Omit<PasskeyUse, "purpose">, accountId: string): Promise<void> =>
      confirmWithPasskey(limited, use, accountId),

    async rename(id: string, text: string, by: SignedIn): Promise<void> {
      const name = checkName(text);
      const { accountId } = by;
      await change(database, async (transaction) => {
        const row = await findOwn(transaction, id, accountId);
        if (row.name === name) return;
        await transaction.passkey.update({ where: { id }, data: { name } });
        const [before, after] = [{ name: row.name }, { passkey: id, name }];
        await record(transaction, { atMs: now(), event: "account.rename_passkey", by, accountId, before, after });
      });
    },

    /** Needs a confirmed owner. Refuses to remove the last way to sign in, or the last of a required second factor. */
    async remove(id: string, by: SignedIn, { isRequired }: { readonly isRequired: boolean }): Promise<void> {
      requireConfirmed(by);
      const { accountId } = by;
      await change(database, async (transaction) => {
        const row = await findOwn(transaction, id, accountId);
        if ((await transaction.passkey.count({ where: { accountId } })) === 1) {
          await requireOtherWay(transaction, accountId, isRequired);
        }
        await removeRow(transaction, row, by, now());
      });
    },
  };
}

async function findOwn(transaction: Prisma.TransactionClient, id: string, accountId: string) {
  const row = isId(id) ? await transaction.passkey.findFirst({ where: { id, accountId } }) : null;
  if (row === null) throw new AccessError("passkey_state", "This passkey was removed already.");
  return row;
}

/** Throws if the account needs its last passkey. */
async function requireOtherWay(transaction: Prisma.TransactionClient, accountId: string, isRequired: boolean) {
  const { passwordHash } = await transaction.account.findUniqueOrThrow({ where: { id: accountId } });
  if (passwordHash === null && (await transaction.identity.count({ where: { accountId } })) === 0) {
    throw new AccessError("passkey_state", "This is your only way to sign in: set a password first.");
  }
  const app = { accountId, confirmedAt: { not: null } };
  if (isRequired && (await transaction.secondFactor.count({ where: app })) === 0) {
    throw new AccessError("passkey_state", "This installation requires a second factor: add another one first.");
  }
}

type Removed = Pick<Awaited<ReturnType<typeof findOwn>>, "id" | "accountId" | "name">;

async function removeRow(transaction: Prisma.TransactionClient, row: Removed, by: Actor, atMs: number) {
  const { id, accountId, name } = row;
  await transaction.passkey.delete({ where: { id } });
  const before = { passkey: id, name };
  await record(transaction, { atMs, event: "account.remove_passkey", by, accountId, before });
}

/** Removes all passkeys of an owner who has lost them. Resolves with their number. For the operator. */
export async function removePasskeys(database: Database, accountId: string, atMs: number): Promise<number> {
  return change(database, async (transaction) => {
    const rows = await transaction.passkey.findMany({ where: { accountId }, orderBy: { createdAt: "asc" } });
    if (rows.length === 0) throw new AccessError("passkey_state", "This account has no passkeys.");
    for (const row of rows) await removeRow(transaction, row, OPERATOR_CLI, atMs);
    return rows.length;
  });
}

/** What the functions on passkeys work with. */
interface PasskeyContext {
  readonly database: Database;
  readonly now: Clock;
  readonly challenges: Challenges;
}

interface PasskeyRequest {
  readonly site: PasskeySite;
  /** The name under which authenticators list the passkey. */
  readonly email: string;
  readonly name: string;
  /** The id of the browser's session. */
  readonly session: string;
}

interface NewPasskey extends PasskeyAnswer {
  readonly name: string;
  /** Set to end all sessions but this one: where a passkey is the required second factor, the others lack it. */
  readonly endsSessionsBut?: string | undefined;
}

type CreationChallenge = PasskeyChallenge<PublicKeyCredentialCreationOptionsJSON>;

const MAX_PASSKEYS = 20;
/** EdDSA, ES256 and RS256, which every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257];

/** What the browser needs to create a passkey. Needs a confirmed owner and a valid name, like `addPasskey`. */
async function beginAdding(
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
async function addPasskey(context: PasskeyContext, added: NewPasskey, by: SignedIn): Promise<void> {
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

function requireConfirmed({ confirmed }: SignedIn): void {
  if (confirmed !== true) throw new AccessError("confirmation_required", "Enter your password to go on.");
}

function createFullError(): AccessError {
  return new AccessError("passkey_state", `An account may have ${MAX_PASSKEYS} passkeys. Remove one first.`);
}

type RequestChallenge = PasskeyChallenge<PublicKeyCredentialRequestOptionsJSON>;

interface PasskeyUse extends PasskeyAnswer {
  readonly purpose: Exclude<ChallengePurpose, "add">;
  /** The network address of the sender, if known. */
  readonly address: string | null;
}

/** What a browser needs to use a passkey: one of `accountId`, or one that its user chooses. */
async function beginUse(
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
async function verifyUse(context: PasskeyContext & { log?: Logger | undefined }, use: PasskeyUse) {
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

/** Uses of passkeys, counted before they are checked. Accepted ones do not count. */

interface LimitedContext extends PasskeyContext {
  readonly attempts: Attempts;
  readonly log?: Logger | undefined;
  /** Called for every refused sign-in. */
  readonly onRefused?: ((refused: RefusedSignIn) => void) | undefined;
}

type Use = Omit<PasskeyUse, "purpose">;

/**
 * Resolves with the id of the passkey's account. Counted by network only, together with wrong passwords: nobody can guess
 * a passkey, and a limit by account would let others lock its owner out.
 */
async function admitPasskey(context: LimitedContext, use: Use): Promise<string> {
  const { address } = use;
  const limit = getPasskeyLimit(address);
  try {
    await take(context, limit);
    const { accountId } = await verifyUse(context, { ...use, purpose: "sign-in" });
    await context.attempts.giveBack(limit);
    return accountId;
  } catch (error) {
    if (isAccessError(error)) {
      context.onRefused?.({ reason: error.code === "too_many_attempts" ? "locked_out" : "passkey", address });
    }
    throw error;
  }
}

async function confirmWithPasskey(context: LimitedContext, use: Use, accountId: string): Promise<void> {
  const limit = getConfirmLimit(accountId);
  await take(context, limit);
  const row = await verifyUse(context, { ...use, purpose: "confirm" });
  if (row.accountId !== accountId) throw createRefusal();
  await context.attempts.forget(limit);
}

async function take({ attempts, now }: LimitedContext, limit: AttemptLimit): Promise<void> {
  const { exhausted, untilMs } = await attempts.take(limit);
  if (exhausted === null) return;
  const minutes = Math.max(1, Math.ceil((untilMs - now()) / MINUTE_MS));
  throw new AccessError(
    "too_many_attempts",
    `Too many wrong attempts. Try again in ${minutes} minute${minutes === 1 ? "" : "s"}.`,
  );
}

/** The responses of browsers, as @simplewebauthn/browser sends them. Unknown parts are left out. */

const MAX_LENGTH = 16_000;

const base64url = z.string().regex(/^[\w-]+$/);
const credential = { id: base64url.max(1_400), rawId: base64url, type: z.literal("public-key") };
const clientExtensionResults = z.object({}).default({});

const registration = z.object({
  ...credential,
  clientExtensionResults,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    // Later standards may add others.
    transports: z
      .array(z.string().regex(/^[\w-]{1,32}$/))
      .max(10)
      .default([]),
  }),
});

const authentication = z.object({
  ...credential,
  clientExtensionResults,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});

const parseRegistration = (text: string) => parse(registration, text);
const parseAuthentication = (text: string) => parse(authentication, text);

/** Throws the AccessError "passkey_refused" for anything but a response. */
function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  try {
    if (text.length <= MAX_LENGTH) return schema.parse(JSON.parse(text));
  } catch {
    // No JSON, or not a response.
  }
  throw createRefusal();
}

/** The same for every reason, so that it reveals nothing about passkeys and accounts. */
function createRefusal(): AccessError {
  return new AccessError("passkey_refused", "This passkey was not accepted. Try again, or choose another way.");
}

/** What a challenge is for. A response to one purpose is not accepted for another. */
type ChallengePurpose = "add" | "sign-in" | "confirm";

interface Content {
  /** 32 random bytes, base64url. */
  readonly challenge: string;
  readonly purpose: ChallengePurpose;
  /** The session or browser that it was issued to. */
  readonly boundTo: string;
}

const CHALLENGE_LIFE_MS = 10 * MINUTE_MS;

type Challenges = ReturnType<typeof createChallenges>;

/**
 * Challenges that a passkey signs. The browser carries them as sealed tickets, so that every process can check them.
 * Used ones are in the database, so that each is accepted once.
 */
function createChallenges(database: Database, { now, secret }: { now: Clock; secret: string }) {
  const tickets = createTickets<Content>({ secret, purpose: "passkey challenge", now, lifeMs: CHALLENGE_LIFE_MS });
  const attempts = createAttempts(database, { now });

  return {
    issue(purpose: ChallengePurpose, boundTo: string): { challenge: Uint8Array<ArrayBuffer>; ticket: string } {
      const bytes = randomBytes(32);
      const challenge = bytes.toString("base64url");
      return { challenge: Uint8Array.from(bytes), ticket: tickets.issue({ challenge, purpose, boundTo }) };
    },

    /** Resolves with the challenge, base64url, once. Rejects with "passkey_refused" for any other ticket. */
    async redeem(ticket: string, purpose: ChallengePurpose, boundTo: string): Promise<string> {
      const content = tickets.read(ticket);
      if (content === null || content.purpose !== purpose || content.boundTo !== boundTo) throw createLateError();
      const use = { name: `passkey:${hashSecret(content.challenge)}`, maxAttempts: 1, windowMs: CHALLENGE_LIFE_MS };
      if ((await attempts.take(use)).exhausted !== null) throw createLateError();
      return content.challenge;
    },
  };
}

function createLateError(): AccessError {
  return new AccessError("passkey_refused", "That took too long, or was sent already. Use the passkey again.");
}

/** A passkey as its owner sees it. Nothing in it is secret. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** Times in UTC milliseconds. */
  readonly createdAtMs: number;
  /** Null if it was never used. */
  readonly lastUsedAtMs: number | null;
  /** Whether its owner's other devices have a copy, may get one, or never do. */
  readonly backup: "backed-up" | "not-yet" | "device-bound";
}

/** Where passkeys are valid: browsers use them only on this host, and only for pages of this origin. */
export interface PasskeySite {
  /** The relying party's id, a host name: "prices.example.com". */
  readonly host: string;
  /** "https://prices.example.com". */
  readonly origin: string;
}

/** What a browser needs to create or use a passkey. */
export interface PasskeyChallenge<Options> {
  readonly options: Options;
  /** Sealed; the browser sends it back with its response. */
  readonly ticket: string;
}

/** What a browser sends back. All of it may be forged. */
export interface PasskeyAnswer {
  readonly site: PasskeySite;
  readonly ticket: string;
  /** The response of the browser, as JSON. */
  readonly response: string;
  /** The session or browser that requested the challenge. */
  readonly boundTo: string;
}

const MAX_NAME_LENGTH = 60;

function toPasskey({ id, name, createdAt, lastUsedAt, canBackUp, backedUp }: PasskeyRow): Passkey {
  const backup = backedUp ? "backed-up" : canBackUp ? "not-yet" : "device-bound";
  return { id, name, backup, createdAtMs: createdAt.getTime(), lastUsedAtMs: lastUsedAt?.getTime() ?? null };
}

/** Refuses control and zero-width characters: with them one name could look like another. */
function checkName(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length < 1 || length > MAX_NAME_LENGTH || /[\p{C}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new AccessError("invalid_name", `Give the passkey a name of 1 to ${MAX_NAME_LENGTH} visible characters.`);
  }
  return name;
}

/** The id by which authenticators store the account: the 16 bytes of its id, which says nothing about the person. */
function toUserHandle(accountId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(accountId.replaceAll("-", ""), "hex"));
}
