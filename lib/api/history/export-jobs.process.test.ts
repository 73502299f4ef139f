import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { run } from "@/cli/testing/commands";
import { createDirectory } from "@/lib/access/admission/directory";
import { localWindows } from "@/lib/access/admission/windows";
import { createExportControl } from "@/lib/access/export-control";
import type { PlanName } from "@/lib/access/plans";
import { someAccount, someKey } from "@/lib/access/testing/test-accounts";
import { createCors } from "@/lib/api/engine/cors";
import type { Services } from "@/lib/api/engine/services";
import { createNodeHost } from "@/lib/api/node-host";
import { claimJob, type ExportJob } from "@/lib/export/export-jobs";
import { ExportStore } from "@/lib/export/export-store";
import { createFileLinks } from "@/lib/export/file-links";
import { clearImports, createTicks, formatTicks, importPath, importText } from "@/lib/history/import/import.fixture";
import { TickList } from "@/lib/history/tapes/tape";
import { encodeTape } from "@/lib/history/tapes/tape-block";
import { readKeptTimes, readTapes } from "@/lib/history/tapes/tape-history";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { silentLog } from "@/lib/platform/log/log";
import { bundle } from "@/lib/platform/testing/bundle";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();

const MAY = Date.UTC(2024, 4, 1);
const SYMBOLS = ["EURUSD", "GBPCHF"];
const BUDGET = 1024 ** 3;
/** Three months, of which two have ticks. */
const REQUEST = { what: "ticks", symbols: SYMBOLS, from: "2024-05-01", to: "2024-08-01" };

interface Job {
  readonly id: string;
  readonly state: string;
  readonly error: string | null;
  readonly progress: { readonly files: number; readonly of: number; readonly rows: number } | null;
  readonly expires_at: string | null;
  readonly files: readonly {
    name: string;
    rows: number;
    bytes: number;
    sha256: string;
    complete: boolean;
    url: string;
  }[];
  readonly empty: readonly { symbol: string; reason: string }[];
}

interface ExportList {
  readonly exports: readonly (Omit<Job, "files"> & {
    readonly file_count: number;
    readonly files?: Job["files"];
    readonly url: string;
  })[];
  readonly total: number;
  readonly pagination: object;
}
let server: Server;
let url = "";
/** Moves the clock of the links. */
let aheadMs = 0;
let keys: Record<"pro" | "other" | "starter" | "free" | "euro", string>;

beforeAll(async () => {
  const { db, dataDir } = testDatabase;
  const directory = createDirectory(db, { now: Date.now, log: silentLog });
  await directory.start();
  const exportStore = new ExportStore(dataDir, BUDGET);
  const services = {
    ...{ log: silentLog, noteCall() {}, now: () => Date.now() + aheadMs, marketNow: Date.now, isInPast: false },
    ...{ url: null, publicUrl: "http://127.0.0.1", cors: createCors(null, { hasOrigin: () => false }) },
    ...{ resolver: catalogResolver, directory, windows: localWindows },
    // No other server can have the files.
    database: { ...db, kind: "embedded" },
    ...{ usage: { count() {} }, requestLog: { note() {} }, keyUses: { accepted() {}, refused() {} } },
    ...{ exports: createExportControl(db, { store: exportStore, now: Date.now }), exportStore },
    ...{ fileLinks: createFileLinks("x".repeat(32)), origins: { findMode: () => "simulated" } },
    ...{ keepDays: { ticks: 10_000 }, gaps: { find: () => [] }, book: { hasSource: () => true } },
    readKeptTimes: (...[instrument, range]: Parameters<Services["readKeptTimes"]>) =>
      readKeptTimes((query) => query(db.pool), instrument, range),
    readTapes: (...[instrument, range]: Parameters<Services["readTapes"]>) =>
      readTapes((query) => query(db.pool), instrument, range),
  } as unknown as Services;
  const host = createNodeHost(services, { trustedProxies: { count: 0, addresses: null } as never });
  server = createServer(host).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const createKey = async (plan: PlanName, options = {}) => {
    const { id } = await someAccount(db, plan);
    return (await someKey(db, id, options)).secret;
  };
  const owner = await someAccount(db, "pro");
  keys = {
    pro: (await someKey(db, owner.id)).secret,
    euro: (await someKey(db, owner.id, { symbols: ["EURUSD"] })).secret,
    other: await createKey("pro"),
    starter: await createKey("starter"),
    free: await createKey("free"),
  };
  await directory.refresh();
  for (const [at, symbol] of SYMBOLS.entries()) {
    const ticks = [createTicks(MAY + 7 * HOUR_MS, 9_000, at + 1), createTicks(MAY + 40 * DAY_MS, 4_000, at + 7)].flat();
    const file = join(mkdtempSync(join(tmpdir(), "spotline-import-")), `${symbol}.csv`);
    writeFileSync(file, formatTicks(ticks));
    await importPath(db.pool, file);
  }
}, 120_000);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await testDatabase.cleanup();
});
beforeEach(async () => {
  aheadMs = 0;
  await testDatabase.db.pool.query("DELETE FROM export_job; DELETE FROM tape_hour; DELETE FROM tape_run");
});

