import type { Pool } from "pg";

/** Tables of millions of rows. The planner's estimate follows their size and costs nothing, where counting would. */
const ESTIMATED: ReadonlySet<string> = new Set(["bar", "bar_memory", "spread_hour", "tick_second"]);

/** The column of a table's rows. */
export const getRowsColumn = (table: string) =>
  ESTIMATED.has(table) ? `rows of ${table} (estimated)` : `rows of ${table}`;

/** Counts the rows of every table, in columns such as "rows of session". */
export async function countRows(pool: Pool): Promise<Record<string, number>> {
  // A partition is counted with its table.
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const columns: Record<string, number> = {};
  for (const { name } of tables)
    columns[getRowsColumn(name)] = await (ESTIMATED.has(name) ? estimate(pool, name) : count(pool, name));
  return columns;
}

async function count(pool: Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(`SELECT count(*) FROM "${table}"`);
  return Number(rows[0]?.count);
}

async function estimate(pool: Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    `EXPLAIN (FORMAT JSON) SELECT 1 FROM "${table}"`,
  );
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? NaN;
}
