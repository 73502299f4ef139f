import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";

/**
 * Addresses for connections between processes of one machine: a Unix socket in a folder, or on Windows a named pipe.
 * `net` and `http` accept either as a path. The platform is a parameter for tests.
 */

/**
 * The address of a name in a folder, the same in every process. Named pipes have no folders, so the folder is part of
 * the name.
 */
export function getLocalSocketPath(folder: string, name: string, platform = process.platform): string {
  if (platform !== "win32") return path.posix.join(folder, name);
  const hash = createHash("sha256").update(path.win32.resolve(folder).toLowerCase()).digest("hex");
  return `\\\\.\\pipe\\spotline-${hash.slice(0, 32)}-${name}`;
}

/** Removes the socket of a process that was killed. A named pipe ends with its process. */
export async function removeLocalSocket(socketPath: string, platform = process.platform): Promise<void> {
  if (platform !== "win32") await rm(socketPath, { force: true });
}
