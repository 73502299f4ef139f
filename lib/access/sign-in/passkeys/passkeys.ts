import { AccessError } from "@/lib/access/access-error";
import { type Actor, OPERATOR_CLI, type SignedIn } from "@/lib/access/actor";
import { isId } from "@/lib/access/id";
import { record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import { createAttempts } from "@/lib/access/sign-in/attempts";
import {
  addPasskey,
  beginAdding,
  type NewPasskey,
  type PasskeyContext,
  type PasskeyRequest,
  requireConfirmed,
} from "@/lib/access/sign-in/passkeys/add-passkey";
import { createChallenges } from "@/lib/access/sign-in/passkeys/challenges";
import { admitPasskey, confirmWithPasskey } from "@/lib/access/sign-in/passkeys/limited-use";
import { checkName, type Passkey, type PasskeySite, toPasskey } from "@/lib/access/sign-in/passkeys/passkey";
import { beginUse, type PasskeyUse, type RequestChallenge } from "@/lib/access/sign-in/passkeys/use-passkey";
import type { RefusedSignIn } from "@/lib/access/sign-in/refused-sign-ins";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import type { Prisma } from "@/prisma/generated/client";

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
