import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { isRunning, ownIdentity, type ProcessIdentity } from "./data-folder";

const OWNER_FILE = "owner.json";

/**
 * Creates a temporary folder that only this user can open, and removes those of the same prefix whose processes were
 * killed. `parent` is the system's temporary folder unless given.
 */
export function createTemporaryFolder(prefix: string, parent = os.tmpdir()): string {
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix)) removeIfLeft(path.join(parent, name));
  }
  const folder = mkdtempSync(path.join(parent, prefix));
  writeFileSync(path.join(folder, OWNER_FILE), JSON.stringify(ownIdentity()));
  return folder;
}

/** Folders of other users, and those whose owner is not known to have ended, stay. */
function removeIfLeft(folder: string): void {
  try {
    const owner = JSON.parse(readFileSync(path.join(folder, OWNER_FILE), "utf8")) as ProcessIdentity;
    if (isRunning(owner) === false) rmSync(folder, { recursive: true, force: true });
  } catch {
    // The owner cannot be read.
  }
}
