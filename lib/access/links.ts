import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { AccessError } from "@/lib/access/access-error";
import type { Owner } from "@/lib/access/actor";
import type { LinkEntry } from "@/lib/access/admission/directory";
import { record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { changeKey, type KeyContext, requireConfirmation, requireUsable } from "@/lib/access/keys/keys";
import { change } from "@/lib/access/revision";
import type { Database } from "@/lib/platform/database/database";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * Links: addresses for programs that cannot send a header, such as spreadsheets and charts. A link fixes an endpoint and
 * its parameters, and belongs to a key: the key's limits, plan, scopes, allow-list and end apply. Its token signs its id,
 * so that the address never has the key, and is always the same.
 */
export type Links = ReturnType<typeof createLinks>;

export interface Link {
  readonly id: string;
  /** "/v1/ohlc", or "/udf" for charts. */
  readonly path: string;
  /** The parameters that it fixes, as a query string. */
  readonly query: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** What a new link opens. The caller has checked it. */
type Target = Pick<Link, "path" | "query">;

const MAX_ACTIVE = 50;
const MAX_QUERY_LENGTH = 4_000;
/** Revoked links stay known for so long, and count against the limit of all. */
const REVOKED_RETENTION_MS = 30 * DAY_MS;
const MAX_STORED = 500;

export function createLinks(database: Database, context: Omit<KeyContext, "database">) {
  const { now, directory } = context;
  return {
    /** Creates a link of a key. Needs a confirmed owner. Rejects with an AccessError if the key has ended or has too many. */
    async create(keyId: string, { path, query }: Target, by: Owner): Promise<Link> {
      if (query.length > MAX_QUERY_LENGTH) throw new AccessError("invalid_link", "The parameters are too long.");
      const id = randomUUID();
      const createdAt = new Date(now());
      await changeKey({ ...context, database }, keyId, by, async ({ row, transaction, revision }) => {
        requireUsable(row, now(), "given a link");
        requireConfirmation(by, "Anyone who has the link can read it without a key.");
        const longAgo = { lt: new Date(now() - REVOKED_RETENTION_MS) };
        await transaction.keyLink.deleteMany({ where: { keyId, revokedAt: longAgo } });
        const stored = await transaction.keyLink.count({ where: { keyId } });
        const active = await transaction.keyLink.count({ where: { keyId, revokedAt: null } });
        if (active >= MAX_ACTIVE || stored >= MAX_STORED) {
          throw new AccessError("too_many_links", `A key may have ${MAX_ACTIVE} links. Revoke one first.`);
        }
        await transaction.keyLink.create({ data: { id, keyId, path, query, createdAt, revision } });
        const after = { link: id, path, query };
        await record(transaction, {
          atMs: now(),
          event: "key.create_link",
          by,
          accountId: row.accountId,
          keyId,
          after,
        });
      });
      await directory?.refresh();
      return { id, path, query, createdAtMs: createdAt.getTime(), lastUsedAtMs: null };
    },

    /** Revokes a link for good. */
    async revoke(id: string, by: Owner): Promise<void> {
      const { accountId } = by;
      await change(database, async (transaction, revision) => {
        const where = { id, revokedAt: null, key: { accountId } };
        const row = isId(id) && isId(accountId) ? await transaction.keyLink.findFirst({ where }) : null;
        if (row === null) throw new AccessError("link_not_found", "There is no such link any more.");
        await transaction.keyLink.update({ where: { id }, data: { revokedAt: new Date(now()), revision } });
        const before = { link: id, path: row.path, query: row.query };
        await record(transaction, {
          atMs: now(),
          event: "key.revoke_link",
          by,
          accountId,
          keyId: row.keyId,
          before,
        });
      });
      await directory?.refresh();
    },

    /** The links of a key that are not revoked, newest first. The caller has checked whose key it is. */
    async list(keyId: string): Promise<Link[]> {
      if (!isId(keyId)) return [];
      const orderBy = [{ createdAt: "desc" }, { id: "desc" }] as const;
      const rows = await database.prisma.keyLink.findMany({ where: { keyId, revokedAt: null }, orderBy: [...orderBy] });
      return rows.map(({ id, path, query, createdAt, lastUsedAt }) => {
        return { id, path, query, createdAtMs: createdAt.getTime(), lastUsedAtMs: lastUsedAt?.getTime() ?? null };
      });
    },
  };
}

/** When each link was last used: like usage.ts, at most once a minute. */
export function createLinkUses() {
  let unwritten = new Map<string, number>();

  return {
    /** Records the use unless another was recorded within the last minute. */
    note(link: LinkEntry, nowMs: number): void {
      if (nowMs < link.notedAtMs + MINUTE_MS && nowMs >= link.notedAtMs) return;
      link.notedAtMs = nowMs;
      unwritten.set(link.id, nowMs);
    },

    /** Writes the recorded uses. If the database fails it rejects and keeps them for the next flush. */
    async flush(pool: Pool): Promise<void> {
      if (unwritten.size === 0) return;
      const writing = unwritten;
      unwritten = new Map();
      try {
        await writeUses(pool, writing);
      } catch (error) {
        unwritten = new Map([...writing, ...unwritten]);
        throw error;
      }
    },
  };
}

/** Keeps a later use that another process wrote. */
async function writeUses(pool: Pool, uses: ReadonlyMap<string, number>): Promise<void> {
  await pool.query(
    `UPDATE key_link SET last_used_at = to_timestamp(at_ms / 1000)
       FROM unnest($1::uuid[], $2::float8[]) AS last_use (link_id, at_ms)
      WHERE key_link.id = last_use.link_id
        AND (last_used_at IS NULL OR last_used_at < to_timestamp(at_ms / 1000))`,
    [[...uses.keys()], [...uses.values()]],
  );
}
