import { rememberImports } from "@/lib/history/import/follow-imports";
import { importFile } from "@/lib/history/import/import-file";
import { planFile } from "@/lib/history/import/plan-import";
import { joinDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";

/** An import in its own process, which tests kill: `import-child.ts <data folder> <database or -> <file>`. */

const UNTIL_MS = Date.UTC(2026, 0);

async function main([dataDir = "", databaseUrl = "-", path = ""]: string[]): Promise<void> {
  const location = { dataDir, databaseUrl: databaseUrl === "-" ? undefined : databaseUrl };
  const { pool, close } = await joinDatabase({ ...location, log: silentLog });
  const [task] = (await planFile(path, {})).tasks;
  if (task === undefined) throw new Error("The file has no rows.");
  const result = await importFile(task, { pool, priority: [], untilMs: UNTIL_MS, spreadsFromMs: 0 });
  await rememberImports(pool, [task.instrument], UNTIL_MS);
  process.stdout.write(JSON.stringify(result));
  await close();
}

await main(process.argv.slice(2));
