import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run, spotline } from "@/cli/testing/commands";
import { bundle } from "@/lib/platform/testing/bundle";
import { createTestPlace, type TestPlace } from "@/lib/platform/testing/places";

/** A port on which nothing answers. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("without a server", () => {
  let place: TestPlace;

  beforeAll(async () => {
    place = await createTestPlace("embedded");
  });
  afterAll(() => place.remove());

  test("a command opens the embedded database itself, and leaves it for the next", async () => {
    const create = ["account", "create", "--email", "a@example.com"];
    const made = await spotline(place, create, { env: { SPOTLINE_PASSWORD: "correct horse battery" } });
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    const limits = ["account", "set-limits", "--email", "a@example.com", "--per-minute", "none", "--per-day", "5"];
    expect(await run(place, limits)).toMatchObject({ exitCode: 0, stderr: "" });
    const { stdout } = await spotline(place, ["account", "list"]);
    expect(stdout).toMatch(
      /^EMAIL +ROLE .*\na@example.com +operator +free +none +5 +active +0 +0 +\d{4}-\d\d-\d\d +[\da-f-]{36}\n$/,
    );
  });

  test("the command line loads no package before it knows the command", async () => {
    const { packages } = await bundle("cli/main.ts");
    expect(packages.filter((name) => !name.startsWith("node:"))).toEqual([]);
  });

  test("a mistaken command line has an exit code of its own, and help has none", async () => {
    const mistaken = await spotline(place, ["account", "create", "--name", "x"]);
    expect(mistaken).toEqual({ exitCode: 2, stdout: "", stderr: "Unknown option '--name'.\n" });
    const help = await spotline(place, ["key", "create", "--help"]);
    expect(help).toMatchObject({ exitCode: 0, stderr: "" });
    expect(help.stdout).toContain("--scopes");
  });

  test("the doctor finds nothing wrong with an installation that is merely not running", async () => {
    const env = { PORT: String(await freePort()) };
    const { exitCode, stdout } = await run(place, ["doctor", "--json"], { env });
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

  test("the status names the address at which no server answers", async () => {
    const port = await freePort();
    const { exitCode, stdout, stderr } = await spotline(place, ["status"], { env: { PORT: String(port) } });
    expect([exitCode, stdout, stderr]).toEqual([1, "", `No server answers at http://127.0.0.1:${port}.\n`]);
  });

  test("the doctor finds a database that cannot be reached", async () => {
    const port = await freePort();
    const env = { PORT: String(await freePort()), DATABASE_URL: `postgres://127.0.0.1:${port}/none` };
    const { exitCode, stdout, stderr } = await run(place, ["doctor"], { env });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^WRONG +database/m);
    expect(stdout).toContain("1 of 4 checks found something wrong.");
    expect(stderr).toBe("");
  });
});
