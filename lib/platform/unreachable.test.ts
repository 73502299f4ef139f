import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "./database";
import { isDatabaseUnavailable } from "./database-errors";
import { silentLog } from "./log";
import { databaseKinds } from "./testing/databases";
import { createTestPlace, type TestPlace } from "./testing/places";

/** How long the work took to fail, in milliseconds. Checks that it failed because the database was unavailable. */
async function timeToFail(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  const error: unknown = await work().then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(isDatabaseUnavailable(error), String(error)).toBe(true);
  return performance.now() - startedAt;
}

/** A proxy to a server, whose connections can be cut, or whose data can be dropped. */
async function startProxy(target: { host: string; port: number } | null) {
  const sockets = new Set<Socket>();
  let silent = target === null;
  const server = createServer((inbound) => {
    sockets.add(inbound.on("error", () => {}));
    if (target === null) return;
    const outbound = connect(target).on("error", () => {});
    sockets.add(outbound);
    inbound.on("data", (bytes) => silent || outbound.write(bytes)).on("close", () => outbound.destroy());
    outbound.on("data", (bytes) => silent || inbound.write(bytes)).on("close", () => inbound.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent: (value: boolean) => void (silent = value),
    cut: () => sockets.forEach((socket) => socket.destroy()),
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      await once(server.close(), "close");
    },
  };
}

const openAt = (port: number) =>
  openDatabase({ databaseUrl: `postgres://ada:secret@127.0.0.1:${port}/fx`, dataDir: "unused", log: silentLog });

describe("a PostgreSQL that cannot be reached", () => {
  test("fails within two seconds if nothing listens, with the address but not the password", async () => {
    const proxy = await startProxy(null);
    await proxy.close();
    expect(await timeToFail(() => openAt(proxy.port))).toBeLessThan(2_000);
    const message = await openAt(proxy.port).catch((error: Error) => error.message);
    expect(message).toMatch(new RegExp(`^The database 127.0.0.1:${proxy.port}/fx cannot be reached: `));
    expect(message).not.toContain("secret");
  });

  test("fails within two seconds if all packets are dropped", async () => {
    const proxy = await startProxy(null);
    expect(await timeToFail(() => openAt(proxy.port))).toBeLessThan(2_000);
    await proxy.close();
  });
});

describe.runIf(databaseKinds.includes("postgresql"))("a PostgreSQL that becomes unreachable", () => {
  let place: TestPlace;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let db: Database;
  beforeAll(async () => {
    place = await createTestPlace("postgresql");
    const url = new URL(place.databaseUrl ?? "");
    proxy = await startProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.hostname = "127.0.0.1";
    url.port = String(proxy.port);
    db = await openDatabase({ ...place, databaseUrl: url.href, log: silentLog });
  });
  afterAll(async () => {
    await db.close();
    await proxy.close();
    await place.remove();
  });
  const works = () => expect.poll(() => db.prisma.setting.count().catch(() => -1), { timeout: 10_000 }).toBe(0);

  test("fails within two seconds while it does not answer, and works afterwards", async () => {
    await Promise.all(Array.from({ length: 8 }, () => db.pool.query("SELECT 1")));
    proxy.fallSilent(true);
    const times = await Promise.all([
      timeToFail(() => db.prisma.setting.count()),
      timeToFail(() => db.pool.query("SELECT 1")),
      timeToFail(() => db.prisma.$transaction((tx) => tx.setting.count())),
    ]);
    expect(Math.max(...times)).toBeLessThan(2_000);
    proxy.fallSilent(false);
    await works();
  });

  test("is unavailable while connections are cut, and works afterwards", async () => {
    proxy.cut();
    await works();
  });

  test("works again when it has ended every connection, even one inside a transaction", async () => {
    const held = await db.pool.connect();
    await held.query("BEGIN");
    const other = await openDatabase({ ...place, log: silentLog });
    await other.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    await other.close();
    await expect.poll(() => held.query("SELECT 1").then(() => null, isDatabaseUnavailable)).toBe(true);
    held.release(true);
    await works();
  });
});
