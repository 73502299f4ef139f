import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silentLog } from "../log/log";
import { createTestPlace, type TestPlace } from "../testing/databases";
import { type Database, openDatabase } from "./database";
import { isDatabaseUnavailable } from "./database-errors";

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

/** A proxy to a server, whose connections can be cut, and whose data can be dropped or delayed. */
async function startProxy(target: { host: string; port: number } | null) {
  const sockets = new Set<Socket>();
  let silent = target === null;
  let delayed = false;
  const server = createServer((inbound) => {
    sockets.add(inbound.on("error", () => {}));
    if (target === null) return;
    const outbound = connect(target).on("error", () => {});
    sockets.add(outbound);
    inbound.on("data", (bytes) => silent || outbound.write(bytes)).on("close", () => outbound.destroy());
    outbound.on("data", (bytes) => silent || inbound.write(bytes)).on("close", () => inbound.destroy());
    if (delayed) inbound.pause();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent: (value: boolean) => void (silent = value),
    delay(value: boolean) {
      delayed = value;
      for (const socket of sockets)
        if (value) socket.pause();
        else socket.resume();
    },
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

describe("a PostgreSQL that pauses while a server starts", () => {
  /** Opens the database through a proxy that delays all data, and calls `onWarning` with each warning of the log. */
  async function openDelayed(waitMs: number, onWarning: (message: string, resume: () => void) => void) {
    const place = await createTestPlace();
    const url = new URL(place.databaseUrl ?? "");
    const proxy = await startProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.hostname = "127.0.0.1";
    url.port = String(proxy.port);
    proxy.delay(true);
    const warn = (_fields: unknown, message: string) => onWarning(message, () => proxy.delay(false));
    const log = { ...silentLog, warn } as typeof silentLog;
    const opening = openDatabase({ ...place, databaseUrl: url.href, log, waitMs });
    const cleanup = async () => {
      await opening.then((db) => db.close()).catch(() => {});
      await proxy.close();
      await place.remove();
    };
    return { opening, proxy, cleanup };
  }

  test("is waited for, with a line in the log", async () => {
    const warnings: string[] = [];
    const { opening, cleanup } = await openDelayed(30_000, (message, resume) => {
      warnings.push(message);
      resume();
    });
    expect(await (await opening).prisma.setting.count()).toBe(0);
    expect(warnings).toEqual(["the database is unavailable; waiting for it"]);
    await cleanup();
  });

  test("is named when the wait is over", async () => {
    const { opening, proxy, cleanup } = await openDelayed(1, () => {});
    await expect(opening).rejects.toThrow(new RegExp(`^The database 127.0.0.1:${proxy.port}/\\w+ cannot be reached`));
    await cleanup();
  });

  test("delays the queries of the start, and fails those after it within two seconds", async () => {
    const { opening, proxy, cleanup } = await openDelayed(30_000, (_message, resume) => resume());
    const db = await opening;
    const running = await openDatabase({ databaseUrl: db.pool.options.connectionString, dataDir: "", log: silentLog });
    await Promise.all([db.pool.query("SELECT 1"), running.pool.query("SELECT 1")]);
    proxy.delay(true);
    const waiting = Promise.all([db.pool.query("SELECT 1 AS one"), db.prisma.setting.count()]);
    waiting.catch(() => {});
    await timeToFail(() => running.pool.query("SELECT 1"));
    proxy.delay(false);
    expect(await waiting).toMatchObject([{ rows: [{ one: 1 }] }, 0]);
    db.started();
    proxy.delay(true);
    expect(await timeToFail(() => db.pool.query("SELECT 1"))).toBeLessThan(2_000);
    await running.close();
    await cleanup();
  });
});

describe("a PostgreSQL that becomes unreachable", () => {
  let place: TestPlace;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let db: Database;
  beforeAll(async () => {
    place = await createTestPlace();
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

  test("names the setting when the database or the user does not exist", async () => {
    const open = (change: (url: URL) => void) => {
      const url = new URL(place.databaseUrl ?? "");
      change(url);
      return openDatabase({ databaseUrl: url.href, dataDir: "", log: silentLog });
    };
    await expect(open((url) => (url.pathname = "/no_such_database"))).rejects.toThrow(
      'DATABASE_URL gives no access to a database: database "no_such_database" does not exist. Correct its user, ',
    );
    await expect(open((url) => (url.username = "no_such_user"))).rejects.toThrow(/^DATABASE_URL gives no access/);
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
