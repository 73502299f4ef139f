import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createDirectory, type Directory } from "@/lib/access/admission/directory";
import { hashSecret } from "@/lib/access/keys/key-format";
import { silentLog } from "@/lib/platform/log";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { createTestPlace, type TestPlace } from "@/lib/platform/testing/places";

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as an operator would: in a process of its own, over the settings of `place`. */
function spotline(place: TestPlace, words: string[], { stdin = "", env = {} } = {}): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const database = place.databaseUrl === undefined ? {} : { DATABASE_URL: place.databaseUrl };
  const settings = { PATH, HOME, NODE_ENV: "test" as const, SPOTLINE_DATA_DIR: place.dataDir, ...database, ...env };
  const child = spawn(process.execPath, ["--import", "tsx", "cli/main.ts", ...words], { env: settings });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  child.stdin.end(stdin);
  return new Promise((resolve) => child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr })));
}

/** A port on which nothing answers. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe.each(databaseKinds)("beside a server on %s", (kind) => {
  let place: TestDatabase;
  let directory: Directory;
  const email = "operator@example.com";

  beforeAll(async () => {
    place = await openTestDatabase(kind);
    directory = createDirectory(place.db, { now: Date.now, log: silentLog });
    await directory.start();
  });
  afterAll(async () => {
    directory.stop();
    await place.cleanup();
  });

  test("makes an account and a key and revokes it, and the server follows", async () => {
    const created = await spotline(
      place,
      ["account", "create", "--email", email, "--password", "-", "--plan", "pro", "--json"],
      { stdin: "correct horse battery\n" },
    );
    expect(created).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(created.stdout)).toMatchObject({ email, role: "operator", plan: "pro", per_minute: "plan" });

    const made = await spotline(place, [
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
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    const { id, key, ...rest } = JSON.parse(made.stdout) as { id: string; key: string };
    expect(rest).toMatchObject({ label: "bot", scopes: ["all"], ips: ["::1/128"], state: "active", expires_at: null });
    await vi.waitFor(() => expect(directory.find(hashSecret(key))?.revoked).toBe(false), { timeout: 5_000 });

    const revoked = await spotline(place, ["key", "revoke", "--id", id]);
    expect(revoked).toMatchObject({ exitCode: 0, stderr: "" });
    expect(revoked.stdout).toContain("“bot”");
    await vi.waitFor(() => expect(directory.find(hashSecret(key))?.revoked).toBe(true), { timeout: 5_000 });

    const restored = await spotline(place, ["key", "restore", "--id", id]);
    expect(restored).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("is restored") as string });
    const changes = ["--label", "desk", "--scopes", "quotes", "--ips", "any", "--expires", "2100-01-01"];
    const tooLong = await spotline(place, ["key", "update", "--id", id, ...changes, "--json"]);
    expect(JSON.parse(tooLong.stderr)).toMatchObject({ error: { code: "invalid_expiry" } });
    const updated = await spotline(place, ["key", "update", "--id", id, ...changes, "--expires", "never", "--json"]);
    expect(JSON.parse(updated.stdout)).toMatchObject({ label: "desk", scopes: ["quotes"], ips: [], expires_at: null });
    expect(JSON.parse((await spotline(place, ["key", "disable", "--id", id, "--json"])).stdout)).toMatchObject({
      state: "disabled",
    });
    const rotated = await spotline(place, ["key", "rotate", "--id", id, "--grace", "now", "--json"]);
    const successor = JSON.parse(rotated.stdout) as { id: string; key: string };
    expect(successor).toMatchObject({ replaces: id, replaced: { id, state: "expired", replaced_by: successor.id } });
    expect(directory.find(hashSecret(key))).toBeDefined();
    await vi.waitFor(() => expect(directory.find(hashSecret(successor.key))).toBeDefined(), { timeout: 5_000 });
    expect(await spotline(place, ["key", "revoke", "--id", successor.id])).toMatchObject({ exitCode: 0 });

    const verified = await spotline(place, ["audit", "verify", "--json"]);
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, events: 9 });
    const exported = await spotline(place, ["audit", "export", "--account", email]);
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

    const listed = await spotline(place, ["key", "list", "--account", email, "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      keys: [
        { id: successor.id, state: "revoked" },
        { id, account: email, state: "expired" },
      ],
    });
    expect(listed.stdout).not.toContain(key);
    // A command is a process of its own, and these are many.
  }, 120_000);

  test("finds, suspends and closes an account, and the server follows", async () => {
    const run = async (...words: string[]) => {
      const { stdout, stderr } = await spotline(place, [...words, "--json"]);
      return JSON.parse(stdout || stderr) as Record<string, unknown>;
    };
    const guest = "guest@example.com";
    const env = { SPOTLINE_PASSWORD: "correct horse battery" };
    expect(await spotline(place, ["account", "create", "--email", guest], { env })).toMatchObject({ exitCode: 0 });
    const made = (await run("key", "create", "--account", guest, "--label", "bot")) as { key: string; start: string };
    expect(await run("account", "list", "--search", made.start, "--state", "active")).toMatchObject({
      total: 1,
      accounts: [{ email: guest, active_keys: 1, calls_today: 0, suspended: false }],
    });
    expect(await run("key", "find", "--prefix", made.start)).toMatchObject({ keys: [{ account: guest }] });
    expect(await run("account", "suspend", "--email", guest, "--reason", "unpaid")).toMatchObject({
      suspended: true,
      suspended_reason: "unpaid",
    });
    expect(await run("account", "show", "--email", guest)).toMatchObject({ suspended_reason: "unpaid" });
    expect(await run("account", "resume", "--email", guest)).toMatchObject({ suspended: false });
    for (const step of [["suspend"], ["set-role", "--role", "member"], ["close", "--confirm", email]]) {
      const [verb = "", ...options] = step;
      expect(await run("account", verb, "--email", email, ...options)).toMatchObject({
        error: { code: "last_operator" },
      });
    }
    expect(await run("account", "close", "--email", guest, "--confirm", email)).toMatchObject({
      error: { code: "usage", message: `--confirm must be ${guest}.` },
    });
    expect(directory.find(hashSecret(made.key))?.revoked).toBe(false);
    expect(await run("account", "close", "--email", guest, "--confirm", guest)).toMatchObject({ closed: true });
    await vi.waitFor(() => expect(directory.find(hashSecret(made.key))).toBeUndefined(), { timeout: 5_000 });
    expect(await run("account", "list", "--search", guest)).toEqual({ accounts: [], total: 0 });
  }, 180_000);

  test("says in one sentence what it refuses, as JSON where JSON was asked for", async () => {
    const words = ["account", "set-plan", "--email", "nobody@example.com", "--plan", "pro"];
    const message = "There is no account with the address nobody@example.com.";
    expect(await spotline(place, words)).toEqual({ exitCode: 1, stdout: "", stderr: `${message}\n` });
    const asJson = await spotline(place, [...words, "--json"]);
    expect(asJson).toMatchObject({ exitCode: 1, stdout: "" });
    expect(JSON.parse(asJson.stderr)).toEqual({ error: { code: "account_not_found", message } });
  });
});

describe("without a server", () => {
  let place: TestPlace;

  beforeAll(async () => {
    place = await createTestPlace("embedded");
  });
  afterAll(() => place.remove());

  test("opens the embedded database itself, and leaves it for the next", async () => {
    const create = ["account", "create", "--email", "a@example.com"];
    const made = await spotline(place, create, { env: { SPOTLINE_PASSWORD: "correct horse battery" } });
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    const limits = ["account", "set-limits", "--email", "a@example.com", "--per-minute", "none", "--per-day", "5"];
    expect(await spotline(place, limits)).toMatchObject({ exitCode: 0, stderr: "" });
    const { stdout } = await spotline(place, ["account", "list"]);
    expect(stdout).toMatch(
      /^EMAIL +ROLE .*\na@example.com +operator +free +none +5 +active +0 +0 +\d{4}-\d\d-\d\d +[\da-f-]{36}\n$/,
    );
  });

  test("tells a mistaken command line from a refusal", async () => {
    const mistaken = await spotline(place, ["account", "create", "--name", "x"]);
    expect(mistaken).toEqual({ exitCode: 2, stdout: "", stderr: "Unknown option '--name'.\n" });
    const help = await spotline(place, ["key", "create", "--help"]);
    expect(help).toMatchObject({ exitCode: 0, stderr: "" });
    expect(help.stdout).toContain("--scopes");
  });

  test("finds nothing wrong with an installation that is merely not running", async () => {
    const env = { PORT: String(await freePort()) };
    const { exitCode, stdout } = await spotline(place, ["doctor", "--json"], { env });
    const report = JSON.parse(stdout) as { ok: boolean; findings: { check: string; state: string }[] };
    expect(report.findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
      "node ok",
      "configuration ok",
      "data folder ok",
      "database ok",
      "recording note",
      "server note",
    ]);
    expect([report.ok, exitCode]).toEqual([true, 0]);
  });

  test("says that there is no server whose status could be told", async () => {
    const port = await freePort();
    const { exitCode, stdout, stderr } = await spotline(place, ["status"], { env: { PORT: String(port) } });
    expect([exitCode, stdout, stderr]).toEqual([1, "", `No server answers at http://127.0.0.1:${port}.\n`]);
  });

  test("finds a database that cannot be reached", async () => {
    const port = await freePort();
    const env = { PORT: String(await freePort()), DATABASE_URL: `postgres://127.0.0.1:${port}/none` };
    const { exitCode, stdout, stderr } = await spotline(place, ["doctor"], { env });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^WRONG +database/m);
    expect(stdout).toContain("1 of 4 checks found something wrong.");
    expect(stderr).toBe("");
  });
});
