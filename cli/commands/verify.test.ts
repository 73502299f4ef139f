import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "@/cli/testing/commands";
import { recordHead } from "@/lib/access/audit/history-heads";
import { HeadCopy, noteHeads } from "@/lib/history/proof/day-heads";
import { recordHour, START } from "@/lib/history/proof/history.fixture";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const hasPython = spawnSync("python3", ["-c", ""]).status === 0;
if (!hasPython) console.warn("SKIPPED: tools/verify.py is not run, because there is no python3");

describe("spotline verify history", () => {
  let testDatabase: TestDatabase;
  let file: string;
  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    const { pool } = testDatabase.db;
    file = join(testDatabase.dataDir, "history-heads");
    for (const hour of [0, 1]) await recordHour(pool, START + hour * HOUR_MS, ["EURUSD", "USDJPY"]);
    const line = await noteHeads(pool, FIRST_FENCE, START + 2 * HOUR_MS);
    if (line !== null) await recordHead(testDatabase.db, line);
    await new HeadCopy({ pool, file, log: silentLog }).copy();
  });
  afterAll(() => testDatabase.cleanup());

  // Without it, recorded ticks of that day would be older than what is retained.
  const env = { SPOTLINE_KEEP_TICKS_DAYS: "3650" };
  const verify = async (...words: string[]) => {
    const { exitCode, stdout } = await run(testDatabase, ["verify", "history", ...words, "--json"], { env });
    return { exitCode, ...(JSON.parse(stdout) as { ok: boolean; findings: { kind: string; symbol: string }[] }) };
  };

  test("says that the history is as it was written, and what wrote it", async () => {
    const { exitCode, stdout } = await run(testDatabase, ["verify", "history"], { env });
    expect(stdout.split("\n")).toEqual([
      "The history is as it was written.",
      "4 hours with 7,080 seconds were compared with their hashes, and 196 bars with these seconds.",
      "  4  recorded",
      "Heads of days: 1, compared with 2 copies.",
      "",
    ]);
    expect(exitCode).toBe(0);
    expect(await verify("--symbol", "eur/usd", "--from", "2026-11-20")).toMatchObject({ ok: true, hours: 2 });
  });

  test("ends with 1 and names the symbol and hour of a changed second", async () => {
    const { pool } = testDatabase.db;
    await pool.query("UPDATE tick_hour SET hour = hour + 2 WHERE symbol = 'USDJPY' AND hour = $1", [START / HOUR_MS]);
    expect(await verify()).toMatchObject({
      ...{ exitCode: 1, ok: false },
      findings: [
        { kind: "added", symbol: "USDJPY", at: "2026-11-20T15" },
        { kind: "missing", symbol: "USDJPY", at: "2026-11-20T13" },
      ],
    });
    const { exitCode, stdout } = await run(testDatabase, ["verify", "history", "--symbol", "USDJPY"], { env });
    expect(stdout).toContain("USDJPY  2026-11-20T13  The hour is missing: it had 1770 seconds (recorded on ");
    expect(exitCode).toBe(1);
    expect(await verify("--symbol", "EURUSD")).toMatchObject({ exitCode: 0, ok: true });
    await pool.query("UPDATE tick_hour SET hour = hour - 2 WHERE symbol = 'USDJPY' AND hour = $1", [
      START / HOUR_MS + 2,
    ]);
    expect(await verify()).toMatchObject({ exitCode: 0 });
  });

  test("compares with a copy that was kept elsewhere", async () => {
    const copy = join(await mkdtemp(join(tmpdir(), "spotline-heads-")), "kept");
    const text = await readFile(file, "utf8");
    await writeFile(copy, text);
    expect(await verify("--heads", copy)).toMatchObject({ ok: true, copied: 3 });
    await writeFile(copy, text.replace(/[\da-f]{64}$/m, "0".repeat(64)));
    expect(await verify("--heads", copy)).toMatchObject({ exitCode: 1, findings: [{ kind: "head", symbol: null }] });
  });

  test("refuses a time that is none, and a range that ends before it begins", async () => {
    const refuse = async (...words: string[]) => (await run(testDatabase, ["verify", "history", ...words])).exitCode;
    expect(await refuse("--from", "yesterday")).toBe(2);
    expect(await refuse("--from", "2026-11-21", "--to", "2026-11-20")).toBe(2);
  });

  describe.runIf(hasPython)("and tools/verify.py, with arithmetic of its own", () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "spotline-exported-"));
      for (const what of ["ticks", "proofs", "spreads", "bars", "bars --timeframe M1", "bars --timeframe M5"]) {
        const words = ["export", ...what.split(" "), "--format", "csv", "--out", folder];
        expect(await run(testDatabase, words, { env }), what).toMatchObject({ exitCode: 0 });
      }
    });
    const check = () => {
      const { status, stdout, stderr } = spawnSync("python3", ["tools/verify.py", "--folder", folder], {
        encoding: "utf8",
      });
      return { status, lines: `${stdout}${stderr}`.trim().split("\n") };
    };
    const getFile = (kind: string) => {
      const names = readdirSync(join(folder, kind), { recursive: true, encoding: "utf8" });
      return join(folder, kind, names.find((name) => /EURUSD-.*\.csv$/.test(name)) ?? "");
    };
    const tamper = async (kind: string, change: (text: string) => string) => {
      const text = await readFile(getFile(kind), "utf8");
      await writeFile(getFile(kind), change(text));
      return () => writeFile(getFile(kind), text);
    };

    test("compares the strength although an operator has added an inverse pair", () => {
      const program = `
import sys, math
sys.path.insert(0, "tools")
import verify
order = verify.MARKET_ORDER
rows = [{"symbol": a + b, "base_currency": a, "quote_currency": b} for i, a in enumerate(order) for b in order[i + 1:]]
rows.append({"symbol": "GBPEUR", "base_currency": "GBP", "quote_currency": "EUR"})
class Server:
    def get(self, path, **query):
        if path == "/v1/symbols":
            return {"data": {"symbols": rows}}
        flat = {currency: {"strength": 5, "change": 0} for currency in order}
        return {"data": {"timestamp": "2026-01-15T00:00:00+00:00", "currencies": flat}}
    def bars(self, symbol, timeframe, limit):
        end = verify.parse_time("2026-01-15T00:00:00+00:00")
        step = verify.TIMEFRAMES[timeframe]
        return [] if symbol == "GBPEUR" else [[end - (i + 1) * step, 1, 1, 1, 1 + (i % 7) * 1e-3, 1] for i in range(300)]
class Report:
    def skip(self, text):
        print("skipped", text)
    def check(self, *words):
        print(words[0], words[2])
verify.check_strength(Report(), Server())`;
      const { stdout, stderr } = spawnSync("python3", ["-c", program], { encoding: "utf8" });
      expect([stderr, stdout.trim().split("\n")]).toEqual(["", expect.arrayContaining(["strengths EUR H1"])]);
      expect(stdout).not.toContain("skipped");
    });

    test("find nothing in what was exported, of which the proofs may be Parquet too", async () => {
      const out = await mkdtemp(join(tmpdir(), "spotline-parquet-"));
      const exported = await run(testDatabase, ["export", "proofs", "--out", out, "--json"], { env });
      expect(JSON.parse(exported.stdout)).toMatchObject({ rows: 4, files: [{ rows: 2 }, { rows: 2 }] });

      expect(check()).toEqual({
        status: 0,
        lines: ["Compared: 172 bars, 4 hours, 4 links, 120 spreads. Differences: 0."],
      });
    });

    test("find a changed price, a removed second and a swapped hour", async () => {
      const changes: [string, (text: string) => string, RegExp][] = [
        [
          "price",
          (text) => text.replace("13:02:07Z,1.08", "13:02:07Z,1.07"),
          /^DIFFERENT {2}hours {2}EURUSD 2026-11-20T13/,
        ],
        ["second", (text) => text.replace(/^.*14:00:30Z.*\r\n/m, ""), /^DIFFERENT {2}hours {2}EURUSD 2026-11-20T14/],
        [
          "hours",
          (text) => text.replaceAll("T13:", "T99:").replaceAll("T14:", "T13:").replaceAll("T99:", "T14:"),
          /^DIFFERENT {2}hours {2}EURUSD 2026-11-20T13/,
        ],
      ];
      for (const [what, change, line] of changes) {
        const restore = await tamper("ticks", change);
        const { status, lines } = check();
        expect(status, what).toBe(1);
        expect(lines[0], what).toMatch(line);
        await restore();
      }
    });

    test("find a hash that was computed for a changed hour, a changed bar and a changed spread", async () => {
      const changes: [string, (text: string) => string, RegExp][] = [
        [
          "proofs",
          (text) => text.replace(/,[\da-f]{64}/, `,${"0".repeat(64)}`),
          /^DIFFERENT {2}links {2}EURUSD 2026-11-20 link 1/,
        ],
        [
          "bars/timeframe=M1",
          (text) => text.replace(/,59\r\n/, ",58\r\n"),
          /^DIFFERENT {2}bars {2}EURUSD M1 2026-11-20T13:00/,
        ],
        [
          "bars/timeframe=M5",
          (text) => text.replace(/,177\r\n/, ",178\r\n"),
          /^DIFFERENT {2}bars {2}EURUSD M5 2026-11-20T13:00/,
        ],
        ["spreads", (text) => text.replace(",59,", ",60,"), /^DIFFERENT {2}spreads {2}EURUSD 2026-11-20T13:00/],
      ];
      for (const [kind, change, line] of changes) {
        const restore = await tamper(kind, change);
        const { status, lines } = check();
        expect(status, kind).toBe(1);
        expect(lines[0], kind).toMatch(line);
        await restore();
      }
    });
  });
});
