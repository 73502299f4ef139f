import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run, spotline } from "@/cli/testing/commands";
import { openDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { bundle } from "@/lib/platform/testing/bundle";
import { createEmbeddedTestPlace, type TestPlace } from "@/lib/platform/testing/databases";

/** Finds a port on which nothing answers. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("without a server", () => {
  let installation: TestPlace;

  beforeAll(async () => {
    installation = await createEmbeddedTestPlace();
  });
  afterAll(() => installation.remove());

  test("a command opens the embedded database and closes it for the next", async () => {
    const create = ["account", "create", "--email", "a@example.com"];
    const created = await spotline(installation, create, { env: { SPOTLINE_PASSWORD: "correct horse battery" } });
    expect(created).toMatchObject({ exitCode: 0, stderr: "" });
    const limits = ["account", "set-limits", "--email", "a@example.com", "--per-minute", "none", "--per-day", "5"];
    expect(await run(installation, limits)).toMatchObject({ exitCode: 0, stderr: "" });
    const { stdout } = await spotline(installation, ["account", "list"]);
    expect(stdout).toMatch(
      /^EMAIL +ROLE .*\na@example.com +operator +free +none +5 +active +0 +0 +\d{4}-\d\d-\d\d +[\da-f-]{36}\n$/,
    );
  });

  test("a command prints an address at which other programs find the database of a running server", async () => {
    const stopped = await spotline(installation, ["database", "url"]);
    expect(stopped).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^The embedded database runs while/) });
    const database = await openDatabase({ ...installation, log: silentLog });
    const printed = await run(installation, ["database", "url", "--json"]);
    const client = new Client({ connectionString: (JSON.parse(printed.stdout) as { url: string }).url });
    await client.connect();
    expect((await client.query("SELECT count(*)::int AS accounts FROM account")).rows).toEqual([{ accounts: 1 }]);
    await client.end();
    await database.close();
  });

  test("a backup is written and restored by a command", async () => {
    const file = path.join(installation.dataDir, "backup.tar.gz");
    const written = await spotline(installation, ["backup", file]);
    expect(written).toMatchObject({ exitCode: 0, stderr: "" });
    expect(written.stdout).toMatch(/backup\.tar\.gz \([\d.]+ MB\)\.\n$/);
    const refused = await spotline(installation, ["restore", file]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringMatching(/ is not empty: .*\n$/) });
    const dataDir = path.join(installation.dataDir, "restored");
    const restored = await run({ ...installation, dataDir }, ["restore", file, "--json"]);
    expect(JSON.parse(restored.stdout)).toEqual({ data_dir: dataDir, created_at: expect.any(String) });
    expect((await run({ ...installation, dataDir }, ["account", "list", "--json"])).exitCode).toBe(0);

    const verify = async () => {
      const { exitCode, stdout } = await run({ ...installation, dataDir }, ["audit", "verify", "--json"]);
      return { exitCode, ...(JSON.parse(stdout) as { problem: string | null }) };
    };
    expect(await verify()).toMatchObject({ exitCode: 0, ok: true, problem: null, events: 2, without_key: 0 });
    await rm(path.join(dataDir, "secret"));
    expect(await verify()).toMatchObject({ exitCode: 1, events: 0, problem: expect.stringMatching(/another secret/) });
  });

  test("the command line loads no package before it has parsed the command", async () => {
    const { packages } = await bundle("cli/main.ts");
    expect(packages.filter((name) => !name.startsWith("node:"))).toEqual([]);
  });

  test("an invalid command line ends with exit code 2, and help with 0", async () => {
    const invalid = await spotline(installation, ["account", "create", "--name", "x"]);
    expect(invalid).toEqual({ exitCode: 2, stdout: "", stderr: "Unknown option '--name'.\n" });
    const help = await spotline(installation, ["key", "create", "--help"]);
    expect(help).toMatchObject({ exitCode: 0, stderr: "" });
    expect(help.stdout).toContain("--scopes");
  });

  test("the doctor reports no fault of an installation that is not running", async () => {
    const env = { PORT: String(await findFreePort()) };
    const { exitCode, stdout } = await run(installation, ["doctor", "--json"], { env });
    const report = JSON.parse(stdout) as { ok: boolean; findings: { check: string; state: string }[] };
    expect(report.findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
      "node ok",
      "configuration ok",
      "sources ok",
      "address note",
      "push note",
      "data folder ok",
      "database ok",
      "recording note",
      "server note",
    ]);
    expect([report.ok, exitCode]).toEqual([true, 0]);
  });

  test("the doctor reports an https address whose proxy is not trusted", async () => {
    const env = { PORT: String(await findFreePort()), SPOTLINE_URL: "https://prices.example.com" };
    const examine = async (more: Record<string, string>) =>
      (await run(installation, ["doctor"], { env: { ...env, ...more } })).stdout;
    expect(await examine({})).toMatch(/^WRONG +proxies +SPOTLINE_URL is an https address, but no proxy is trusted/m);
    expect(await examine({ SPOTLINE_TRUSTED_PROXIES: "1" })).toMatch(/^OK +proxies/m);
    expect(await examine({ SPOTLINE_TRUSTED_PROXIES: "1", SPOTLINE_HOST: "0.0.0.0" })).toMatch(/^NOTE +proxies/m);
    expect(await examine({ SPOTLINE_TRUSTED_PROXY_ADDRESSES: "10.0.0.7" })).toMatch(/^OK +proxies/m);
  });

  test("the status command names the address at which no server answers", async () => {
    const port = await findFreePort();
    const { exitCode, stdout, stderr } = await spotline(installation, ["status"], { env: { PORT: String(port) } });
    expect([exitCode, stdout, stderr]).toEqual([1, "", `No server answers at http://127.0.0.1:${port}.\n`]);
  });

  test("the doctor reports a database that cannot be reached", async () => {
    const port = await findFreePort();
    const env = { PORT: String(await findFreePort()), DATABASE_URL: `postgres://127.0.0.1:${port}/none` };
    const { exitCode, stdout, stderr } = await run(installation, ["doctor"], { env });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^WRONG +database/m);
    expect(stdout).toContain("1 of 7 checks found something wrong.");
    expect(stderr).toBe("");
  });
});
