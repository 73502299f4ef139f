import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { run, spotline } from "@/cli/testing/commands";
import { createDirectory, type Directory } from "@/lib/access/admission/directory";
import { hashSecret } from "@/lib/access/secret";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();

describe("with a running server", () => {
  let directory: Directory;
  const email = "operator@example.com";

  beforeAll(async () => {
    directory = createDirectory(testDatabase.db, { now: Date.now, log: silentLog });
    await directory.start();
  });
  afterAll(async () => {
    directory.stop();
    await testDatabase.cleanup();
  });

  test("commands create and revoke an account and a key, and the server loads the changes", async () => {
    const created = await spotline(
      testDatabase,
      ["account", "create", "--email", email, "--password", "-", "--plan", "pro", "--json"],
      { stdin: "correct horse battery\n" },
    );
    expect(created).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(created.stdout)).toMatchObject({ email, role: "operator", plan: "pro", per_minute: "plan" });

    const createdKey = await spotline(testDatabase, [
      "key",
      "create",
      "--account",
      email,
      "--label",
      "bot",
      "--ips",
      "::1",
      "--json",
    ]);
    expect(createdKey).toMatchObject({ exitCode: 0, stderr: "" });
    const { id, key, ...rest } = JSON.parse(createdKey.stdout) as { id: string; key: string };
    expect(rest).toMatchObject({ label: "bot", scopes: ["all"], ips: ["::1/128"], state: "active", expires_at: null });
    await vi.waitFor(() => expect(directory.find(hashSecret(key))?.revoked).toBe(false), { timeout: 5_000 });

    const revoked = await spotline(testDatabase, ["key", "revoke", "--id", id]);
    expect(revoked).toMatchObject({ exitCode: 0, stderr: "" });
    expect(revoked.stdout).toContain("“bot”");
    await vi.waitFor(() => expect(directory.find(hashSecret(key))?.revoked).toBe(true), { timeout: 5_000 });

    const restored = await run(testDatabase, ["key", "restore", "--id", id]);
    expect(restored).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("is restored") as string });
    const changes = ["--label", "desk", "--scopes", "quotes", "--ips", "any", "--expires", "2100-01-01"];
    const tooLong = await run(testDatabase, ["key", "update", "--id", id, ...changes, "--json"]);
    expect(JSON.parse(tooLong.stderr)).toMatchObject({ error: { code: "invalid_expiry" } });
    const updated = await run(testDatabase, ["key", "update", "--id", id, ...changes, "--expires", "never", "--json"]);
    expect(JSON.parse(updated.stdout)).toMatchObject({ label: "desk", scopes: ["quotes"], ips: [], expires_at: null });
    expect(JSON.parse((await run(testDatabase, ["key", "disable", "--id", id, "--json"])).stdout)).toMatchObject({
      state: "disabled",
    });
    const rotated = await run(testDatabase, ["key", "rotate", "--id", id, "--grace", "now", "--json"]);
    const successor = JSON.parse(rotated.stdout) as { id: string; key: string };
    expect(successor).toMatchObject({ replaces: id, replaced: { id, state: "expired", replaced_by: successor.id } });
    expect(directory.find(hashSecret(key))).toBeDefined();
    await vi.waitFor(() => expect(directory.find(hashSecret(successor.key))).toBeDefined(), { timeout: 5_000 });
    expect(await run(testDatabase, ["key", "revoke", "--id", successor.id])).toMatchObject({ exitCode: 0 });

    const verified = await run(testDatabase, ["audit", "verify", "--json"]);
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, events: 9, without_key: 0 });
    const exported = await run(testDatabase, ["audit", "export", "--account", email]);
    const lines = exported.stdout.trimEnd().split(/\r?\n/);
    expect(lines[0]).toMatch(/^seq,at,event,actor,account_id,/);
    expect(lines.slice(1).map((line) => line.split(",")[2])).toEqual([
      "account.create",
      "key.create",
      "key.revoke",
      "key.restore",
      "key.update",
      "key.disable",
      "key.rotate",
      "key.create",
      "key.revoke",
    ]);
    expect(exported.stdout).not.toContain(successor.key);

    const listed = await run(testDatabase, ["key", "list", "--account", email, "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      keys: [
        { id: successor.id, state: "revoked" },
        { id, account: email, state: "expired" },
      ],
    });
    expect(listed.stdout).not.toContain(key);
  });

  test("commands find, suspend and close an account, and the server loads the changes", async () => {
    const runJson = async (...words: string[]) => {
      const { stdout, stderr } = await run(testDatabase, [...words, "--json"]);
      return JSON.parse(stdout || stderr) as Record<string, unknown>;
    };
    const guest = "guest@example.com";
    const env = { SPOTLINE_PASSWORD: "correct horse battery" };
    expect(await run(testDatabase, ["account", "create", "--email", guest], { env })).toMatchObject({ exitCode: 0 });
    const createdKey = (await runJson("key", "create", "--account", guest, "--label", "bot")) as {
      key: string;
      start: string;
    };
    expect(await runJson("account", "list", "--search", createdKey.start, "--state", "active")).toMatchObject({
      total: 1,
      accounts: [{ email: guest, active_keys: 1, calls_today: 0, suspended: false }],
    });
    expect(await runJson("key", "find", "--prefix", createdKey.start)).toMatchObject({ keys: [{ account: guest }] });
    expect(await runJson("account", "suspend", "--email", guest, "--reason", "unpaid")).toMatchObject({
      suspended: true,
      suspended_reason: "unpaid",
    });
    expect(await runJson("account", "show", "--email", guest)).toMatchObject({ suspended_reason: "unpaid" });
    expect(await runJson("account", "resume", "--email", guest)).toMatchObject({ suspended: false });
    for (const step of [["suspend"], ["set-role", "--role", "member"], ["close", "--confirm", email]]) {
      const [verb = "", ...options] = step;
      expect(await runJson("account", verb, "--email", email, ...options)).toMatchObject({
        error: { code: "last_operator" },
      });
    }
    expect(await runJson("account", "close", "--email", guest, "--confirm", email)).toMatchObject({
      error: { code: "usage", message: `--confirm must be ${guest}.` },
    });
    expect(directory.find(hashSecret(createdKey.key))?.revoked).toBe(false);
    expect(await runJson("account", "close", "--email", guest, "--confirm", guest)).toMatchObject({ closed: true });
    await vi.waitFor(() => expect(directory.find(hashSecret(createdKey.key))).toBeUndefined(), { timeout: 5_000 });
    expect(await runJson("account", "list", "--search", guest)).toEqual({ accounts: [], total: 0 });
  });

  test("a key has the limits and permissions of its options, and an end that the installation allows", async () => {
    const owner = ["--account", "limits@example.com"];
    const created = await run(testDatabase, ["account", "create", "--email", "limits@example.com"], {
      env: { SPOTLINE_PASSWORD: "correct horse battery" },
    });
    expect(created).toMatchObject({ exitCode: 0 });
    const permissions = [
      "--endpoints",
      "/v1/quote",
      "--symbols",
      "forex,XAUUSD",
      "--origins",
      "https://app.example.com",
    ];
    const words = ["key", "create", ...owner, "--label", "desk", ...permissions, "--per-minute", "5", "--per-day", "9"];
    const create = (...end: string[]) =>
      run(testDatabase, [...words, ...end, "--json"], { env: { SPOTLINE_MAX_KEY_LIFETIME_DAYS: "30" } });
    const within = "A key must expire in the future, within 30 days, which the operator set.";
    for (const end of [[], ["--expires", new Date(Date.now() + 31 * DAY_MS).toISOString()]]) {
      const error = { code: "invalid_expiry", message: within };
      expect(JSON.parse((await create(...end)).stderr)).toEqual({ error });
    }
    const { stdout } = await create("--expires", new Date(Date.now() + 29 * DAY_MS).toISOString());
    const { id, key } = JSON.parse(stdout) as { id: string; key: string };
    await vi.waitFor(() => expect(directory.find(hashSecret(key))).toBeDefined(), { timeout: 5_000 });
    const listed = await run(testDatabase, ["key", "list", ...owner, "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      keys: [
        {
          id,
          endpoints: ["/v1/quote"],
          symbols: ["forex", "XAUUSD"],
          origins: ["https://app.example.com"],
          per_minute: 5,
          per_day: 9,
        },
      ],
    });
  });

  test("a refused command prints one sentence, or JSON with --json", async () => {
    const words = ["account", "set-plan", "--email", "nobody@example.com", "--plan", "pro"];
    const message = "There is no account with the address nobody@example.com.";
    expect(await spotline(testDatabase, words)).toEqual({ exitCode: 1, stdout: "", stderr: `${message}\n` });
    const asJson = await spotline(testDatabase, [...words, "--json"]);
    expect(asJson).toMatchObject({ exitCode: 1, stdout: "" });
    expect(JSON.parse(asJson.stderr)).toEqual({ error: { code: "account_not_found", message } });
  });
});
