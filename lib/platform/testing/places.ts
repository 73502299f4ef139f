import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Database } from "../database/database";
import { copyEmbeddedTemplate } from "./embedded-template";
import { createDatabase } from "./postgres-server";

/** The options with which `openDatabase` opens the same database again. */
export interface TestPlace {
  databaseUrl: string | undefined;
  dataDir: string;
  /** Removes the database and its folder. Close everything that uses them first. */
  remove(): Promise<void>;
}

/** A place for a database that has not been opened. The embedded one is migrated, the other one empty. */
export async function createTestPlace(kind: Database["kind"]): Promise<TestPlace> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "spotline-test-"));
  const removeFolder = () => rm(dataDir, { recursive: true, force: true });
  if (kind === "embedded") {
    await copyEmbeddedTemplate(dataDir);
    return { databaseUrl: undefined, dataDir, remove: removeFolder };
  }
  const { url, drop } = await createDatabase();
  const remove = async () => {
    await drop();
    await removeFolder();
  };
  return { databaseUrl: url, dataDir, remove };
}
