import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spotline } from "@/cli/testing/commands";
import { createTicks, formatTicks, importPath } from "@/lib/history/import/import.fixture";
import { bundle } from "@/lib/platform/testing/bundle";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const createFolder = () => mkdtempSync(join(tmpdir(), "spotline-export-"));

/** Files by their path, without a lock. */
const listBytes = (folder: string) =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [])
    .filter((name) => statSync(join(folder, name)).isFile() && !name.endsWith(".lock"))
    .sort()
    .map((name) => [name.replaceAll("\\", "/"), readFileSync(join(folder, name), "hex")] as const);

describe("spotline export beside a server", () => {
  const MAY = Date.UTC(2024, 4, 1);
  const SYMBOLS = ["EURUSD", "GBPUSD", "USDJPY", "AUDUSD"];
  // The database stays open in this process, as in a server.
  beforeAll(async () => {
    for (const symbol of SYMBOLS) {
      const ticks = [createTicks(MAY, 8_000, 7), createTicks(MAY + 14 * DAY_MS, 8_000, 9)].flat();
      const file = join(createFolder(), `${symbol}.csv`);
      writeFileSync(file, formatTicks(ticks));
      await importPath(testDatabase.db.pool, file, { asIs: true });
    }
  });

  /** Starts an export, and kills it once `isReached` says so of its folder. Returns whether it was still running. */
  async function killAt(folder: string, isReached: () => boolean): Promise<boolean> {
    const { file } = await bundle("cli/main.ts");
    const child = spawn(process.execPath, [file, "export", "ticks", "--out", folder], {
      env: {
        ...process.env,
        SPOTLINE_DATA_DIR: testDatabase.dataDir,
        DATABASE_URL: testDatabase.databaseUrl,
        NODE_ENV: "test",
      },
      stdio: "ignore",
    });
    const ended = new Promise<string | null>((resolve) => child.once("exit", (_, signal) => resolve(signal)));
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    while (!hasEnded && !isReached()) await pause(1);
    child.kill("SIGKILL");
    return (await ended) === "SIGKILL";
  }

  test("leaves no half file under a final name when it is killed, and continues when it is run again", async () => {
    const whole = createFolder();
    expect(await spotline(testDatabase, ["export", "ticks", "--out", whole])).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    const expected = new Map(listBytes(whole));
    expect(expected.size).toBe(1 + SYMBOLS.length);
    const folder = createFolder();
    const names = () => readdirSync(folder, { recursive: true, encoding: "utf8" });
    let kills = 0;
    for (const isReached of [
      () => names().some((name) => name.endsWith(".part")),
      () => names().filter((name) => name.endsWith(".parquet")).length >= 2,
    ]) {
      if (await killAt(folder, isReached)) kills++;
      const finished = listBytes(folder).filter(([name]) => name.endsWith(".parquet"));
      for (const [name, bytes] of finished) expect(bytes).toBe(expected.get(name));
    }
    expect(kills).toBeGreaterThan(0);
    const again = await spotline(testDatabase, ["export", "ticks", "--out", folder, "--json"]);
    expect([again.exitCode, again.stderr]).toEqual([0, ""]);
    expect(listBytes(folder)).toEqual(listBytes(whole));
  });

  test("writes one CSV of all symbols to standard output, and stops without an error when its reader does", async () => {
    const bars = ["export", "bars", "--symbols", "EURUSD,GBPUSD", "--out", "-"];
    const { stdout, stderr, exitCode } = await spotline(testDatabase, bars);
    expect([stderr, exitCode]).toEqual(["", 0]);
    const lines = stdout.split("\r\n");
    expect(lines[0]).toBe("symbol,time,open,high,low,close,volume");
    expect(lines.filter((line) => line.startsWith("symbol")).length).toBe(1);
    expect(lines[1]).toMatch(/^EURUSD,2024-05-01T00:00:00Z,1\.08\d+,1\.08\d+,1\.08\d*,1\.08\d+,\d+$/);
    expect(lines.at(-2)).toMatch(/^GBPUSD,2024-05-15T/);
    const { file } = await bundle("cli/main.ts");
    const command = `"${process.execPath}" "${file}" export ticks --out - | head -n 2; exit "\${PIPESTATUS[0]}"`;
    const env = {
      ...process.env,
      SPOTLINE_DATA_DIR: testDatabase.dataDir,
      DATABASE_URL: testDatabase.databaseUrl,
      NODE_ENV: "test",
    };
    const child = spawn("bash", ["-c", command], { env: env as NodeJS.ProcessEnv });
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += String(chunk)));
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect([errors, code]).toEqual(["", 0]);
  });

  test("fails with the reason on standard error where a named symbol has nothing", async () => {
    const words = ["export", "ticks", "--symbols", "EURUSD,XAUUSD", "--out", "-"];
    const { stdout, stderr, exitCode } = await spotline(testDatabase, words);
    expect([exitCode, stderr]).toEqual([1, "NOTHING EXPORTED: XAUUSD ticks: nothing is stored.\n"]);
    expect(stdout).toMatch(/^symbol,time,bid,ask\r\nEURUSD,/);
  });
});