async function call(method: string, path: string, key: string | null, body?: unknown) {
  const headers = { ...(key === null ? {} : { "X-API-Key": key }), "Content-Type": "application/json" };
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // A file, or an answer.
  const json = (text.startsWith("{") ? JSON.parse(text) : {}) as {
    data: Job;
    error: { code: string; message: string };
  };
  return { status: response.status, headers: response.headers, ...json };
}

const create = (body: unknown = REQUEST, key = keys.pro) => call("POST", "/v1/export", key, body);
const read = async (id: string, key = keys.pro) => (await call("GET", `/v1/export/${id}`, key)).data;

/** Starts the process of an export. */
async function work(id: string, env: Record<string, string> = {}) {
  const { file } = await bundle("lib/runtime/export-process.ts");
  const settings = {
    ...process.env,
    NODE_ENV: "test",
    SPOTLINE_DATA_DIR: testDatabase.dataDir,
    DATABASE_URL: testDatabase.databaseUrl,
    ...env,
  };
  const child = spawn(process.execPath, [file, id], { env: settings as NodeJS.ProcessEnv, stdio: "pipe" });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const ended = new Promise<{ code: number | null; errors: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, errors }));
  });
  return { child, ended };
}

async function finish(id: string, env = {}): Promise<Job> {
  const { ended } = await work(id, env);
  expect(await ended).toEqual({ code: 0, errors: "" });
  return read(id);
}

const fetchFile = (target: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(target, { method, headers });
const listInodes = (id: string) => {
  const folder = new ExportStore(testDatabase.dataDir, BUDGET).getJobFolder(id);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".parquet"))
    .map((name) => statSync(join(folder, name)).ino)
    .sort();
};

test("An export is begun with 202, written by a process, and read over links without a key", async () => {
  const begun = await create();
  expect([begun.status, begun.headers.get("location")]).toEqual([202, `/v1/export/${begun.data.id}`]);
  expect(begun.data).toMatchObject({ state: "queued", symbols: SYMBOLS, format: "parquet", progress: null, files: [] });
  const done = await finish(begun.data.id);
  expect(done).toMatchObject({ state: "done", error: null, progress: { files: 4, of: 4 }, empty: [] });
  expect(Date.parse(done.expires_at ?? "") - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
  expect(done.files.map(({ name, complete }) => [name, complete])).toEqual(
    SYMBOLS.flatMap((symbol) => ["05", "06"].map((month) => [`${symbol}-ticks-2024-${month}.parquet`, true])),
  );
  // The command writes the same bytes.
  const folder = mkdtempSync(join(tmpdir(), "spotline-export-"));
  const { stdout } = await run(testDatabase, ["export", "ticks", "--out", folder, "--json"]);
  const { files } = JSON.parse(stdout) as { files: { sha256: string }[] };
  expect(done.files.map(({ sha256 }) => sha256)).toEqual(files.map(({ sha256 }) => sha256));
  for (const file of done.files) {
    const response = await fetchFile(file.url);
    const bytes = await response.arrayBuffer();
    expect([response.status, bytes.byteLength]).toEqual([200, file.bytes]);
    expect(createHash("sha256").update(Buffer.from(bytes)).digest("hex")).toBe(file.sha256);
    expect(await parquetReadObjects({ file: bytes })).toHaveLength(file.rows);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/vnd.apache.parquet",
      "content-disposition": `attachment; filename="${file.name}"`,
      "content-length": String(file.bytes),
      "accept-ranges": "bytes",
      etag: `"${file.sha256}"`,
    });
  }
});

