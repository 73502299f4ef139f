import { readdirSync } from "node:fs";

/** Sorted names of the folders in a folder; none if it is not a folder or cannot be read. */
export function listFolders(path: string): string[] {
  return readEntries(path)
    .filter((entry) => !entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

/** Sorted names of the files in a folder. */
export function listFiles(path: string): string[] {
  return readEntries(path)
    .filter((entry) => !entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Whether a folder's name can be a source's name in answers. */
export function isSourceName(name: string): boolean {
  return /^[a-z0-9-]+$/.test(name);
}

function readEntries(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
