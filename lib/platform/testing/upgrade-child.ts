import type { TableProgress } from "../database/copy-database";
import { upgradeDataFolder } from "../upgrade";

/** Upgrades a data folder in a process that tests kill: `upgrade-child.ts <data folder> <engine>`. It prints what it copies. */

const [dataDir = "", engine = ""] = process.argv.slice(2);
const onProgress = ({ table, rows, isDone }: TableProgress) =>
  void process.stdout.write(`${table} ${rows}${isDone ? " done" : ""}\n`);
await upgradeDataFolder({ dataDir, databaseUrl: undefined, engine, onProgress });
process.stdout.write("upgraded\n");
