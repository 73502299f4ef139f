import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createProgress } from "@/cli/commands/upgrade";
import { run } from "@/cli/testing/commands";

describe("the command “upgrade”", () => {
  test("refuses a folder without a database of 0.2.0, in text and in JSON", async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), "spotline-upgrade-"));
    const installation = { databaseUrl: undefined, dataDir, remove: () => rm(dataDir, { recursive: true }) };
    const message = `The data folder ${dataDir} has no database of an earlier version.`;
    expect(await run(installation, ["upgrade"])).toEqual({ exitCode: 1, stdout: "", stderr: `${message}\n` });
    const { stderr } = await run(installation, ["upgrade", "--engine", "0.2.0", "--json"]);
    expect(JSON.parse(stderr)).toEqual({ error: { code: "upgrade_refused", message } });
    await installation.remove();
  });

  test("writes a line for each table with rows, and every ten seconds one for a long table", () => {
    const lines: string[] = [];
    const { report, tables } = createProgress((line) => void lines.push(line));
    const long = [0, 4_000, 10_500, 12_000, 21_000];
    for (const ms of long) report({ table: "bar", rows: ms * 10, ms, isDone: false });
    report({ table: "bar", rows: 250_000, ms: 25_000, isDone: true });
    report({ table: "alert", rows: 0, ms: 3, isDone: true });
    for (const ms of [5_000, 11_000]) report({ table: "tick_hour", rows: 7, ms, isDone: false });
    report({ table: "tick_hour", rows: 12, ms: 12_345, isDone: true });
    expect(lines).toEqual([
      "bar: 105,000 rows, 10.5 s …",
      "bar: 210,000 rows, 21.0 s …",
      "bar: 250,000 rows, 25.0 s",
      "tick_hour: 7 rows, 11.0 s …",
      "tick_hour: 12 rows, 12.3 s",
    ]);
    expect(tables).toEqual({ bar: 250_000, alert: 0, tick_hour: 12 });
  });
});