test("A file is read in ranges, of which If-Range takes only those of the same file", async () => {
  const { files } = await finish((await create()).data.id);
  const { url: link, bytes, sha256 } = files[0] as Job["files"][number];
  const whole = Buffer.from(await (await fetchFile(link)).arrayBuffer());
  const etag = `"${sha256}"`;
  for (const [range, start, end] of [
    ["bytes=0-99", 0, 100],
    [`bytes=${bytes - 10}-`, bytes - 10, bytes],
    ["bytes=-7", bytes - 7, bytes],
    [`bytes=5-${bytes * 2}`, 5, bytes],
    [`bytes=-${bytes * 2}`, 0, bytes],
  ] as const) {
    for (const headers of [{ Range: range }, { Range: range, "If-Range": etag }] as Record<string, string>[]) {
      const response = await fetchFile(link, headers);
      const part = Buffer.from(await response.arrayBuffer());
      expect([response.status, response.headers.get("content-range")]).toEqual([
        206,
        `bytes ${start}-${end - 1}/${bytes}`,
      ]);
      expect(part.equals(whole.subarray(start, end))).toBe(true);
    }
  }
  for (const headers of [
    { Range: "bytes=0-99", "If-Range": '"another"' },
    { Range: "bytes=0-99", "If-Range": "Wed, 21 Oct 2015 07:28:00 GMT" },
    { Range: "bytes=9-3" },
    { Range: "bytes=-" },
    { Range: "bytes=0-1,5-6" },
    { Range: "lines=1-2" },
  ] as Record<string, string>[]) {
    const response = await fetchFile(link, headers);
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, bytes]);
  }
  for (const range of [`bytes=${bytes}-`, "bytes=-0"]) {
    const response = await fetchFile(link, { Range: range });
    expect([response.status, response.headers.get("content-range")]).toEqual([416, `bytes */${bytes}`]);
    expect(await response.json()).toMatchObject({ error: { code: "RANGE_NOT_SATISFIABLE" } });
  }
  const head = await fetchFile(link, { Range: "bytes=0-9" }, "HEAD");
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([206, "10", ""]);
  expect((await fetchFile(link, { "If-None-Match": etag })).status).toBe(304);
});

test("Closed months are written once for all exports, and again after an import", async () => {
  const [one, other] = [(await create()).data.id, (await create({ ...REQUEST, symbols: ["EURUSD"] })).data.id];
  const [first, second] = [await finish(one), await finish(other)];
  expect(second.files.map(({ sha256 }) => sha256)).toEqual(first.files.slice(0, 2).map(({ sha256 }) => sha256));
  expect(listInodes(one)).toEqual(expect.arrayContaining(listInodes(other)));
  await importText(testDatabase.db.pool, "more.EURUSD.csv", formatTicks(createTicks(MAY + 5 * DAY_MS, 10, 3)));
  const third = await finish((await create({ ...REQUEST, symbols: ["EURUSD"] })).data.id);
  expect(third.files[0]?.sha256).not.toBe(first.files[0]?.sha256);
  expect(third.files[1]?.sha256).toBe(first.files[1]?.sha256);
  // The earlier export still has what its list says.
  const kept = await fetchFile(first.files[0]?.url ?? "");
  expect(
    createHash("sha256")
      .update(Buffer.from(await kept.arrayBuffer()))
      .digest("hex"),
  ).toBe(first.files[0]?.sha256);
});

