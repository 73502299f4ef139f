import { afterAll, describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createDirectory, type KeyEntry } from "@/lib/access/admission/directory";
import { formatRequestsCsv } from "@/lib/access/requests/request-csv";
import { createRequestLog, REQUEST_RETENTION_MS, type RequestBounds } from "@/lib/access/requests/request-log";
import { countRefusals, findRequest, listRequests } from "@/lib/access/requests/request-report";
import { someAccount, someEntry } from "@/lib/access/testing/test-accounts";
import type { Database } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const noon = Date.UTC(2026, 0, 15, 12);
const FORBIDDEN = { wireCode: "IP_NOT_ALLOWED", message: "This API key may not be used from this address." };
let calls = 0;

function call(nowMs: number, search = "symbol=EURUSD") {
  calls += 1;
  const request = { method: "GET", search, address: () => "::ffff:192.0.2.7" };
  const requestId = calls.toString(16).padStart(32, "0");
  return { requestId, nowMs, match: { path: "/v1/quote", segment: "" }, body: null, call: request };
}

describe("the request log", () => {
  let nowMs = noon;
  const now = () => nowMs;

  const directory = createDirectory(testDatabase.db, { now, log: silentLog });

  const createTestLog = (db: Pick<Database, "pool"> = testDatabase.db, bounds?: RequestBounds) =>
    createRequestLog(db, { now, log: silentLog, ...(bounds && { bounds }) });
  const list = ({ accountId }: KeyEntry, filter = {}) =>
    listRequests(testDatabase.db.pool, { accountId, limit: 1_000, ...filter });

  test("A call is found by its request id, with the reason of its refusal", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    const log = createTestLog();
    const refused = call(noon);
    log.note(entry, refused, 403, FORBIDDEN, 0, 0.125);
    await log.flush();
    const { pool } = testDatabase.db;
    expect(await findRequest(pool, entry.accountId, refused.requestId)).toEqual({
      id: expect.any(Number) as number,
      atMs: noon,
      keyId: entry.id,
      requestId: refused.requestId,
      method: "GET",
      endpoint: "/v1/quote",
      symbols: "EURUSD",
      status: 403,
      code: "IP_NOT_ALLOWED",
      message: FORBIDDEN.message,
      credits: 0,
      address: "192.0.2.7",
      ms: 0.125,
      more: 0,
    });
    const stranger = await someAccount(testDatabase.db);
    expect(await findRequest(pool, stranger.id, refused.requestId)).toBeNull();
    for (const id of ["", "x", "%", refused.requestId.slice(1)]) {
      expect(await findRequest(pool, entry.accountId, id)).toBeNull();
    }
  });

  test("Rows are filtered and paged, newest first", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    const second = await someEntry(testDatabase.db, directory, { owner: entry.accountId });
    const log = createTestLog();
    log.note(entry, call(noon), 200, null, 1, 1);
    log.note(entry, call(noon, "symbol=NOPE%25_"), 404, { wireCode: "SYMBOL_NOT_FOUND", message: "x" }, 0, 1);
    log.note(second, call(noon), 429, { wireCode: "RATE_LIMIT_EXCEEDED", message: "30 a minute" }, 0, 1);
    log.note(second, call(noon), 503, { wireCode: "SERVICE_UNAVAILABLE", message: "later" }, 0, 1);
    await log.flush();
    const statuses = async (filter: object) => (await list(entry, filter)).map(({ status }) => status);
    expect(await statuses({})).toEqual([503, 429, 404, 200]);
    expect(await statuses({ keyId: second.id })).toEqual([503, 429]);
    expect(await statuses({ outcome: "answered" })).toEqual([200]);
    expect(await statuses({ outcome: "refused" })).toEqual([404]);
    expect(await statuses({ outcome: "limited" })).toEqual([429]);
    expect(await statuses({ outcome: "failed" })).toEqual([503]);
    expect(await statuses({ code: "SYMBOL_NOT_FOUND" })).toEqual([404]);
    expect(await statuses({ endpoint: "/v1/ticks" })).toEqual([]);
    expect(await statuses({ text: "nope%" })).toEqual([404]);
    expect(await statuses({ text: "%" })).toEqual([404]);
    expect(await statuses({ text: "a MINUTE" })).toEqual([429]);
    expect(await statuses({ text: "192.0.2." })).toHaveLength(4);
    const [, third] = await list(entry);
    expect(await statuses({ beforeId: third?.id })).toEqual([404, 200]);
    expect(await statuses({ keyId: "not an id" })).toEqual([]);
  });

  test("The reasons of refusals are counted with the calls that have no row", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    const log = createTestLog();
    for (let at = 0; at < 80; at++) log.note(entry, call(noon), 403, FORBIDDEN, 0, 1);
    log.note(entry, call(noon + 5_000), 404, { wireCode: "SYMBOL_NOT_FOUND", message: "x" }, 0, 1);
    log.note(entry, call(noon), 200, null, 1, 1);
    await log.flush();
    expect(await countRefusals(testDatabase.db.pool, entry.accountId)).toEqual([
      { code: "IP_NOT_ALLOWED", calls: 80, lastAtMs: noon },
      { code: "SYMBOL_NOT_FOUND", calls: 1, lastAtMs: noon + 5_000 },
    ]);
  });

  test("Rows of a failed write are kept and written once", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    let mode: "ok" | "refuse" | "lose the answer" = "refuse";
    const query = async (text: string, values: unknown[]) => {
      if (mode === "refuse") throw new Error("unreachable");
      const result = await testDatabase.db.pool.query(text, values);
      if (mode === "lose the answer") throw new Error("connection lost");
      return result;
    };
    const log = createTestLog({ pool: { query } } as unknown as Database);
    log.note(entry, call(noon), 200, null, 1, 1);
    await expect(log.flush()).rejects.toThrow("unreachable");
    mode = "lose the answer";
    await expect(log.flush()).rejects.toThrow("connection lost");
    log.note(entry, call(noon), 200, null, 1, 1);
    mode = "ok";
    await log.flush();
    expect(await list(entry)).toHaveLength(2);
  });

  test("Texts that a database cannot hold do not stop the log", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    const log = createTestLog();
    log.note(
      entry,
      call(noon, "symbol=%00%ED%A0%80"),
      400,
      { wireCode: "VALIDATION_ERROR", message: "\0\ud800" },
      0,
      1e12,
    );
    await log.flush();
    expect(await list(entry)).toMatchObject([{ message: " \ufffd", ms: 2_147_483.647 }]);
  });

  test("Rows of a closed account are left out, and closing deletes the others", async () => {
    const [open, closed] = [await someEntry(testDatabase.db, directory), await someEntry(testDatabase.db, directory)];
    const log = createTestLog();
    log.note(closed, call(noon), 200, null, 1, 1);
    await log.flush();
    await createAccountStatus(testDatabase.db, { now, directory }).close(closed.accountId, OPERATOR_CLI);
    log.note(closed, call(noon), 200, null, 1, 1);
    log.note(open, call(noon), 200, null, 1, 1);
    await log.flush();
    expect(await list(closed)).toEqual([]);
    expect(await list(open)).toHaveLength(1);
  });

  test("Rows are removed after a week, within an hour, without calls too", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    const log = createTestLog();
    nowMs = noon;
    log.note(entry, call(noon), 200, null, 1, 1);
    log.note(entry, call(noon + DAY_MS), 200, null, 1, 1);
    await log.flush();
    nowMs = noon + REQUEST_RETENTION_MS + HOUR_MS;
    await log.flush();
    expect((await list(entry)).map(({ atMs }) => atMs)).toEqual([noon + DAY_MS]);
    nowMs = noon;
  });

  test("An account, and all accounts together, have at most their number of rows", async () => {
    const [entry, other] = [await someEntry(testDatabase.db, directory), await someEntry(testDatabase.db, directory)];
    const log = createTestLog(testDatabase.db, { ofAccount: 10, inAll: 15 });
    for (let at = 0; at < 30; at++) log.note(entry, call(noon + at * 1_000), 200, null, 1, 1);
    await log.flush();
    const rows = await list(entry);
    expect(rows).toHaveLength(10);
    expect(rows.at(-1)?.atMs).toBe(noon + 20_000);
    for (let at = 0; at < 8; at++) log.note(other, call(noon + at * 1_000), 200, null, 1, 1);
    await log.flush();
    expect(await list(other)).toHaveLength(8);
    expect(await list(entry)).toHaveLength(7);
  });

  test("The CSV has no text that a spreadsheet would run as a formula", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    const log = createTestLog();
    const formula = call(noon, "symbol==1%2B1");
    log.note(entry, formula, 404, { wireCode: "SYMBOL_NOT_FOUND", message: "=1+1 is unknown" }, 0, 0.5);
    await log.flush();
    expect(formatRequestsCsv(await list(entry), new Map([[entry.id, "=desk"]]))).toBe(
      "time,request_id,key_id,key,method,endpoint,symbols,status,code,message,credits,address,ms,more\r\n" +
        `2026-01-15T12:00:00.000Z,${formula.requestId},${entry.id},'=desk,GET,/v1/quote,'=1+1,404,SYMBOL_NOT_FOUND,` +
        "'=1+1 is unknown,0,192.0.2.7,0.5,0\r\n",
    );
  });
});
