import { closeSync, fsyncSync, openSync, readdirSync } from "node:fs";
import path from "node:path";

/** Windows cannot sync a folder, and syncs a file only if it is open for writing. */
export const isWindows = process.platform === "win32";

/** Syncs a new folder's files, so that they survive a power cut. */
export function syncTree(root) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (isWindows && entry.isDirectory()) continue;
    const file = openSync(path.join(entry.parentPath, entry.name), isWindows ? "r+" : "r");
    fsyncSync(file);
    closeSync(file);
  }
}
