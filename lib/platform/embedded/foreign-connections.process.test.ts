import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { getPostgresSocketPath } from "../local-socket";
import { silentLog } from "../log/log";
import { openOwnTestDatabase, type TestDatabase } from "../testing/databases";
import { createTestPlace, type TestPlace } from "../testing/places";
import { startEmbeddedServer } from "./embedded-server";
import { serveSessions } from "./serve-sessions.mjs";

const clients: pg.Client[] = [];

/** Connects as another program does, or under the application name of Spotline's own processes. */
async function connect(dataDir: string, name = "psql"): Promise<pg.Client> {
  const client = new pg.Client({ host: dataDir, user: "postgres", database: "postgres", application_name: name });
  client.on("error", () => {});
  await client.connect();
  clients.push(client);
  return client;
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end().catch(() => {})));
});

/** The types of the messages that each read of the socket brings. */
async function readTypes(client: pg.Client, work: () => unknown, end: string): Promise<string[]> {
  const { stream } = (client as unknown as { connection: { stream: NodeJS.ReadableStream } }).connection;
  const reads: string[] = [];
  await new Promise<void>((resolve) => {
    stream.on("data", (data: Buffer) => {
      let types = "";
      for (let at = 0; at < data.length; at += 1 + data.readInt32BE(at + 1))
        types += String.fromCharCode(data[at] ?? 0);
      reads.push(types);
      if (types.endsWith(end)) resolve();
    });
    work();
  });
  stream.removeAllListeners("data");
  return reads;
}

describe("another program on the embedded database", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await openOwnTestDatabase("embedded");
  });
  afterAll(() => testDatabase.cleanup());

  const foreign = () => connect(testDatabase.dataDir);
  const readOne = async (client: pg.Client | pg.Pool, sql: string): Promise<unknown> =>
    Object.values(((await client.query(sql)).rows[0] ?? {}) as object)[0];
  const ownWorks = async () => {
    const { pool, prisma } = testDatabase.db;
    expect(await readOne(pool, "SELECT count(*)::int FROM access_revision")).toBe(1);
    expect(await prisma.accessRevision.count()).toBe(1);
  };

  test.each([
    "SELECT set_config('search_path', '', false)",
    "SET search_path = pg_catalog",
    "SET ROLE pg_monitor",
    "SET SESSION AUTHORIZATION pg_monitor",
    "CREATE TEMP TABLE access_revision (id int)",
    "SET default_transaction_read_only = on",
  ])("leaves the server's queries as they are after: %s", async (sql) => {
    const program = await foreign();
    await program.query(sql);
    await ownWorks();
    await testDatabase.db.prisma.setting.upsert({
      where: { name: "written" },
      create: { name: "written", value: sql },
      update: { value: sql },
    });
    await program.end();
    await ownWorks();
  });

  test("changes neither the zone nor the number format of the server's session", async () => {
    const program = await foreign();
    await program.query("SET TIME ZONE 'Asia/Tokyo'");
    await program.query("SET extra_float_digits = -10");
    const { pool } = testDatabase.db;
    expect((await pool.query("SELECT current_setting('TimeZone') AS zone, 1 / 3::float8 AS third")).rows).toEqual([
      { zone: "UTC", third: 1 / 3 },
    ]);
  });

  test("keeps its own settings, role and prepared statements while the server works", async () => {
    const program = await foreign();
    await program.query("SELECT set_config('search_path', '', false)");
    await program.query("SET TIME ZONE 'Asia/Tokyo'");
    await program.query("PREPARE plus (int) AS SELECT $1 + 1 AS sum");
    const named = { name: "twice", text: "SELECT $1::int * 2 AS twice", values: [21] };
    await program.query(named);
    await program.query("SET ROLE pg_monitor");
    const other = await foreign();
    await other.query("SET TIME ZONE 'America/New_York'");
    await ownWorks();
    expect((await program.query("EXECUTE plus (1)")).rows).toEqual([{ sum: 2 }]);
    await ownWorks();
    expect((await program.query(named)).rows).toEqual([{ twice: 42 }]);
    expect(await readOne(program, "SHOW search_path")).toBe("");
    expect(await readOne(program, "SHOW TimeZone")).toBe("Asia/Tokyo");
    expect(await readOne(program, "SELECT current_user::text")).toBe("pg_monitor");
    expect(await readOne(other, "SHOW TimeZone")).toBe("America/New_York");
    expect(await readOne(testDatabase.db.pool, "SELECT count(*)::int FROM pg_prepared_statements")).toBe(0);
  });

  test("does not send its notifications to the server", async () => {
    const own = await testDatabase.db.pool.connect();
    const received: unknown[] = [];
    own.on("notification", (message) => received.push(message));
    const program = await foreign();
    await program.query("LISTEN prices");
    await own.query("NOTIFY prices, 'now'");
    await own.query("SELECT 1");
    own.release();
    expect(received).toEqual([]);
  });

  test("that drops its connection inside a transaction leaves nothing behind", async () => {
    const program = await foreign();
    await program.query("SELECT set_config('search_path', '', false)");
    await program.query("BEGIN");
    await program.query("INSERT INTO public.setting VALUES ('left', '1')");
    (program as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    await ownWorks();
    expect(await testDatabase.db.prisma.setting.count({ where: { name: "left" } })).toBe(0);
  });

  test("gets an error for COPY FROM STDIN, and can continue", async () => {
    const program = await foreign();
    await expect(program.query("COPY setting FROM STDIN")).rejects.toThrow(
      "COPY FROM STDIN is not possible on the embedded database",
    );
    expect(await readOne(program, "SELECT 1")).toBe(1);
    await ownWorks();
  });

  test("gets the answers to the messages of a statement together, but errors at once, and all when it asks for them", async () => {
    const client = await foreign();
    const { connection } = client as unknown as {
      connection: { parse(query: object): void; flush(): void; stream: { destroy(): void } };
    };
    expect(await readTypes(client, () => client.query("SELECT pg_sleep($1)", [0.1]), "Z")).toEqual(["12TDCZ"]);
    const parse = () => {
      connection.parse({ text: "SELECT 1", types: [] });
      connection.flush();
    };
    expect(await readTypes(client, parse, "1")).toEqual(["1"]);
    const parseNonsense = () => connection.parse({ text: "SELEC", types: [] });
    expect(await readTypes(client, parseNonsense, "E")).toEqual(["E"]);
    connection.stream.destroy();
  });
});

