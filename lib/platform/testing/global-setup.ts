import { chmodSync } from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import { createTemporaryFolder } from "../temporary-folder";
import { findMemoryFolder } from "./memory-folder";
import { dropDatabases, startTestPostgres } from "./postgres-server";

/** Gives a run of tests a folder, a PostgreSQL and a name prefix for its databases, and removes them at the end. */
export default async function setup(): Promise<() => Promise<void>> {
  const memory = findMemoryFolder();
  // A whole run has its temporary folder in memory already, and removes it also when it is interrupted.
  const parent = memory === null || os.tmpdir().startsWith(memory) ? os.tmpdir() : memory;
  const folder = createTemporaryFolder("spotline-units-", parent);
  // The account of an embedded database passes through it.
  chmodSync(folder, 0o711);
  const prefix = `spotline_units_${process.pid}_`;
  const removePostgres = await startTestPostgres();
  process.env["SPOTLINE_TEST_PREFIX"] = prefix;
  process.env["TMPDIR"] = folder;
  return async () => {
    await dropDatabases(prefix);
    await removePostgres();
    await rm(folder, { recursive: true, force: true });
  };
}
