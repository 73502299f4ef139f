import { rm } from "node:fs/promises";
import os from "node:os";
import { createTemporaryFolder } from "../temporary-folder";
import { findMemoryFolder } from "./memory-folder";
import { dropDatabases, isPostgresAvailable } from "./postgres-server";

/** Gives a run of the unit tests a folder and a name prefix for its databases, and removes both at the end. */
export default async function setup(): Promise<() => Promise<void>> {
  const memory = findMemoryFolder();
  // A whole run has its temporary folder in memory already, and removes it also when it is interrupted.
  const parent = memory === null || os.tmpdir().startsWith(memory) ? os.tmpdir() : memory;
  const folder = createTemporaryFolder("spotline-units-", parent);
  const prefix = `spotline_units_${process.pid}_`;
  process.env["SPOTLINE_TEST_TEMPLATES"] = os.tmpdir();
  process.env["SPOTLINE_TEST_PREFIX"] = prefix;
  process.env["TMPDIR"] = folder;
  return async () => {
    await rm(folder, { recursive: true, force: true });
    // The PostgreSQL of an interrupted run is gone.
    if (isPostgresAvailable) await dropDatabases(prefix);
  };
}