describe("a transaction on the embedded database", () => {
  const SHORT_MS = 50;
  const LONG_MS = 60_000;
  let place: TestPlace;
  let pglite: PGlite;
  let server: Awaited<ReturnType<typeof serveSessions>> | undefined;
  beforeAll(async () => {
    place = await createTestPlace("embedded");
    pglite = await PGlite.create(path.join(place.dataDir, "postgres"));
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });
  afterAll(async () => {
    await pglite.close();
    await place.remove();
  });

  const serve = async (limits: { transactionLimitMs: number; idleLimitMs: number }) => {
    const onBroken = (error: unknown) => expect.unreachable(String(error));
    server = await serveSessions(pglite, getPostgresSocketPath(place.dataDir), { ...limits, onBroken });
  };
  const endOf = (client: pg.Client) => new Promise<Error>((resolve) => client.once("error", resolve));
  const own = () => connect(place.dataDir, "spotline");

  test.each([
    [{ transactionLimitMs: SHORT_MS, idleLimitMs: LONG_MS }, "keep one open for 0.05 s"],
    [{ transactionLimitMs: LONG_MS, idleLimitMs: SHORT_MS }, "leave one idle for 0.05 s"],
  ])("of another program is rolled back after its limit, with a reason: %j", async (limits, reason) => {
    await serve(limits);
    const program = await connect(place.dataDir);
    const ended = endOf(program);
    await program.query("BEGIN");
    await program.query("INSERT INTO setting VALUES ('held', '1')");
    expect((await (await own()).query("SELECT * FROM setting WHERE name = 'held'")).rows).toEqual([]);
    expect(await ended).toMatchObject({ code: "25P04", message: expect.stringContaining(reason) as string });
  });

  test("may be idle while the server does not wait for it, and while it sends statements", async () => {
    await serve({ transactionLimitMs: LONG_MS, idleLimitMs: 4 * SHORT_MS });
    const program = await connect(place.dataDir);
    const server = await own();
    await program.query("BEGIN");
    await new Promise((resolve) => setTimeout(resolve, 8 * SHORT_MS));
    await program.query("INSERT INTO setting VALUES ('kept', '1')");
    const read = server.query("SELECT value FROM setting WHERE name = 'kept'");
    for (let statements = 0; statements < 16; statements++) await program.query("SELECT pg_sleep(0.025)");
    await program.query("COMMIT");
    expect((await read).rows).toEqual([{ value: "1" }]);
  });

  test("of one other program is all that the server waits for, however many have begun one", async () => {
    await serve({ transactionLimitMs: 4 * SHORT_MS, idleLimitMs: SHORT_MS });
    const server = await own();
    await server.query("CREATE SEQUENCE turn");
    const programs = [await connect(place.dataDir), await connect(place.dataDir), await connect(place.dataDir)];
    const ends = programs.map(endOf);
    const begun = programs.map(async (program) => {
      // pg has one result for each statement.
      const results = (await program.query(
        "BEGIN; SELECT nextval('turn')::int AS turn",
      )) as unknown as pg.QueryResult[];
      return (results[1]?.rows as unknown[])[0];
    });
    await begun[0];
    const readTurn = async () => (await server.query("SELECT nextval('turn')::int AS turn")).rows as unknown[];
    expect(await readTurn()).toEqual([{ turn: 2 }]);
    expect(await readTurn()).toEqual([{ turn: 4 }]);
    expect(await Promise.all(begun)).toEqual([{ turn: 1 }, { turn: 3 }, { turn: 5 }]);
    await server.query("DROP SEQUENCE turn");
    await Promise.all(ends);
  });
});

test("a statement of another program that takes too long is ended by a restart of the database", async () => {
  const place = await createTestPlace("embedded");
  const folder = path.join(place.dataDir, "postgres");
  const server = await startEmbeddedServer(folder, getPostgresSocketPath(place.dataDir), silentLog, 50);
  const own = await connect(place.dataDir, "spotline");
  await own.query("INSERT INTO setting VALUES ('kept', '1')");
  const program = await connect(place.dataDir);
  await expect(program.query("SELECT count(*) FROM generate_series(1, 1e12::bigint)")).rejects.toThrow(/terminated/);
  const readAgain = async () => {
    const client = await connect(place.dataDir, "spotline");
    return (await client.query("SELECT value FROM setting WHERE name = 'kept'")).rows as unknown[];
  };
  await expect.poll(() => readAgain().catch(() => []), { timeout: 20_000 }).toEqual([{ value: "1" }]);
  await server.stop();
  await place.remove();
});
