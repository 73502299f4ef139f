import type { Pool } from "pg";
import { isId } from "@/lib/access/id";

/** An account's calls one by one, for its owner and for operators. Up to two seconds late. */

/** As usage counts them: 2xx and 304; 4xx except 429; 429; 5xx. */
export const REQUEST_OUTCOMES = ["answered", "refused", "limited", "failed"] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

export interface RequestFilter {
  readonly accountId: string;
  readonly keyId?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly outcome?: RequestOutcome | undefined;
  /** The error code of a refusal. */
  readonly code?: string | undefined;
  /** A part of the symbols, the message or the address, or a request id. Upper and lower case are the same. */
  readonly text?: string | undefined;
}

export interface RequestQuery extends RequestFilter {
  /** Only rows written before this one. */
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

export interface LoggedRequest {
  readonly id: number;
  readonly atMs: number;
  readonly keyId: string;
  /** As the X-Request-Id of the answer: 32 hexadecimal characters. */
  readonly requestId: string;
  readonly method: string;
  readonly endpoint: string;
  /** The symbols that the call names, shortened; null without any. */
  readonly symbols: string | null;
  readonly status: number;
  /** The error code and the message of a refusal; null for an answered call. */
  readonly code: string | null;
  readonly message: string | null;
  readonly credits: number;
  readonly address: string | null;
  /** How long the server took for the answer. */
  readonly ms: number;
  /** Further calls with the same key, endpoint, status and code in the same second that have no row of their own. */
  readonly more: number;
}

const COLUMNS = `id::float8 AS id, (extract(epoch FROM at) * 1000)::float8 AS "atMs", key_id AS "keyId",
  replace(request_id::text, '-', '') AS "requestId", method, endpoint, symbols, status, code, message, credits, address,
  duration_us / 1000.0::float8 AS ms, more`;

const STATUSES: Readonly<Record<RequestOutcome, string>> = {
  answered: "status < 400",
  refused: "status BETWEEN 400 AND 499 AND status <> 429",
  limited: "status = 429",
  failed: "status >= 500",
};

const REQUEST_ID = /^[0-9a-f]{32}$/;

/** Reads the rows that match, newest first. */
export async function listRequests(pool: Pool, query: RequestQuery): Promise<LoggedRequest[]> {
  const { keyId, endpoint, outcome, code, text = "", beforeId, limit } = query;
  if (!isId(query.accountId) || (keyId !== undefined && !isId(keyId))) return [];
  const values: unknown[] = [query.accountId, limit];
  const param = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["account_id = $1"];
  if (keyId !== undefined) conditions.push(`key_id = ${param(keyId)}::uuid`);
  if (endpoint !== undefined) conditions.push(`endpoint = ${param(endpoint)}`);
  if (outcome !== undefined) conditions.push(STATUSES[outcome]);
  if (code !== undefined) conditions.push(`code = ${param(code)}`);
  const sought = text.trim().toLowerCase();
  if (REQUEST_ID.test(toHex(sought))) conditions.push(`request_id = ${param(toHex(sought))}::uuid`);
  else if (sought !== "") {
    const part = param(sought);
    conditions.push(
      `(strpos(lower(coalesce(symbols, '')), ${part}) > 0 OR strpos(lower(coalesce(message, '')), ${part}) > 0
        OR strpos(coalesce(address, ''), ${part}) > 0)`,
    );
  }
  if (beforeId !== undefined) conditions.push(`id < ${param(beforeId)}::bigint`);
  const { rows } = await pool.query<LoggedRequest>(
    `SELECT ${COLUMNS} FROM request_log WHERE ${conditions.join(" AND ")}
      ORDER BY id DESC LIMIT $2`,
    values,
  );
  return rows;
}

function toHex(text: string): string {
  return text.replaceAll("-", "");
}

/** Finds a call by the X-Request-Id of its answer. Null if it has no row, or is another account's. */
export async function findRequest(pool: Pool, accountId: string, requestId: string): Promise<LoggedRequest | null> {
  if (!REQUEST_ID.test(toHex(requestId.toLowerCase()))) return null;
  return (await listRequests(pool, { accountId, text: requestId, limit: 1 }))[0] ?? null;
}

export interface RefusalCount {
  readonly code: string;
  /** Calls, with those that have no row of their own. */
  readonly calls: number;
  readonly lastAtMs: number;
}

/** The reasons why an account's calls were refused, the most frequent one first. */
export async function countRefusals(pool: Pool, accountId: string): Promise<RefusalCount[]> {
  if (!isId(accountId)) return [];
  const { rows } = await pool.query<RefusalCount>(
    `SELECT code, sum(1 + more)::float8 AS calls, (extract(epoch FROM max(at)) * 1000)::float8 AS "lastAtMs"
       FROM request_log WHERE account_id = $1 AND code IS NOT NULL
      GROUP BY code ORDER BY calls DESC, code`,
    [accountId],
  );
  return rows;
}
