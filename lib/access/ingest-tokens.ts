import { randomBytes, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { AccessError } from "@/lib/access/access-error";
import type { Operator, OperatorCli } from "@/lib/access/actor";
import { NO_ACCOUNT, record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { change } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";

/** The tokens of MetaTrader terminals. Each names the source of the prices that are pushed with it. */
export type IngestTokens = ReturnType<typeof createIngestTokens>;

export interface IngestToken {
  readonly id: string;
  /** The name that answers show as source. */
  readonly source: string;
  /** First and last characters of the secret. */
  readonly start: string;
  readonly last4: string;
  readonly createdAtMs: number;
  /** Null while it is valid. */
  readonly endedAtMs: number | null;
  /** When a batch was last stored with it; null if none was. */
  readonly lastUsedAtMs: number | null;
}

/** A valid token, for those who check it. */
export interface ActiveToken {
  readonly id: string;
  readonly source: string;
  readonly secretHash: string;
  /** What was pushed with it, in the broker's spelling. */
  readonly symbols: readonly string[];
}

const PREFIX = "fxi_";
const MAX_ACTIVE = 100;
const MAX_LISTED = 500;
const SOURCE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_SOURCE_LENGTH = 40;

export function createIngestTokens(database: Database, { now }: { readonly now: Clock }) {
  return {
    /**
     * Creates a token with its secret, which cannot be shown again. Rejects with an AccessError if the name of the source
     * is invalid, has a token, or is one of `taken`.
     */
    async create(
      name: string,
      by: Operator | OperatorCli,
      taken: readonly string[] = [],
    ): Promise<IngestToken & { readonly secret: string }> {
      const source = checkSource(name);
      if (taken.includes(source))
        throw new AccessError("invalid_source", `${source} is another source. Choose a name.`);
      const secret = PREFIX + randomBytes(32).toString("base64url");
      const id = randomUUID();
      const [start, last4] = [secret.slice(0, PREFIX.length + 4), secret.slice(-4)];
      const createdAtMs = now();
      await change(database, async (transaction) => {
        const active = await transaction.$queryRaw<{ source: string }[]>`
          SELECT source FROM ingest_token WHERE ended_at IS NULL`;
        if (active.some((token) => token.source === source)) {
          throw new AccessError("invalid_source", `${source} has a token. End it first, or choose another name.`);
        }
        if (active.length >= MAX_ACTIVE) {
          throw new AccessError("invalid_source", `There are ${MAX_ACTIVE} tokens: end some first.`);
        }
        await transaction.$executeRaw`
          INSERT INTO ingest_token (id, source, secret_hash, start, last4, created_at)
          VALUES (${id}::uuid, ${source}, ${hashSecret(secret)}, ${start}, ${last4}, ${new Date(createdAtMs)})`;
        const after = { source, token: `${start}…${last4}` };
        await record(transaction, {
          atMs: createdAtMs,
          event: "ingest_token.create",
          by,
          accountId: NO_ACCOUNT,
          after,
        });
      });
      return { id, source, start, last4, createdAtMs, endedAtMs: null, lastUsedAtMs: null, secret };
    },

    /** All tokens: the valid ones first, then the newest. */
    async list(): Promise<IngestToken[]> {
      const { rows } = await database.pool.query<Row>(
        `SELECT id, source, start, last4, created_at AS "createdAt", ended_at AS "endedAt",
                (SELECT max(last_at) FROM mt5_boot WHERE token_id = ingest_token.id) AS "lastUsedAt"
         FROM ingest_token ORDER BY ended_at IS NOT NULL, created_at DESC LIMIT ${MAX_LISTED}`,
      );
      return rows.map(toToken);
    },

    /** Ends a token for good. Servers refuse it within a second. */
    async end(id: string, by: Operator | OperatorCli): Promise<{ readonly source: string }> {
      if (!isId(id)) throw createNotFoundError();
      return change(database, async (transaction) => {
        const [ended] = await transaction.$queryRaw<{ source: string; start: string; last4: string }[]>`
          UPDATE ingest_token SET ended_at = ${new Date(now())} WHERE id = ${id}::uuid AND ended_at IS NULL
          RETURNING source, start, last4`;
        if (ended === undefined) throw createNotFoundError();
        const { source, start, last4 } = ended;
        const after = { source, token: `${start}…${last4}` };
        await record(transaction, { atMs: now(), event: "ingest_token.end", by, accountId: NO_ACCOUNT, after });
        return { source };
      });
    },
  };
}

/** The valid tokens, in the order of their sources. */
export async function readActiveTokens(pool: Pool): Promise<ActiveToken[]> {
  const { rows } = await pool.query<ActiveToken>(
    `SELECT id, source, secret_hash AS "secretHash", symbols FROM ingest_token WHERE ended_at IS NULL ORDER BY source`,
  );
  return rows;
}

interface Row extends Pick<IngestToken, "id" | "source" | "start" | "last4"> {
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

function toToken({ createdAt, endedAt, lastUsedAt, ...token }: Row): IngestToken {
  return {
    ...token,
    createdAtMs: createdAt.getTime(),
    endedAtMs: endedAt?.getTime() ?? null,
    lastUsedAtMs: lastUsedAt?.getTime() ?? null,
  };
}

function checkSource(text: string): string {
  const source = text.trim();
  if (source.length <= MAX_SOURCE_LENGTH && SOURCE.test(source)) return source;
  throw new AccessError(
    "invalid_source",
    `Enter a name of at most ${MAX_SOURCE_LENGTH} lower-case letters, digits and single dashes.`,
  );
}

function createNotFoundError(): AccessError {
  return new AccessError("token_not_found", "There is no such token any more.");
}