test("An export whose process is killed is continued by the next one", async () => {
  const { id } = (await create({ ...REQUEST, format: "csv" })).data;
  const { child, ended } = await work(id);
  const { pool } = testDatabase.db;
  for (
    const deadline = Date.now() + 60_000;
    Date.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 5))
  ) {
    if ((await pool.query("SELECT FROM export_job WHERE state = 'running'")).rowCount === 1) break;
  }
  child.kill("SIGKILL");
  await ended;
  expect((await read(id)).state).toBe("running");
  // Nobody else takes it while its process may still be there.
  expect(await claimJob(pool, id)).toBeNull();
  await pool.query("UPDATE export_job SET seen_at = seen_at - interval '11 seconds'");
  const done = await finish(id);
  expect([done.state, done.files.length]).toEqual(["done", 4]);
  const text = await (await fetchFile(done.files[0]?.url ?? "")).text();
  expect(text.split("\r\n")).toHaveLength((done.files[0]?.rows ?? 0) + 2);
});

test("Only keys of the account that may read all of its symbols see an export", async () => {
  const { id } = (await create()).data;
  for (const key of [keys.other, keys.euro]) {
    expect(await call("GET", `/v1/export/${id}`, key)).toMatchObject({
      status: 404,
      error: { code: "EXPORT_NOT_FOUND" },
    });
    expect(await call("DELETE", `/v1/export/${id}`, key)).toMatchObject({ status: 404 });
  }
  for (const odd of ["x", "00000000-0000-4000-8000-000000000000", id.toUpperCase(), "%00"]) {
    expect((await call("GET", `/v1/export/${odd}`, keys.pro)).status).toBe(404);
  }
  expect(await call("GET", `/v1/export/${id}`, null)).toMatchObject({ status: 401 });
  expect(await create(REQUEST, keys.starter)).toMatchObject({ status: 403, error: { code: "PLAN_UPGRADE_REQUIRED" } });
  expect(await create(REQUEST, keys.euro)).toMatchObject({ status: 403, error: { code: "PERMISSION_DENIED" } });
  const calendar = { what: "calendar", from: "2024-05-01", to: "2024-06-01" };
  expect(await create(calendar, keys.free)).toMatchObject({ status: 403, error: { code: "PLAN_UPGRADE_REQUIRED" } });
  expect((await create(calendar, keys.starter)).status).toBe(202);
});

test("The list has the exports of the account that the key may see, by pages, with links if the call includes them", async () => {
  const list = async (query = "", key: string | null = keys.pro) => {
    const answer = await call("GET", `/v1/exports${query}`, key);
    return { ...answer, data: answer.data as unknown as ExportList };
  };
  expect((await list()).data).toEqual({
    ...{ exports: [], total: 0 },
    pagination: { offset: 0, limit: 20, total: 0, has_more: false },
  });
  const both = await finish((await create()).data.id);
  const { id } = (await create({ ...REQUEST, symbols: ["EURUSD"] })).data;
  const { data } = await list();
  expect(data.exports.map((each) => [each.id, each.state, each.file_count])).toEqual([
    [id, "queued", 0],
    [both.id, "done", 4],
  ]);
  const [, done] = data.exports;
  const sum = (get: (file: Job["files"][number]) => number) => both.files.reduce((all, file) => all + get(file), 0);
  expect(done).toMatchObject({
    ...{ rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes), expires_at: both.expires_at },
    url: `http://127.0.0.1:${new URL(url).port}/v1/export/${both.id}`,
  });
  expect(done).not.toHaveProperty("files");
  const linked = (await list("?include=files&offset=1&limit=1")).data;
  expect(linked.pagination).toEqual({ offset: 1, limit: 1, total: 2, has_more: false });
  expect(linked.exports.map(({ files }) => files?.length)).toEqual([4]);
  expect((await fetchFile(linked.exports[0]?.files?.[0]?.url ?? "")).status).toBe(200);
  expect((await list("?limit=1")).data.pagination).toMatchObject({ has_more: true });
  expect((await list("", keys.euro)).data.exports.map((each) => each.id)).toEqual([id]);
  expect((await list("", keys.other)).data.total).toBe(0);
  expect(await list("", null)).toMatchObject({ status: 401 });
  for (const query of ["?limit=0", "?limit=101", "?offset=-1", "?include=links"]) {
    expect(await list(query)).toMatchObject({ status: 400, error: { code: "VALIDATION_ERROR" } });
  }
});

