import path from "node:path";
import type { Command } from "@/cli/command";
import { loadConfig } from "@/lib/platform/config";
import type { TableProgress } from "@/lib/platform/database/copy-database";
import { upgradeDataFolder } from "@/lib/platform/upgrade";
import { formatCount } from "@/lib/text/text";
import { formatUptime } from "@/lib/time/duration";
import { SECOND_MS } from "@/lib/time/units";

/** The operator's command that brings the data folder of an earlier version to this one. */

/** How often a table is reported before its end. */
const PROGRESS_MS = 10 * SECOND_MS;

export const ENGINE_OPTION = {
  value: "PATH",
  help: "where 0.2.0 is installed, or the file of its engine's package; the default is to fetch that with npm",
};

const upgrade: Command = {
  name: "upgrade",
  summary: "Copy the embedded database of 0.2.0 into that of this version; stop the server first",
  options: { engine: ENGINE_OPTION },
  async run(values) {
    const { databaseUrl, dataDir } = loadConfig(process.env);
    const engine = values.optional("engine");
    const startedAtMs = performance.now();
    const progress = createProgress((line) => process.stderr.write(`${line}\n`));
    const oldDir = await upgradeDataFolder({
      databaseUrl,
      dataDir,
      // A path as the caller wrote it: npm runs commands in the project's folder.
      engine: engine === undefined ? undefined : path.resolve(process.env.INIT_CWD ?? "", engine),
      onProgress: progress.report,
    });
    const folder = path.resolve(dataDir);
    const rows = Object.values(progress.tables).reduce((sum, each) => sum + each, 0);
    const time = formatUptime(performance.now() - startedAtMs);
    return {
      json: { data_dir: folder, old_database: oldDir, tables: progress.tables },
      text: [
        `Upgraded ${folder}: ${formatCount(rows)} rows in ${time}, each equal to the original.`,
        `0.2.0 can still be started on ${oldDir}, without what this version records. That folder may be deleted.`,
      ].join("\n"),
    };
  },
};

/** Writes a line for each table with rows, and one now and then before its end. */
export function createProgress(write: (line: string) => void) {
  const tables: Record<string, number> = {};
  let reportedMs = 0;
  return {
    tables,
    report({ table, rows, ms, isDone }: TableProgress): void {
      const isDue = isDone ? rows > 0 : ms >= reportedMs + PROGRESS_MS;
      if (isDue) write(`${table}: ${formatCount(rows)} rows, ${(ms / SECOND_MS).toFixed(1)} s${isDone ? "" : " …"}`);
      if (isDone) tables[table] = rows;
      reportedMs = isDone ? 0 : isDue ? ms : reportedMs;
    },
  };
}

export const upgradeCommands: readonly Command[] = [upgrade];
