import type { Pool } from "pg";
import { isId } from "@/lib/access/id";
import type { NoticeFacts } from "@/lib/access/notices/notice-text";

/** Which notices an account also gets as e-mails. Those about its security cannot be switched off. */

export type OptionalKind = Exclude<NoticeFacts["kind"], "security">;
export const OPTIONAL_KINDS = ["quota", "expiry", "unused", "plan"] as const satisfies readonly OptionalKind[];

export type UnmailedKinds = readonly OptionalKind[];

/** The kinds that the account does not want as e-mails. */
export async function readUnmailed(pool: Pool, accountId: string): Promise<UnmailedKinds> {
  if (!isId(accountId)) return [];
  const { rows } = await pool.query<{ kinds: string[] }>(
    "SELECT unmailed_notices AS kinds FROM account WHERE id = $1",
    [accountId],
  );
  return OPTIONAL_KINDS.filter((kind) => rows[0]?.kinds.includes(kind));
}

/** Replaces the choice. E-mails of these kinds that are still to be sent are not sent. */
export async function setUnmailed(pool: Pool, accountId: string, unmailed: UnmailedKinds): Promise<void> {
  if (!isId(accountId)) return;
  const kinds = OPTIONAL_KINDS.filter((kind) => unmailed.includes(kind));
  await pool.query("UPDATE account SET unmailed_notices = $2::text[] WHERE id = $1", [accountId, kinds]);
  await pool.query("UPDATE notice SET mail_due_at = NULL WHERE account_id = $1 AND facts->>'kind' = ANY($2::text[])", [
    accountId,
    kinds,
  ]);
}
