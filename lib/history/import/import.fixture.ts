import { join } from "node:path";
import type { Pool } from "pg";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";
import { rememberImports } from "@/lib/history/import/follow-imports";
import { importFile, type ImportResult } from "@/lib/history/import/import-file";
import type { PlanOptions } from "@/lib/history/import/import-options";
import { planFile } from "@/lib/history/import/plan-import";

interface Options extends PlanOptions {
  readonly untilMs?: number;
  readonly priority?: readonly string[];
}

/** Imports a file as the command does. Rows up to 2026 are of the past. */
export async function importPath(pool: Pool | null, path: string, options: Options = {}): Promise<ImportResult> {
  const { untilMs = Date.UTC(2026, 0), priority = [], ...plan } = options;
  const [task, ...others] = (await planFile(path, plan)).tasks;
  if (task === undefined || others.length > 0) throw new Error(`${others.length} more series than one`);
  const result = await importFile(task, { pool, priority, untilMs, spreadsFromMs: 0 });
  if (pool !== null) await rememberImports(pool, [task.instrument], untilMs);
  return result;
}

/** Imports a text. */
export function importText(pool: Pool | null, name: string, text: string, options?: Options): Promise<ImportResult> {
  return importPath(pool, join(writeFiles({ [name]: text }), name), options);
}

/** The rows of a csv of ticks: time, bid and ask in points of five digits. */
export function formatTicks(ticks: readonly (readonly [timeMs: number, bid: number, ask: number])[]): string {
  const price = (points: number) => (points / 1e5).toFixed(5);
  return ["time,bid,ask", ...ticks.map(([timeMs, bid, ask]) => `${timeMs},${price(bid)},${price(ask)}`)].join("\n");
}

/** The content of every table that an import writes, except how far files were read. */
export async function readTables(pool: Pool): Promise<unknown[]> {
  const tables = ["import_hour", "tick_hour", "spread_hour", "bar", "bar_memory", "imported_span"];
  const texts = tables.map(
    (table) => `SELECT '${table}', md5(string_agg(t::text, ',' ORDER BY t::text)) FROM ${table} t`,
  );
  const { rows } = await pool.query(texts.join(" UNION ALL "));
  return rows as unknown[];
}

/** Prices in points of five digits. */
export type Tick = [timeMs: number, bid: number, ask: number];

/** Some ticks a minute, with varying prices and several in some seconds. */
export function createTicks(fromMs: number, count: number, seed = 1): Tick[] {
  let [timeMs, state] = [fromMs, seed];
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    timeMs += 1 + (state % 9_000);
    const bid = 108_000 + (state % 700);
    return [timeMs, bid, bid + 3 + (state % 5)];
  });
}

/** Empties every table that an import writes. */
export async function clearImports(pool: Pool): Promise<void> {
  const imported = ["import_hour", "import_file", "imported_span"];
  const tables = [...imported, "tick_hour", "spread_hour", "bar", "bar_memory", "closed_hour"];
  for (const table of tables) await pool.query(`DELETE FROM ${table}`);
}