test("A link ends with its time, its export and its key, and is of one file", async () => {
  const { id, files } = await finish((await create()).data.id);
  const [{ url: link }, { url: next }] = files as [Job["files"][number], Job["files"][number]];
  const refuse = async (target: string) => {
    const response = await fetchFile(target);
    return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
  };
  expect(await refuse(link.replace(/token=.*/, new URL(next).search.slice(1)))).toEqual([403, "PERMISSION_DENIED"]);
  expect(await refuse(link.slice(0, -2))).toEqual([403, "PERMISSION_DENIED"]);
  expect(await refuse(link.replace(/\?.*/, ""))).toEqual([400, "VALIDATION_ERROR"]);
  expect(await refuse(link.replace("EURUSD-ticks-2024-05.parquet", "..%2Fmanifest.json"))).toEqual([
    403,
    "PERMISSION_DENIED",
  ]);
  aheadMs = DAY_MS + 1_000;
  expect(await refuse(link)).toEqual([403, "PERMISSION_DENIED"]);
  aheadMs = 0;
  expect((await call("DELETE", `/v1/export/${id}`, keys.pro)).status).toBe(200);
  expect(await refuse(link)).toEqual([404, "EXPORT_NOT_FOUND"]);
  const { rows } = await testDatabase.db.pool.query<{ event: string; after: { what: string } | null }>(
    "SELECT event, after FROM audit_event WHERE event LIKE 'export.%' ORDER BY seq DESC LIMIT 2",
  );
  expect(rows).toMatchObject([
    { event: "export.delete" },
    { event: "export.create", after: { what: "ticks", export: id } },
  ]);
});

test("Files that are not on this machine any more are said to be gone, never sent in part", async () => {
  const { id, files } = await finish((await create()).data.id);
  await new ExportStore(testDatabase.dataDir, BUDGET).removeJob(id);
  const response = await fetchFile(files[0]?.url ?? "");
  expect([response.status, ((await response.json()) as { error: { message: string } }).error.message]).toEqual([
    404,
    "The file is not on the server any more. Export it again.",
  ]);
});

test("An export that finds no room fails with the reason, and leaves no file", async () => {
  const { id } = (await create()).data;
  const store = new ExportStore(testDatabase.dataDir, 1024 ** 2);
  for (const job of await store.listJobs()) await store.removeJob(job);
  const other = store.getJobFolder("00000000-0000-4000-8000-000000000000");
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, "large.parquet"), Buffer.alloc(2 * 1024 ** 2));
  expect(await store.makeRoom()).toBe(false);
  const failed = await finish(id, { SPOTLINE_EXPORT_GB: "0.001" });
  await store.removeJob("00000000-0000-4000-8000-000000000000");
  expect(await store.makeRoom()).toBe(true);
  expect(failed).toMatchObject({
    state: "failed",
    error: expect.stringMatching(/space for exports, .* is used up/),
    files: [],
  });
  expect(await new ExportStore(testDatabase.dataDir, BUDGET).listJobs()).not.toContain(id);
});

/** A day of ticks of two sources: several share a millisecond, and the served source changes each hour. */
async function keepTicks(symbol: string, dayMs: number) {
  const { pool } = testDatabase.db;
  for (let hour = 0; hour < 24; hour += 3) {
    const startMs = dayMs + hour * HOUR_MS;
    for (const [source, digits] of [
      ["alpha", 5],
      ["beta", 6],
    ] as const) {
      const list = new TickList();
      for (let at = 0; at < 200; at++) {
        const timeMs = startMs + Math.floor(at / 3) * 53_000 + (source === "alpha" ? 7 : 8 * (at % 2));
        const bid = 108_000 * 10 ** (digits - 5) + hour * 10 + at;
        const isServed = (source === "alpha") === (hour % 2 === 0);
        list.add({ digits, bid, ask: bid + 12, timeMs, receivedMs: timeMs + 20 + (at % 5), isServed });
      }
      const block = encodeTape(startMs, list.toTape());
      await pool.query("INSERT INTO tape_hour VALUES ($1, $2, $3, 0, 200, $4)", [
        symbol,
        startMs / HOUR_MS,
        source,
        block,
      ]);
    }
  }
  const run = [dayMs - 6 * HOUR_MS, dayMs + DAY_MS, [symbol]];
  await pool.query("INSERT INTO tape_run (since, until, kept) VALUES ($1, $2, $3)", run);
}

