import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import { type KeyContext, requireKeyCapacity } from "@/lib/access/keys/change-key";
import { type Key, toKey, toKeyFacts } from "@/lib/access/keys/key";
import { getDisplayParts, mintSecret } from "@/lib/access/keys/key-format";
import { checkAddresses, checkExpiry, checkKind, checkLabel, checkScopes } from "@/lib/access/keys/key-settings";
import type { KeyKind } from "@/lib/access/plans";
import { record } from "@/lib/access/record";
import { change, isId } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";

export interface NewKey {
  readonly accountId: string;
  readonly label: string;
  /** Default "standard". */
  readonly kind?: KeyKind;
  readonly scopes: readonly string[];
  /** Addresses and CIDR ranges; none allows every address. */
  readonly addresses?: readonly string[];
  readonly expiresAtMs?: number | null;
}

/** A key with its secret, which cannot be shown again. */
export type CreatedKey = Key & { readonly secret: string };

/** Creates a key for an account. Checks all settings before it reads or writes anything. */
export async function createKey(context: KeyContext, input: NewKey, by: Actor): Promise<CreatedKey> {
  const { database, now, directory } = context;
  const { accountId } = input;
  const settings = {
    label: checkLabel(input.label),
    kind: checkKind(input.kind ?? "standard"),
    scopes: checkScopes(input.scopes),
    allowedCidrs: checkAddresses(input.addresses ?? []),
    expiresAt: checkExpiry(input.expiresAtMs ?? null, now()),
  };
  const secret = mintSecret();
  const row = await change(database, async (transaction, revision) => {
    if (!isId(accountId) || (await transaction.account.count({ where: { id: accountId } })) === 0) {
      throw new AccessError("account_not_found", "There is no such account.");
    }
    await requireKeyCapacity(transaction, accountId, now());
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
