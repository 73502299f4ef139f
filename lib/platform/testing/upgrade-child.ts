import { mkdir } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import type { TableProgress } from "../database/copy-database";
import { upgradeDataFolder } from "../upgrade";

/**
 * Upgrades a data folder in a process that tests kill: `upgrade-child.ts <data folder> <engine> <address>`. It prints what
 * it copies. The address is that of a database, which takes the place of the new cluster and is created again.
 */

const [dataDir = "", engine = "", address = ""] = process.argv.slice(2);

async function openNew(folder: string) {
  await mkdir(path.join(folder, "pg18"));
  const server = new URL(address);
  const name = server.pathname.slice(1);
  server.pathname = "/postgres";
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  await client.end();
  return { settings: { connectionString: address }, stop: async () => {} };
}

const onProgress = ({ table, rows, isDone }: TableProgress) =>
  void process.stdout.write(`${table} ${rows}${isDone ? " done" : ""}\n`);
await upgradeDataFolder({ dataDir, databaseUrl: undefined, engine, openNew, onProgress });
process.stdout.write("upgraded\n");