interface EveryTick {
  readonly ticks: readonly { time: string; bid: number; ask: number; source: string; received: string }[];
  readonly next_from: string | null;
}

/** Every tick of a day as `/v1/ticks` has it, page by page. */
async function readEveryTick(dayMs: number, source: string | null) {
  const found: unknown[][] = [];
  for (let hour = 0; hour < 24; hour++) {
    for (let from: string | null = new Date(dayMs + hour * HOUR_MS).toISOString(); from !== null;) {
      const query = new URLSearchParams({
        symbol: "EURUSD",
        resolution: "tick",
        limit: hour < 4 ? "150" : "5000",
        from,
      });
      query.set("to", new Date(dayMs + (hour + 1) * HOUR_MS).toISOString());
      if (source !== null) query.set("source", source);
      const { data } = (await call("GET", `/v1/ticks?${query}`, keys.pro)) as unknown as { data: EveryTick };
      for (const { time, bid, ask, source: name, received } of data.ticks)
        found.push([Date.parse(time), name, bid, ask, Date.parse(received)]);
      from = data.next_from;
    }
  }
  return found;
}

test("A day of every tick, exported in one answer or by a process, has the rows of /v1/ticks?resolution=tick", async () => {
  const dayMs = Date.UTC(2024, 4, 20);
  await keepTicks("EURUSD", dayMs);
  const range = { from: "2024-05-20", to: "2024-05-21", resolution: "tick" };
  const path = `/v1/export?what=ticks&symbol=EURUSD&${new URLSearchParams(range)}`;
  const get = (more: string) => fetch(url + path + more, { headers: { "X-API-Key": keys.pro } });

  const csv = await get("");
  expect([csv.status, csv.headers.get("x-coverage")]).toEqual([200, "86400/86400"]);
  expect(csv.headers.get("content-disposition")).toContain("EURUSD-every_tick-20240520T000000Z-20240521T000000Z.csv");
  const [head, ...lines] = (await csv.text()).trimEnd().split("\r\n");
  expect(head).toBe("symbol,time,source,bid,ask,received,served");
  const rows = lines.map((line) => {
    const [, time = "", source, bid, ask, received = "", served] = line.split(",");
    return [Date.parse(time), source, Number(bid), Number(ask), Date.parse(received), Number(served)];
  });
  expect(rows).toHaveLength(2 * 8 * 200);
  const omitServed = (row: readonly unknown[]) => row.slice(0, 5);
  expect(rows.filter((row) => row[5] === 1).map(omitServed)).toEqual(await readEveryTick(dayMs, null));
  for (const source of ["alpha", "beta"])
    expect(rows.filter((row) => row[1] === source).map(omitServed)).toEqual(await readEveryTick(dayMs, source));

  const toRow = ({ time, source, bid, ask, received, served }: Record<string, unknown>) => [
    (time as Date).getTime(),
    source,
    bid,
    ask,
    (received as Date).getTime(),
    served,
  ];
  const parquet = await parquetReadObjects({ file: await (await get("&format=parquet")).arrayBuffer() });
  expect(parquet.map(toRow)).toEqual(rows);
  const { data, status } = await create({ what: "ticks", symbols: ["EURUSD", "GBPCHF"], ...range });
  expect([status, data]).toMatchObject([202, { what: "ticks", resolution: "tick", timeframe: null }]);
  const done = await finish(data.id);
  expect(done.empty).toEqual([{ symbol: "GBPCHF", reason: expect.stringContaining("SPOTLINE_KEEP_TICKS") }]);
  const written = await (await fetchFile(done.files[0]?.url ?? "")).arrayBuffer();
  expect((await parquetReadObjects({ file: written })).map(toRow)).toEqual(rows);
});

