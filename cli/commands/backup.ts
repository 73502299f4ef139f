import { stat } from "node:fs/promises";
import path from "node:path";
import type { Command } from "@/cli/command";
import { ENGINE_OPTION } from "@/cli/commands/upgrade";
import { restoreBackup, writeBackup } from "@/lib/platform/backup";
import { loadConfig } from "@/lib/platform/config";
import { silentLog } from "@/lib/platform/log/log";
import { formatBytes } from "@/lib/text/text";

/** The operator's commands that back up and restore the embedded database. */

function readOptions() {
  const { databaseUrl, dataDir } = loadConfig(process.env);
  return { databaseUrl, dataDir, log: silentLog };
}

/** A file as the caller named it: npm runs commands in the project's folder. */
const resolveFile = (name: string) => path.resolve(process.env.INIT_CWD ?? "", name);

const backup: Command = {
  name: "backup",
  summary: "Write a backup of the embedded database; a server may be running",
  argument: { value: "FILE", help: "a new file, such as spotline.tar.gz; only you can read it" },
  options: {},
  async run(values) {
    const file = resolveFile(values.text("argument"));
    await writeBackup(readOptions(), file, new Date());
    const { size } = await stat(file);
    return { json: { file, bytes: size }, text: `Wrote ${file} (${formatBytes(size)}).` };
  },
};

const restore: Command = {
  name: "restore",
  summary: "Restore a backup into an empty data folder",
  argument: { value: "FILE", help: "a file that spotline backup wrote, also in 0.2.0" },
  options: { engine: ENGINE_OPTION },
  async run(values) {
    const options = readOptions();
    const engine = values.optional("engine");
    const restored = await restoreBackup(
      options,
      resolveFile(values.text("argument")),
      engine === undefined ? undefined : resolveFile(engine),
    );
    const createdAt = restored.toISOString();
    const dataDir = path.resolve(options.dataDir);
    return {
      json: { data_dir: dataDir, created_at: createdAt },
      text: `Restored the backup of ${createdAt} into ${dataDir}.`,
    };
  },
};

export const backupCommands: readonly Command[] = [backup, restore];
