import { AccessError } from "@/lib/access/access-error";
import { describeProblem, parseRangeLines } from "@/lib/access/allow-list";
import { displayParts, hashSecret, mintSecret } from "@/lib/access/key-format";
import { keyKinds, type KeyKind } from "@/lib/access/plans";
import { change, isId, type Onlooker } from "@/lib/access/revision";
import { isScope, type Scope, SCOPES } from "@/lib/access/scopes";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";
import type { ApiKey } from "@/prisma/generated/client";

/**
 * Making, listing and revoking keys. The secret leaves this file once, with the answer that made it; only its hash
 * is stored. Every method rejects with an AccessError for what the caller can put right.
 */

export interface Key {
  readonly id: string;
  readonly accountId: string;
  readonly label: string;
  readonly kind: KeyKind;
  /** First and last characters of the secret, for its owner to recognise. */
  readonly start: string;
  readonly last4: string;
  readonly scopes: readonly Scope[];
  /** Normalised CIDR ranges; empty lets every address in. */
  readonly allowedCidrs: readonly string[];
  readonly state: "active" | "expired" | "revoked";
  /** UTC milliseconds, as all of these. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly createdAtMs: number;
}

export interface NewKey {
  readonly accountId: string;
  readonly label: string;
  /** Standard, unless said otherwise. */
  readonly kind?: KeyKind;
  readonly scopes: readonly string[];
  /** Addresses and CIDR ranges as people write them; none lets every address in. */
  readonly addresses?: readonly string[];
  readonly expiresAtMs?: number | null;
}

/** A key with its secret, which cannot be shown again. */
export type CreatedKey = Key & { readonly secret: string };

/** Who asks: the owner may touch keys of their own, the operator all of them. */
export type KeyOwner = { readonly accountId: string } | "operator";

export type Keys = ReturnType<typeof createKeys>;

interface Options {
  readonly now: Clock;
  /** Brought up to date before a change is acknowledged, where keys are served by this process. */
  readonly directory?: Onlooker;
}

const maxActiveKeys = 100;
const maxAddresses = 100;
const maxLabelLength = 80;
const maxLifetimeMs = 3_653 * 86_400_000;

export function createKeys(database: Database, { now, directory }: Options) {
  const view = (row: ApiKey): Key => viewAt(row, now());

  return {
    /** Makes a key for an account. Reads and writes nothing before everything asked for has been checked. */
    async create(asked: NewKey): Promise<CreatedKey> {
      const { accountId } = asked;
      const data = {
        label: checkLabel(asked.label),
        kind: checkKind(asked.kind ?? "standard"),
        scopes: checkScopes(asked.scopes),
        allowedCidrs: checkAddresses(asked.addresses ?? []),
        expiresAt: checkExpiry(asked.expiresAtMs ?? null, now()),
      };
      const secret = mintSecret();
      const row = await change(database, async (transaction, revision) => {
        if (!isId(accountId) || (await transaction.account.count({ where: { id: accountId } })) === 0) {
          throw new AccessError("account_not_found", "There is no such account.");
        }
        const stillValid = [{ expiresAt: null }, { expiresAt: { gt: new Date(now()) } }];
        const active = await transaction.apiKey.count({ where: { accountId, revokedAt: null, OR: stillValid } });
        if (active >= maxActiveKeys) {
          throw new AccessError("too_many_keys", `An account may have ${maxActiveKeys} active keys; revoke one first.`);
        }
        const secretHash = hashSecret(secret);
        return transaction.apiKey.create({
          data: { ...data, ...displayParts(secret), accountId, secretHash, revision },
        });
      });
      // The key exists now and its secret would be lost with an error, so a failed refresh is left to the next one.
      await directory?.refresh().catch(() => {});
      return { ...view(row), secret };
    },

    /** The keys of one account, or of all, newest first. */
    async list(accountId?: string): Promise<Key[]> {
      if (accountId !== undefined && !isId(accountId)) return [];
      const where = accountId === undefined ? {} : { accountId };
      const rows = await database.prisma.apiKey.findMany({ where, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
      return rows.map(view);
    },

    /** Ends a key for good, at once. A key revoked before stays as it is; another owner's key is "key_not_found". */
    async revoke(id: string, owner: KeyOwner): Promise<Key> {
      const where = { id, ...(owner === "operator" ? {} : { accountId: owner.accountId }) };
      const isPossible = isId(id) && (owner === "operator" || isId(owner.accountId));
      const row = await change(database, async (transaction, revision) => {
        const key = isPossible ? await transaction.apiKey.findFirst({ where }) : null;
        if (key === null) throw new AccessError("key_not_found", "There is no such key.");
        if (key.revokedAt !== null) return key;
        return transaction.apiKey.update({ where: { id }, data: { revokedAt: new Date(now()), revision } });
      });
      await directory?.refresh();
      return view(row);
    },
  };
}

function viewAt(row: ApiKey, nowMs: number): Key {
  const isExpired = row.expiresAt !== null && row.expiresAt.getTime() <= nowMs;
  return {
    id: row.id,
    accountId: row.accountId,
    label: row.label,
    kind: row.kind,
    start: row.start,
    last4: row.last4,
    scopes: row.scopes.filter(isScope),
    allowedCidrs: row.allowedCidrs,
    state: row.revokedAt !== null ? "revoked" : isExpired ? "expired" : "active",
    expiresAtMs: row.expiresAt?.getTime() ?? null,
    revokedAtMs: row.revokedAt?.getTime() ?? null,
    lastUsedAtMs: row.lastUsedAt?.getTime() ?? null,
    createdAtMs: row.createdAt.getTime(),
  };
}

/** Control characters, zero-width ones and line separators would let one label pass for another, or for none. */
function checkLabel(text: string): string {
  const label = text.trim();
  const length = [...label].length;
  if (length < 1 || length > maxLabelLength || /[\p{C}\p{Zl}\p{Zp}]/u.test(label)) {
    throw new AccessError("invalid_label", `Give the key a label of 1 to ${maxLabelLength} visible characters.`);
  }
  return label;
}

function checkKind(kind: string): KeyKind {
  const known = keyKinds.find((name) => name === kind);
  if (known === undefined) throw new AccessError("invalid_kind", `A key is one of ${keyKinds.join(", ")}.`);
  return known;
}

/** In the order of the list of scopes, each once; "all" needs no others beside it. */
function checkScopes(words: readonly string[]): Scope[] {
  const strangers = words.filter((word) => !isScope(word));
  if (strangers.length > 0 || words.length === 0) {
    throw new AccessError("invalid_scopes", `Choose at least one scope out of ${SCOPES.join(", ")}.`);
  }
  return words.includes("all") ? ["all"] : SCOPES.filter((scope) => words.includes(scope));
}

function checkAddresses(lines: readonly string[]): string[] {
  if (lines.length > maxAddresses) {
    throw new AccessError("invalid_addresses", `A key may have ${maxAddresses} addresses and ranges at most.`);
  }
  const { cidrs, problems } = parseRangeLines(lines);
  if (problems.length > 0) {
    throw new AccessError("invalid_addresses", problems.map(describeProblem).join(" "), problems);
  }
  return [...cidrs];
}

function checkExpiry(expiresAtMs: number | null, nowMs: number): Date | null {
  if (expiresAtMs === null) return null;
  if (!(expiresAtMs > nowMs && expiresAtMs <= nowMs + maxLifetimeMs)) {
    throw new AccessError("invalid_expiry", "A key must expire in the future, within ten years.");
  }
  return new Date(expiresAtMs);
}
