import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openDatabase } from "../database/database";
import { silentLog } from "../log/log";

/** Puts a migrated embedded database into a data folder. */
export async function copyEmbeddedTemplate(dataDir: string): Promise<void> {
  await cp(await prepareEmbeddedTemplate(), path.join(dataDir, "postgres"), { recursive: true });
}

/**
 * A migrated embedded database to copy: creating one takes seconds, copying it a fraction. It is created once for each
 * machine, version of PGlite and set of migrations. If two processes create it, the first to finish wins.
 */
async function prepareEmbeddedTemplate(): Promise<string> {
  const template = path.join(
    process.env["SPOTLINE_TEST_TEMPLATES"] ?? os.tmpdir(),
    `spotline-test-template-${await readVersion()}-${os.userInfo().uid}`,
  );
  const exists = () => stat(template).then(Boolean, () => false);
  if (await exists()) return template;
  const dataDir = await mkdtemp(`${template}-`);
  try {
    await (await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog })).close();
    await rename(path.join(dataDir, "postgres"), template).catch(async (error: unknown) => {
      if (!(await exists())) throw error;
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return template;
}

/** Changes with PGlite and with every migration. */
async function readVersion(): Promise<string> {
  const manifest = path.join(process.cwd(), "node_modules", "@electric-sql", "pglite", "package.json");
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
  const migrations = path.join(process.cwd(), "prisma", "migrations");
  const hash = createHash("sha256");
  for (const name of (await readdir(migrations)).sort()) {
    hash.update(name).update(await readFile(path.join(migrations, name, "migration.sql")).catch(() => ""));
  }
  return `${version}-${hash.digest("hex").slice(0, 12)}`;
}
