import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { findMemoryFolder } from "./memory-folder";
import { dropDatabases, isPostgresAvailable } from "./postgres-server";

/** Gives a run of the unit tests a folder and a name prefix for its databases, and removes both at the end. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(findMemoryFolder() ?? os.tmpdir(), "spotline-units-"));
  const prefix = `spotline_units_${process.pid}_`;
  process.env["SPOTLINE_TEST_TEMPLATES"] = os.tmpdir();
  process.env["SPOTLINE_TEST_PREFIX"] = prefix;
  process.env["TMPDIR"] = folder;
  return async () => {
    if (isPostgresAvailable) await dropDatabases(prefix);
    await rm(folder, { recursive: true, force: true });
  };
}
