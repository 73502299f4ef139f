import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import { isId } from "@/lib/access/id";
import { checkKeyLimits, getAccountLimits } from "@/lib/access/keys/account-limits";
import { type KeyContext, makeRoomForKey, requireConfirmation } from "@/lib/access/keys/change-key";
import { type Key, toKey, toKeyFacts } from "@/lib/access/keys/key";
import { getDisplayParts, mintSecret } from "@/lib/access/keys/key-format";
import {
  checkAddresses,
  checkEndpoints,
  checkExpiry,
  checkKind,
  checkLabel,
  checkOrigins,
  checkScopes,
  checkSymbols,
} from "@/lib/access/keys/key-settings";
import type { KeyKind } from "@/lib/access/plans";
import { record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";

export interface NewKey {
  readonly accountId: string;
  readonly label: string;
  /** Default "standard". */
  readonly kind?: KeyKind;
  readonly scopes: readonly string[];
  /** Addresses and CIDR ranges; none allows every address. */
  readonly addresses?: readonly string[];
  /** Paths of endpoints; none allows every endpoint of the scopes. */
  readonly endpoints?: readonly string[];
  /** Categories and symbols; none allows every symbol. */
  readonly symbols?: readonly string[];
  /** Origins of pages that may use the key in a browser; none allows all. */
  readonly origins?: readonly string[];
  /** Limits of its own, at most the account's; null follows the account. */
  readonly perMinute?: number | null;
  readonly perDay?: number | null;
  readonly expiresAtMs?: number | null;
}

/** A key with its secret, which cannot be shown again. */
export type CreatedKey = Key & { readonly secret: string };

const NO_LIMITS = { perMinuteLimit: null, perDayLimit: null };

/** Creates a key for an account. Checks the settings before it reads or writes anything. Needs a confirmed actor. */
export async function createKey(context: KeyContext, input: NewKey, by: Actor): Promise<CreatedKey> {
  const { database, now, directory } = context;
  const { accountId } = input;
  const settings = {
    label: checkLabel(input.label),
    kind: checkKind(input.kind ?? "standard"),
    scopes: checkScopes(input.scopes),
    allowedCidrs: checkAddresses(input.addresses ?? []),
    allowedEndpoints: checkEndpoints(input.endpoints ?? []),
    allowedSymbols: checkSymbols(input.symbols ?? []),
    allowedOrigins: checkOrigins(input.origins ?? []),
    perMinuteLimit: input.perMinute ?? null,
    perDayLimit: input.perDay ?? null,
    expiresAt: checkExpiry(input.expiresAtMs ?? null, now(), context.maxLifetimeDays ?? null),
  };
  requireConfirmation(by, "A new key can call the API in your name.");
  const secret = mintSecret();
  const row = await change(database, async (transaction, revision) => {
    const account = isId(accountId) ? await transaction.account.findUnique({ where: { id: accountId } }) : null;
    if (account === null) throw new AccessError("account_not_found", "There is no such account.");
    checkKeyLimits(settings, NO_LIMITS, getAccountLimits(account, settings.kind, now()));
    await makeRoomForKey(transaction, accountId, now());
    const secretHash = hashSecret(secret);
    const created = await transaction.apiKey.create({
      data: { ...settings, ...getDisplayParts(secret), accountId, secretHash, revision },
    });
    const after = { ...toKeyFacts(created), kind: created.kind };
    await record(transaction, { atMs: now(), event: "key.create", by, accountId, keyId: created.id, after });
    return created;
  });
  // An error would lose the secret of a key that exists, so a failed refresh is left to the next one.
  await directory?.refresh().catch(() => {});
  return { ...toKey(row, now()), secret };
}
