import { readdirSync } from "node:fs";

/** Names of the folders in a folder, in order. Of what is no folder, or not ours to read: none. */
export function foldersIn(path: string): string[] {
  return entriesOf(path)
    .filter((entry) => !entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

/** Names of the files in a folder, in order. */
export function filesIn(path: string): string[] {
  return entriesOf(path)
    .filter((entry) => !entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Whether a folder's name can stand for a source in answers. */
export function isSourceName(name: string): boolean {
  return /^[a-z0-9-]+$/.test(name);
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
