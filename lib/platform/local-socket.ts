import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { Socket } from "node:net";
import path from "node:path";
import type { PoolConfig } from "pg";

/**
 * Addresses for connections between processes of one machine: a Unix socket in a folder, or on Windows a named pipe.
 * `net` and `http` accept either as a path. The functions take the platform as a parameter for tests.
 */

/** A Unix socket's path holds 107 bytes on Linux and 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100;
const POSTGRES_SOCKET = ".s.PGSQL.5432";

/**
 * The address of a name in a folder, the same in every process. Named pipes have no folders, so the folder is part of
 * the name.
 */
export function getLocalSocketPath(folder: string, name: string, platform = process.platform): string {
  if (platform !== "win32") return path.posix.join(folder, name);
  const hash = createHash("sha256").update(path.win32.resolve(folder).toLowerCase()).digest("hex");
  return `\\\\.\\pipe\\spotline-${hash.slice(0, 32)}-${name}`;
}

/** The address of a folder's database: the name that PostgreSQL clients expect. */
export function getPostgresSocketPath(folder: string, platform = process.platform): string {
  return getLocalSocketPath(folder, POSTGRES_SOCKET, platform);
}

/** Whether the system accepts an address of this length. */
export function fitsLocalSocket(socketPath: string, platform = process.platform): boolean {
  return platform === "win32" || Buffer.byteLength(socketPath) <= MAX_SOCKET_PATH_BYTES;
}

/** Removes the socket of a process that was killed. A named pipe ends with its process. */
export async function removeLocalSocket(socketPath: string, platform = process.platform): Promise<void> {
  if (platform !== "win32") await rm(socketPath, { force: true });
}

/** Connection settings for the database of a folder. `pg` accepts a folder for a Unix socket but not a named pipe. */
export function getPostgresSocketSettings(folder: string, platform = process.platform): PoolConfig {
  if (platform !== "win32") return { host: folder, port: 5432 };
  return { host: "localhost", port: 5432, stream: () => createPipeSocket(getPostgresSocketPath(folder, platform)) };
}

/** A socket that always connects to the given named pipe. */
function createPipeSocket(pipe: string): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket) as (path: string) => Socket;
  socket.connect = (() => connect(pipe)) as Socket["connect"];
  return socket;
}
