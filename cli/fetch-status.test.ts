import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { fetchStatus } from "@/cli/fetch-status";
import { createOperatorTickets, loadSessionSecret } from "@/lib/access/sign-in/tickets";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { systemClock } from "@/lib/platform/timing/clock";

const testDatabase = await openTestDatabase();

describe("the status of a server whose PostgreSQL is read-only", () => {
  let server: Server;
  let sent: string | undefined;

  beforeAll(async () => {
    server = createServer((request, response) => {
      sent = request.headers.authorization;
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(async () => {
    server.close();
    await testDatabase.cleanup();
  });

  test("The command reads the secret of the installation from the database, and writes nothing", async () => {
    const { db, databaseUrl, dataDir } = testDatabase;
    const secret = await loadSessionSecret(db);
    const [{ name } = { name: "" }] = (await db.pool.query<{ name: string }>("SELECT current_database() AS name")).rows;
    await db.pool.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    vi.stubEnv("DATABASE_URL", databaseUrl);
    vi.stubEnv("SPOTLINE_DATA_DIR", dataDir);
    vi.stubEnv("NEXTAUTH_SECRET", undefined);
    vi.stubEnv("PORT", String((server.address() as AddressInfo).port));
    expect(await fetchStatus()).toEqual({});
    expect(createOperatorTickets(secret, systemClock).admits(sent ?? null)).toBe(true);
  });
});

test("A server that does not answer in time is not called a missing one", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  vi.stubEnv("NEXTAUTH_SECRET", "a secret of tests that is long enough");
  vi.stubEnv("PORT", String(port));
  const soon = AbortSignal.timeout(50);
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(soon);
  try {
    const message = `The server at http://127.0.0.1:${port} has not answered within 5 s. Its pages may be starting.`;
    await expect(fetchStatus()).rejects.toThrow(message);
    expect(timeout).toHaveBeenCalledWith(5_000);
  } finally {
    timeout.mockRestore();
    vi.unstubAllEnvs();
    silent.closeAllConnections();
    silent.close();
  }
});
