import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { silentLog } from "../log/log";
import { createTestPlace, type TestPlace } from "../testing/databases";
import { type Database, openDatabase } from "./database";
import { isReadOnlyDatabase } from "./database-errors";
import { Replica } from "./replica";

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** An empty database, or a migrated one, with defaults of its own. */
async function createPlaceWith(defaults: Readonly<Record<string, string>>, { isMigrated = false } = {}) {
  const place = await createTestPlace();
  ended.push(() => place.remove());
  if (isMigrated) await (await open(place)).close();
  await setDefaults(place, defaults);
  return place;
}

async function setDefaults({ databaseUrl = "" }: TestPlace, defaults: Readonly<Record<string, string>>) {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query("CREATE SCHEMA IF NOT EXISTS other");
  const name = new URL(databaseUrl).pathname.slice(1);
  for (const [setting, value] of Object.entries(defaults))
    await admin.query(`ALTER DATABASE "${name}" SET ${setting} = ${value}`);
  await admin.end();
}

async function open(place: TestPlace): Promise<Database> {
  const db = await openDatabase({ ...place, log: silentLog });
  ended.push(() => db.close());
  return db;
}

/** Creates an account and reads it, with what PostgreSQL writes in ways that depend on settings. */
async function useDatabase({ prisma, pool }: Database) {
  const at = new Date("2024-02-03T04:05:06.789Z");
  const data = { email: "ada@example.org", passwordHash: "hash", trialEndsAt: at };
  const { id } = await prisma.account.create({ data });
  expect((await prisma.account.findUnique({ where: { id } }))?.trialEndsAt).toEqual(at);
  const { rows } = await pool.query<{ at: Date; third: number; zone: string; level: string }>(
    `SELECT trial_ends_at AS at, (1::float8 / 3) AS third, current_setting('TimeZone') AS zone,
            current_setting('transaction_isolation') AS level FROM account`,
  );
  expect(rows).toEqual([{ at, third: 1 / 3, zone: "UTC", level: "read committed" }]);
}

const ODD = {
  datestyle: "'German, DMY'",
  timezone: "'Asia/Kolkata'",
  intervalstyle: "sql_standard",
  extra_float_digits: "-5",
  search_path: "other, public",
  statement_timeout: "1",
  bytea_output: "escape",
  default_transaction_isolation: "'serializable'",
};

/** What stands between Spotline and PostgreSQL, and does something else with the options of a session. */
async function placePooler(place: TestPlace, options: "refused" | "ignored"): Promise<TestPlace> {
  const target = new URL(place.databaseUrl ?? "");
  const server = createServer((inbound) => {
    inbound.on("error", () => {});
    inbound.once("data", (bytes: Buffer) => {
      const words = bytes.toString("latin1", 8).split("\0");
      const at = words.findIndex((word, index) => index % 2 === 0 && word === "options");
      if (at !== -1 && options === "refused") return inbound.end(formatRefusal());
      if (at !== -1) words.splice(at, 2);
      const body = Buffer.from(words.join("\0"), "latin1");
      const head = Buffer.from(bytes.subarray(0, 8));
      head.writeUInt32BE(body.length + 8);
      const outbound = connect({ host: target.hostname, port: Number(target.port || 5432) });
      outbound.on("error", () => inbound.destroy());
      outbound.write(Buffer.concat([head, body]));
      inbound.pipe(outbound).pipe(inbound);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  ended.push(() => once(server.close(), "close"));
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return { ...place, databaseUrl: url.href };
}

/** As PgBouncer refuses it. */
function formatRefusal(): Buffer {
  const fields = "SFATAL\0C08P01\0Munsupported startup parameter: options\0\0";
  const head = Buffer.from("E\0\0\0\0", "latin1");
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, Buffer.from(fields, "latin1")]);
}

describe("A PostgreSQL", () => {
  test("is read and written alike under any defaults of its database, from its first start on", async () => {
    const place = await createPlaceWith(ODD);
    const db = await open(place);
    await useDatabase(db);
    await db.close();
    const again = await open(place);
    expect(await again.prisma.account.count()).toBe(1);
    const replica = new Replica({ url: place.databaseUrl ?? "", primary: again.pool, log: silentLog });
    ended.push(() => replica.stop());
    await expect(replica.check()).rejects.toThrow("DATABASE_READ_URL is not a replica that follows a primary");
  });

  test("keeps the options of its address that Spotline has none of its own for", async () => {
    const place = await createPlaceWith({});
    const options = "-c work_mem=7MB -c DateStyle=German";
    const db = await open({ ...place, databaseUrl: `${place.databaseUrl}?options=${encodeURIComponent(options)}` });
    const { rows } = await db.pool.query("SHOW work_mem");
    expect(rows).toEqual([{ work_mem: "7MB" }]);
    await useDatabase(db);
  });

  test.each(["refused", "ignored"] as const)("is used behind a pooler where options are %s", async (how) => {
    const place = await createPlaceWith({ datestyle: "'German, DMY'", timezone: "'Asia/Kolkata'" });
    await useDatabase(await open(await placePooler(place, how)));
  });

  test("is refused in words behind a pooler that leaves unsuitable defaults, and nothing is written", async () => {
    const place = await createPlaceWith({});
    for (const [name, value, fault] of [
      ["search_path", "other", "search_path is other, and does not begin with the schema public"],
      ["search_path", "missing", "none of the schemas of search_path (missing) exists"],
      ["search_path", "public", "extra_float_digits is 0, which rounds numbers; it must be at least 1"],
      ["extra_float_digits", "1", "statement_timeout is 5000 ms; it must be 0, or at least 60 s"],
    ] as const) {
      await setDefaults(place, { extra_float_digits: "0", statement_timeout: "'5s'", [name]: value });
      const message = expect.stringContaining(fault) as string;
      for (const how of ["refused", "ignored"] as const)
        await expect(open(await placePooler(place, how))).rejects.toMatchObject({ code: "DATABASE_REFUSED", message });
    }
    const admin = new pg.Client({ connectionString: place.databaseUrl });
    await admin.connect();
    const { rows } = await admin.query("SELECT tablename FROM pg_tables WHERE schemaname IN ('public', 'other')");
    await admin.end();
    expect(rows).toEqual([]);
  });

  test("that is read-only is refused in words when it is empty, and can be read when it is up to date", async () => {
    const readOnly = { default_transaction_read_only: "on" };
    const message = "DATABASE_URL gives no access to a database: it is read-only: default_transaction_read_only is on";
    await expect(open(await createPlaceWith(readOnly))).rejects.toThrow(message);
    const { prisma } = await open(await createPlaceWith(readOnly, { isMigrated: true }));
    expect(await prisma.account.count()).toBe(0);
    const refused = await prisma.account
      .create({ data: { email: "ada@example.org" } })
      .catch((error: unknown) => error);
    expect(isReadOnlyDatabase(refused)).toBe(true);
    expect(await prisma.account.count()).toBe(0);
  });
});
