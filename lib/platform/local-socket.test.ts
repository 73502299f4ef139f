import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  fitsLocalSocket,
  getLocalSocketPath,
  getPostgresSocketPath,
  getPostgresSocketSettings,
  removeLocalSocket,
} from "@/lib/platform/local-socket";

const LONG_FOLDER = `/data/${"x".repeat(100)}`;

test("On Linux and macOS, a name is a socket in its folder", () => {
  expect(getLocalSocketPath("/data", "http", "linux")).toBe("/data/http");
  expect(getPostgresSocketPath("/data", "darwin")).toBe("/data/.s.PGSQL.5432");
  expect(getPostgresSocketSettings("/data", "linux")).toEqual({ host: "/data", port: 5432 });
});

test("On Windows, a name is a separate pipe for every folder, in any spelling of the folder", () => {
  const pipe = getLocalSocketPath("C:\\Users\\Ann\\data", "http", "win32");
  expect(pipe).toMatch(/^\\\\\.\\pipe\\spotline-[0-9a-f]{32}-http$/);
  expect(getLocalSocketPath("c:\\users\\ann\\data\\", "http", "win32")).toBe(pipe);
  expect(getLocalSocketPath("C:\\Users\\Bob\\data", "http", "win32")).not.toBe(pipe);
  expect(getPostgresSocketPath("C:\\Users\\Ann\\data", "win32")).toBe(pipe.replace(/http$/, ".s.PGSQL.5432"));
});

test("A long folder is refused for a Unix socket, and does not matter to a pipe", () => {
  expect(fitsLocalSocket(getPostgresSocketPath("/data", "linux"), "linux")).toBe(true);
  expect(fitsLocalSocket(getPostgresSocketPath(LONG_FOLDER, "linux"), "linux")).toBe(false);
  expect(fitsLocalSocket(getPostgresSocketPath(LONG_FOLDER, "win32"), "win32")).toBe(true);
});

test("A socket of a killed process is removed, and a pipe needs no removal", async () => {
  const folder = mkdtempSync(join(tmpdir(), "spotline-socket-"));
  const file = join(folder, "http");
  writeFileSync(file, "");
  await removeLocalSocket(file, "win32");
  expect(existsSync(file)).toBe(true);
  await removeLocalSocket(file, "linux");
  await removeLocalSocket(file, "linux");
  expect(existsSync(file)).toBe(false);
  rmSync(folder, { recursive: true });
});

test("On Windows, the database driver connects to the pipe and not to the address it has", async () => {
  const { stream } = getPostgresSocketSettings(mkdtempSync(join(tmpdir(), "spotline-socket-")), "win32");
  const socket = (stream as unknown as () => Socket)();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  // No system but Windows has the pipe, so the attempt fails, although something listens at the address.
  const failure = new Promise<Error & { address?: string }>((resolve) => socket.once("error", resolve));
  socket.connect(port, "127.0.0.1");
  expect((await failure).address).toMatch(/^\\\\\.\\pipe\\spotline-/);
  server.close();
});
