import type { Pool, PoolClient } from "pg";
import { type Database, openDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { MINUTE_MS } from "@/lib/time/units";

/** Copies a past to an embedded database, where computing it again takes far longer. */

const ROWS_PER_STATEMENT = 5_000;

/** Copies all tables of the PostgreSQL database; of tables with symbols, the rows of these. */
export async function copyPast(databaseUrl: string, dataDir: string, symbols: readonly string[]): Promise<void> {
  const source = await openDatabase({ databaseUrl, dataDir, log: silentLog });
  const target = await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
  const client = await target.pool.connect();
  await client.query("BEGIN");
  // Rows are copied in any order of tables, and as they are.
  await client.query("SET LOCAL session_replication_role = replica");
  for (const partition of await listPartitions(source)) await client.query(`CREATE TABLE IF NOT EXISTS ${partition}`);
  for (const table of await listTables(source)) await copyTable(source.pool, client, table, symbols);
  const { rows } = await source.pool.query<{ name: string; value: string | null }>(
    "SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public'",
  );
  for (const { name, value } of rows) if (value !== null) await client.query("SELECT setval($1, $2)", [name, value]);
  await client.query("COMMIT");
  client.release();
  await source.close();
  await target.close();
}

interface Table {
  readonly name: string;
  readonly hasSymbols: boolean;
}

/** The partitions of tables, which a server creates as time passes, as they are created. */
async function listPartitions({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ partition: string }>(
    `SELECT concat_ws(' ', oid::regclass, 'PARTITION OF', inhparent::regclass, pg_get_expr(relpartbound, oid)) AS partition
       FROM pg_class JOIN pg_inherits ON inhrelid = oid WHERE relispartition AND relkind = 'r'`,
  );
  return rows.map(({ partition }) => partition);
}

/** All tables; a partitioned one has the rows of its partitions. */
async function listTables({ pool }: Database): Promise<Table[]> {
  const { rows } = await pool.query<Table>(
    `SELECT oid::regclass::text AS name,
            EXISTS (SELECT FROM pg_attribute WHERE attrelid = oid AND attname = 'symbol') AS "hasSymbols"
       FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname <> '_prisma_migrations'`,
  );
  return rows;
}

async function copyTable(source: Pool, target: PoolClient, { name, hasSymbols }: Table, symbols: readonly string[]) {
  await target.query(`DELETE FROM ${name}`);
  const read = {
    text: `SELECT to_jsonb(t)::text AS row FROM ${name} t ${hasSymbols ? "WHERE symbol = ANY($1)" : ""}`,
    values: hasSymbols ? [symbols] : [],
    query_timeout: MINUTE_MS,
  };
  const { rows } = await source.query<{ row: string }>(read);
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    const some = rows.slice(at, at + ROWS_PER_STATEMENT).map(({ row }) => row);
    const write = {
      text: `INSERT INTO ${name} SELECT * FROM jsonb_populate_recordset(NULL::${name}, $1)`,
      values: [`[${some.join()}]`],
      query_timeout: MINUTE_MS,
    };
    await target.query(write);
  }
}
