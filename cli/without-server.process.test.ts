import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run, spotline } from "@/cli/testing/commands";
import { bundle } from "@/lib/platform/testing/bundle";
import { createTestPlace, type TestPlace } from "@/lib/platform/testing/places";

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
    installation = await createTestPlace("embedded");
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
      "data folder ok",
      "database ok",
      "recording note",
      "server note",
    ]);
    expect([report.ok, exitCode]).toEqual([true, 0]);
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
    expect(stdout).toContain("1 of 4 checks found something wrong.");
    expect(stderr).toBe("");
  });
});
