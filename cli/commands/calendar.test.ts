import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { run } from "@/cli/testing/commands";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const installation = await openTestDatabase();
afterAll(() => installation.cleanup());

const HEADER = "datetime,currency,event,impact,previous,actual";

function writeFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "events-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe("calendar import", () => {
  beforeEach(() => installation.db.pool.query("TRUNCATE calendar_event CASCADE"));

  const importFrom = (path: string) =>
    run(installation, ["calendar", "import", path, "--stream", "primary", "--format", "csv", "--json"]);
  const readEvents = async () =>
    (await installation.db.pool.query("SELECT title, actual FROM calendar_event ORDER BY title")).rows;

  test("A folder is imported in one run, in the order of its files' names", async () => {
    const folder = writeFolder({
      "2.csv": `${HEADER}\n2026-05-04 12:30,USD,CPI m/m,high,0.1%,0.3%\n2026-05-05 12:30,USD,PPI m/m,high,0.1%,`,
      "1.csv": `${HEADER}\n2026-05-04 12:30,USD,CPI m/m,high,0.1%,`,
      "notes.txt": "not a calendar",
    });
    const { exitCode, stdout } = await importFrom(folder);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ files: 2, rows: 3, created: 2, changed: 1, withdrawn: 0 });
    expect(await readEvents()).toEqual([
      { title: "CPI m/m", actual: "0.3%" },
      { title: "PPI m/m", actual: null },
    ]);
  });

  test("A folder with an unreadable file changes nothing, and the error names it", async () => {
    const folder = writeFolder({
      "1.csv": `${HEADER}\n2026-05-04 12:30,USD,CPI m/m,high,0.1%,`,
      "2.csv": `${HEADER}\nsoon,USD,PPI m/m,high,0.1%,`,
    });
    const { exitCode, stderr, stdout } = await importFrom(folder);
    expect(exitCode).not.toBe(0);
    expect(stderr + stdout).toContain("2.csv: Row 1 cannot be read");
    expect(await readEvents()).toEqual([]);
  });

  test("A folder without such a file is refused", async () => {
    const { exitCode, stderr, stdout } = await importFrom(writeFolder({ "notes.txt": "" }));
    expect(exitCode).toBe(2);
    expect(stderr + stdout).toContain("There is no .csv file in");
  });

  test("The report names what was assumed and the columns that are not used, as text and as JSON", async () => {
    const heading = "date,time,currency,event,impact,forecast,surprise";
    const folder = writeFolder({
      "1.csv": `${heading}\n2026-05-04,8:30am,USD,CPI m/m,high,0.1%,0.2%\n2026-05-04,,USD,Core CPI m/m,high,0.1%,`,
    });
    const { exitCode, stdout } = await importFrom(join(folder, "1.csv"));
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 2,
      warnings: ["Column “surprise” has figures and is not used."],
      unused_columns: ["surprise"],
      assumptions: expect.arrayContaining([expect.stringContaining("1 row without a time")]),
    });
    const options = ["--stream", "primary", "--format", "csv", "--blank-times", "all-day"];
    const text = await run(installation, ["calendar", "import", folder, ...options]);
    expect(text.stdout).toContain("Warning: Column “surprise” has figures and is not used.");
    expect(text.stdout).toContain("1 row without a time: whole days.");
    expect(text.stdout).toContain("Columns that are not used: “surprise”.");
  });

  test("A file without events ends with exit code 1", async () => {
    const { exitCode, stdout } = await importFrom(writeFolder({ "1.csv": HEADER }));
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 0, warnings: ["1.csv has no events."] });
  });
});