test("Every tick of a symbol or time of which it is not kept is refused with the reason and the setting", async () => {
  const dayMs = Date.UTC(2024, 4, 20);
  await keepTicks("EURUSD", dayMs);
  const get = (symbol: string, from: string, to: string) =>
    call("GET", `/v1/export?what=ticks&resolution=tick&symbol=${symbol}&from=${from}&to=${to}`, keys.pro);
  const notKept = { code: "DATA_NOT_FOUND", message: expect.stringContaining("SPOTLINE_KEEP_TICKS") };
  expect(await get("GBPCHF", "2024-05-20", "2024-05-21")).toMatchObject({ status: 404, error: notKept });
  const tick = { what: "ticks", resolution: "tick", from: "2024-05-20", to: "2024-05-21" };
  expect(await create({ ...tick, symbols: ["GBPCHF", "GBPCHF", "USDJPY"] })).toMatchObject({
    status: 404,
    error: { ...notKept, message: expect.stringContaining("of GBPCHF, USDJPY is kept") },
  });
  const before = await get("EURUSD", "2024-05-18", "2024-05-19");
  expect(before).toMatchObject({ status: 404, error: { kept_from: "2024-05-19T18:00:00.000+00:00" } });
  const part = await get("EURUSD", "2024-05-20T20:00", "2024-05-21T04:00");
  expect([part.status, part.headers.get("x-coverage")]).toEqual([200, `${4 * 3_600}/${8 * 3_600}`]);
  expect(await get("EURUSD", "2024-05-20", "2024-05-22")).toMatchObject({ error: { code: "RANGE_TOO_LARGE" } });
  const bars = await call(
    "GET",
    "/v1/export?what=bars&resolution=tick&symbol=EURUSD&from=2024-05-20&to=2024-05-21",
    keys.pro,
  );
  expect(bars).toMatchObject({ status: 400, error: { message: expect.stringContaining("resolution is for ticks") } });
});

test.each<[unknown, number, string]>([
  [{ ...REQUEST, symbols: [] }, 400, "NO_SYMBOLS"],
  [{ ...REQUEST, symbols: ["NOPE"] }, 404, "SYMBOL_NOT_FOUND"],
  [{ ...REQUEST, symbols: "EURUSD" }, 400, "VALIDATION_ERROR"],
  [{ ...REQUEST, what: "news" }, 400, "INVALID_TYPE"],
  [{ ...REQUEST, timeframe: "M1" }, 400, "VALIDATION_ERROR"],
  [{ ...REQUEST, resolution: "tick", what: "bars" }, 400, "VALIDATION_ERROR"],
  [{ ...REQUEST, resolution: "2s" }, 400, "VALIDATION_ERROR"],
  [{ ...REQUEST, from: "2024-08-01" }, 400, "INVALID_RANGE"],
  [{ ...REQUEST, from: "2099-01-01", to: "2099-02-01" }, 400, "INVALID_RANGE"],
  [{ ...REQUEST, from: "1980-01-01", to: "2099-02-01" }, 400, "RANGE_TOO_LARGE"],
  [{ ...REQUEST, what: "calendar" }, 400, "VALIDATION_ERROR"],
  [{ ...REQUEST, format: "arrow" }, 400, "VALIDATION_ERROR"],
  [{ ...REQUEST, from: 20240501 }, 400, "VALIDATION_ERROR"],
  [[], 400, "VALIDATION_ERROR"],
])("POST /v1/export %j is refused with %i %s", async (body, status, code) => {
  expect(await create(body)).toMatchObject({ status, error: { code } });
});

test("An account has three exports that are not finished", async () => {
  const ids = await Promise.all([1, 2, 3].map(async () => (await create()).data.id));
  expect(new Set(ids).size).toBe(3);
  expect(await create()).toMatchObject({ status: 429, error: { code: "TOO_MANY_EXPORTS" } });
  expect((await create(REQUEST, keys.other)).status).toBe(202);
  await call("DELETE", `/v1/export/${ids[0]}`, keys.pro);
  expect((await create()).status).toBe(202);
});

test("A symbol without rows is named with what is stored of it", async () => {
  await clearImports(testDatabase.db.pool);
  const done: Pick<Job, "state" | "files" | "empty"> & Partial<ExportJob> = (await finish(
    (await create({ ...REQUEST, symbols: ["USDJPY"] })).data.id,
  )) as never;
  expect([done.state, done.files, done.empty]).toEqual([
    "done",
    [],
    [{ symbol: "USDJPY", reason: "USDJPY ticks: nothing is stored" }],
  ]);
});
