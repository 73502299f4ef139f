import { randomUUID } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import {
  changeKey,
  type KeyContext,
  makeRoomForKey,
  requireConfirmation,
  requireNotDisabledByOperator,
  requireUsable,
} from "@/lib/access/keys/change-key";
import { type Grace, GRACES, type Key, toKey, toKeyFacts } from "@/lib/access/keys/key";
import { getDisplayParts, mintSecret } from "@/lib/access/keys/key-format";
import { getLatestEnd } from "@/lib/access/keys/key-life";
import { readEndMs } from "@/lib/access/keys/key-reach";
import { record } from "@/lib/access/record";
import { hashSecret } from "@/lib/access/secret";

export interface RotatedKey {
  readonly old: Key;
  readonly key: Key;
  /** The new key's secret, which cannot be shown again. */
  readonly secret: string;
}

/**
 * Replaces a key by a new one with the same settings. The old key ends after the grace, or at its own expiry if that is
 * sooner. The new one ends as the old one would have, but within the longest life that the operator allows.
 */
export async function rotateKey(context: KeyContext, id: string, grace: Grace, by: Actor): Promise<RotatedKey> {
  const { now, directory } = context;
  if (!Object.hasOwn(GRACES, grace)) {
    throw new AccessError("invalid_grace", `The grace is one of ${Object.keys(GRACES).join(", ")}.`);
  }
  const secret = mintSecret();
  const rows = await changeKey(context, id, by, async ({ row, transaction, save, revision }) => {
    requireUsable(row, now(), "rotated");
    requireNotDisabledByOperator(row, by, "rotate");
    if (row.replacedById !== null) {
      throw new AccessError("key_state", "This key was rotated before. Rotate the one that replaced it.");
    }
    requireConfirmation(by, "Rotating ends this key.");
    const endsAt = new Date(Math.min(now() + GRACES[grace], readEndMs(row)));
    const newId = randomUUID();
    const old = await save(
      "key.rotate",
      { expiresAt: endsAt, replacedById: newId },
      {
        before: { expires_at: row.expiresAt?.toISOString() ?? null },
        after: { expires_at: endsAt.toISOString(), replaced_by: newId, grace },
      },
    );
    await makeRoomForKey(transaction, row.accountId, now());
    const { accountId, label, kind, scopes, allowedCidrs, allowedEndpoints, allowedSymbols, allowedOrigins } = row;
    const { perMinuteLimit, perDayLimit } = row;
    const lists = { scopes, allowedCidrs, allowedEndpoints, allowedSymbols, allowedOrigins };
    const newEndMs = Math.min(readEndMs(row), getLatestEnd(now(), context.maxLifetimeDays ?? null));
    const expiresAt = newEndMs === Infinity ? null : new Date(newEndMs);
    const settings = { accountId, label, kind, ...lists, perMinuteLimit, perDayLimit, expiresAt, replacesId: id };
    const secretHash = hashSecret(secret);
    const key = await transaction.apiKey.create({
      data: { id: newId, ...settings, ...getDisplayParts(secret), secretHash, revision },
    });
    const after = { ...toKeyFacts(key), kind, replaces: id };
    await record(transaction, { atMs: now(), event: "key.create", by, accountId, keyId: newId, after });
    return { old, key };
  });
  // An error would lose the new secret, so a failed refresh is left to the next one.
  await directory?.refresh().catch(() => {});
  return { old: toKey(rows.old, now()), key: toKey(rows.key, now()), secret };
}
