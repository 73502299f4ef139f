import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { createIngestTokens } from "@/lib/access/ingest-tokens";
import { createSourceControl } from "@/lib/access/source-control";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { SourceFollower, TerminalTokens } from "@/lib/runtime/start-history";

describe("the settings of sources", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await openTestDatabase();
  });
  afterAll(() => testDatabase.cleanup());

  test("are followed while the server runs, kept for its next start, and audited", async () => {
    const { db } = testDatabase;
    const control = createSourceControl(db, { now: Date.now });
    const paused: string[][] = [];
    const aliases: object[] = [];
    let fault: Error | null = null;
    const follow = () =>
      new SourceFollower({
        pool: db.pool,
        prices: {
          setPaused: async (names) => void paused.push([...names]),
          setAliases: (wanted) => void aliases.push(Object.fromEntries(wanted)),
          apply: async () => ({ added: ["kraken"], removed: [], changed: [] }),
        },
        async loadSettings() {
          if (fault !== null) throw fault;
          return { feeds: [], sourcePriority: [], file: null };
        },
        log: silentLog,
        pollMs: 10,
      });
    const follower = follow();
    await follower.start();
    expect(paused).toEqual([]);

    await control.pause("oanda", OPERATOR_CLI);
    await control.pause("oanda", OPERATOR_CLI);
    await vi.waitFor(() => expect(paused).toEqual([["oanda"]]), { timeout: 20_000 });

    const [spelling, symbol] = ["constructor", "ger40"];
    expect(await control.alias("oanda", { spelling, symbol: "US30" }, OPERATOR_CLI)).toBe("US30");
    expect(await control.alias("oanda", { spelling, symbol }, OPERATOR_CLI)).toBe("GER40");
    await control.alias("oanda", { spelling, symbol }, OPERATOR_CLI);
    await vi.waitFor(() => expect(aliases.at(-1)).toEqual({ oanda: { constructor: "GER40" } }), { timeout: 20_000 });
    for (const wrong of [
      { spelling: " ", symbol },
      { spelling: "\0", symbol },
      { spelling: "x".repeat(65), symbol },
    ]) {
      await expect(control.alias("oanda", wrong, OPERATOR_CLI)).rejects.toMatchObject({ code: "invalid_spelling" });
    }
    await expect(control.alias("oanda", { spelling, symbol: "nothing" }, OPERATOR_CLI)).rejects.toMatchObject({
      code: "invalid_symbol",
    });

    const request = await control.reload(OPERATOR_CLI);
    const isDone = (number: number) => () => expect(follower.outcome.request).toBe(number);
    await vi.waitFor(isDone(request), { timeout: 20_000 });
    expect(follower.outcome).toEqual({ request, change: { added: ["kraken"], removed: [], changed: [] }, error: null });
    fault = new Error("sources[0].kind: must be simulated");
    await vi.waitFor(isDone(await control.reload(OPERATOR_CLI)), { timeout: 20_000 });
    expect(follower.outcome).toMatchObject({ change: null, error: "sources[0].kind: must be simulated" });
    follower.stop();

    const next = follow();
    await next.start();
    expect(paused).toEqual([["oanda"], ["oanda"]]);
    expect(aliases.at(-1)).toEqual({ oanda: { constructor: "GER40" } });
    await control.unalias("oanda", spelling, OPERATOR_CLI);
    await vi.waitFor(() => expect(aliases.at(-1)).toEqual({}), { timeout: 20_000 });
    await expect(control.unalias("oanda", spelling, OPERATOR_CLI)).rejects.toMatchObject({ code: "alias_not_found" });
    await control.resume("oanda", OPERATOR_CLI);
    await vi.waitFor(() => expect(paused.at(-1)).toEqual([]), { timeout: 20_000 });
    next.stop();
    await expect(control.resume("oanda", OPERATOR_CLI)).rejects.toThrow("The source oanda is not paused.");

    const audit = createAuditLog(db);
    const events = await audit.list({ limit: 10 });
    expect(events.map(({ event, before, after }) => [event, (after ?? before)?.["source"], after?.["symbol"]])).toEqual(
      [
        ["source.resume", "oanda", undefined],
        ["source.unalias", "oanda", undefined],
        ["source.reload", undefined, undefined],
        ["source.reload", undefined, undefined],
        ["source.alias", "oanda", "GER40"],
        ["source.alias", "oanda", "US30"],
        ["source.pause", "oanda", undefined],
      ],
    );
  });
});

describe("the tokens of terminals", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await openTestDatabase();
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
