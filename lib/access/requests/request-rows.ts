import type { Pool } from "pg";
import type { NotedRequest } from "@/lib/access/requests/request-buffer";
import { listSymbols } from "@/lib/access/requests/symbols-text";
import { toPlainText } from "@/lib/text/plain-text";

/** The request log in the database. Bulk, so raw SQL with `unnest` rather than Prisma. */

const MAX_MESSAGE_LENGTH = 300;
/** A trusted proxy may forward any text as an address. */
const MAX_ADDRESS_LENGTH = 64;
const MAX_INTEGER = 2_147_483_647;

/** Writes rows. Those that were written before are left out, as are those of closed accounts. */
export async function writeRequests(pool: Pool, rows: readonly NotedRequest[]): Promise<void> {
  const column = <Value>(pick: (row: NotedRequest) => Value) => rows.map(pick);
  await pool.query(
    `WITH living AS (SELECT id FROM account WHERE id = ANY($1::uuid[]) FOR KEY SHARE)
     INSERT INTO request_log (account_id, key_id, at, request_id, method, endpoint, symbols, status, code, message,
                              credits, address, duration_us, more)
     SELECT account_id, key_id, to_timestamp(at_ms / 1000), request_id, method, endpoint, symbols, status, code, message,
            credits, address, duration_us, more
       FROM unnest($1::uuid[], $2::uuid[], $3::float8[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::int2[],
                   $9::text[], $10::text[], $11::int2[], $12::text[], $13::int4[], $14::int4[]) WITH ORDINALITY
              AS row (account_id, key_id, at_ms, request_id, method, endpoint, symbols, status, code, message, credits,
                      address, duration_us, more, position)
      WHERE account_id IN (SELECT id FROM living)
      ORDER BY position
     ON CONFLICT (request_id) DO NOTHING`,
    [
      column(({ key }) => key.accountId),
      column(({ key }) => key.id),
      column(({ atMs }) => atMs),
      column(({ requestId }) => requestId),
      column(({ method }) => method),
      column(({ endpoint }) => endpoint),
      column(listSymbols),
      column(({ status }) => status),
      column(({ refusal }) => refusal?.wireCode ?? null),
      column(({ refusal }) => (refusal === null ? null : toPlainText(refusal.message, MAX_MESSAGE_LENGTH))),
      column(({ credits }) => credits),
      column(({ address }) => (address === null ? null : toPlainText(toShortAddress(address), MAX_ADDRESS_LENGTH))),
      column(({ ms }) => Math.min(MAX_INTEGER, Math.round(ms * 1_000))),
      column(({ more }) => more),
    ],
  );
}

/** An IPv4 address as such, also where a socket has it as IPv6. */
function toShortAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, "");
}

/** Rows of one statement that deletes. Longer ones would delay those of calls. */
const DELETED_AT_ONCE = 2_000;

/** Deletes rows from before a time, oldest first. Resolves with whether there may be more. */
export async function deleteRequestsBefore(pool: Pool, beforeMs: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `DELETE FROM request_log
      WHERE id IN (SELECT id FROM (SELECT id, at FROM request_log ORDER BY id LIMIT ${DELETED_AT_ONCE}) AS oldest
                    WHERE at < to_timestamp($1::float8 / 1000))`,
    [beforeMs],
  );
  return rowCount === DELETED_AT_ONCE;
}

/** Deletes the oldest rows but the newest `most`, of one account or of all. Resolves with whether there may be more. */
export async function deleteRequestsAbove(pool: Pool, most: number, accountId: string | null): Promise<boolean> {
  const isCounted = accountId === null ? "true" : "account_id = $2";
  const { rowCount } = await pool.query(
    `WITH last AS (SELECT id FROM request_log WHERE ${isCounted} ORDER BY id DESC OFFSET $1 LIMIT 1)
     DELETE FROM request_log
      WHERE id IN (SELECT id FROM request_log WHERE ${isCounted} AND id <= (SELECT id FROM last)
                    ORDER BY id LIMIT ${DELETED_AT_ONCE})`,
    accountId === null ? [most] : [most, accountId],
  );
  return rowCount === DELETED_AT_ONCE;
}
