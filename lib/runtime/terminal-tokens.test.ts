import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { createIngestTokens } from "@/lib/access/ingest-tokens";
import { silentLog } from "@/lib/platform/log/log";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { TerminalTokens } from "@/lib/runtime/terminal-tokens";

describe.each(databaseKinds)("the tokens of terminals on %s", (kind) => {
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await openTestDatabase(kind);
  });
  afterAll(() => testDatabase.cleanup());

  test("are followed with their sources, stored as hashes, and audited", async () => {
    const { db } = testDatabase;
    const tokens = createIngestTokens(db, { now: Date.now });
    const applied: string[][] = [];
    const loadSettings = async () => ({ feeds: [], sourcePriority: [], file: null });
    const followed = new TerminalTokens({ pool: db.pool, loadSettings, log: silentLog, pollMs: 10 });
    await followed.load();
    followed.start({
      async apply({ feeds }) {
        applied.push(feeds.map(({ name, symbols }) => [name, ...(symbols ?? [])].join(" ")));
        return { added: [], removed: [], changed: [] };
      },
    });
    const until = (list: string[]) => vi.waitFor(() => expect(applied.at(-1)).toEqual(list), { timeout: 20_000 });

    const { id, secret, ...created } = await tokens.create(" icm ", OPERATOR_CLI);
    expect(created).toMatchObject({ source: "icm", lastUsedAtMs: null, endedAtMs: null });
    await until(["icm"]);
    expect(followed.find(secret)).toMatchObject({ id, source: "icm" });
    for (const wrong of ["", secret.slice(1), `${secret} `]) expect(followed.find(wrong)).toBeNull();
    await db.pool.query("UPDATE ingest_token SET symbols = '{EURUSDm}'");
    await until(["icm EURUSDm"]);

    await expect(tokens.create("icm", OPERATOR_CLI)).rejects.toThrow("icm has a token");
    await expect(tokens.create("alpha", OPERATOR_CLI, ["alpha"])).rejects.toThrow("another source");
    for (const name of ["", "Ic", "a--b", "a b", "é", "x".repeat(41)]) {
      await expect(tokens.create(name, OPERATOR_CLI)).rejects.toThrow("lower-case letters");
    }
    await tokens.end(id, OPERATOR_CLI);
    await until([]);
    expect(followed.find(secret)).toBeNull();
    await expect(tokens.end(id, OPERATOR_CLI)).rejects.toThrow("no such token");
    await tokens.create("icm", OPERATOR_CLI);
    await until(["icm"]);
    followed.stop();

    const { rows } = await db.pool.query("SELECT to_jsonb(ingest_token)::text AS row FROM ingest_token");
    const events = await createAuditLog(db).list({ limit: 10 });
    expect(events.map(({ event, after }) => [event, after?.["source"]])).toEqual([
      ["ingest_token.create", "icm"],
      ["ingest_token.end", "icm"],
      ["ingest_token.create", "icm"],
    ]);
    expect(JSON.stringify([rows, events])).not.toContain(secret);
  });
});
