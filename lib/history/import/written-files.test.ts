import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";
import { TIMEFRAME_MINUTES } from "@/lib/history/bars/bar-rows";
import { HELD, Judge } from "@/lib/history/import/judge";
import { planFile } from "@/lib/history/import/plan-import";
import { writeOdd } from "@/lib/history/import/written-odd.fixture";
import { writeParquetCase } from "@/lib/history/import/written-parquet.fixture";
import type { Row, WrittenFile } from "@/lib/history/import/written-series.fixture";
import { writeCase, writeDamaged } from "@/lib/history/import/written-texts.fixture";
import { VENDORS, writeVendor } from "@/lib/history/import/written-vendors.fixture";
import { manyRuns } from "@/lib/text/property-runs.fixture";
import { MINUTE_MS } from "@/lib/time/units";

/** The same rows, written in thousands of ways. Whatever is read must be these rows. A failure shows the seed and the text. */

const UNTIL = Date.UTC(2026, 0);

interface Read {
  readonly rows: Row[];
  readonly refused: Record<string, number>;
  readonly notes: readonly string[];
}

/** What the command would store of a file: it is planned, read and judged. Throws if no row can be stored. */
async function read(path: string, options: WrittenFile["options"]): Promise<Read> {
  const { tasks, leftOut } = await planFile(path, options);
  const found: Read = { rows: [], refused: {}, notes: tasks.flatMap(({ file }) => file.text?.notes ?? []) };
  const [missing] = leftOut.filter(({ hasPrices }) => hasPrices);
  if (missing !== undefined) throw new Error(missing.reason);
  for (const { file, instrument, timeframe, key, isClock, isAligned, isEnd, levels } of tasks) {
    const stepMs = timeframe === null ? 0 : TIMEFRAME_MINUTES[timeframe] * MINUTE_MS;
    const judge = new Judge({ instrument, untilMs: UNTIL, stepMs, isAligned, isEnd, levels });
    const take = (verdict: string | null, row: Judge["row"]) => {
      if (verdict !== null) return void (found.refused[verdict] = (found.refused[verdict] ?? 0) + 1);
      judge.accept(row);
      const { timeMs, bid, ask, open, high, low, close, volume } = row;
      const { symbol } = instrument;
      found.rows.push(
        timeframe === null ? [symbol, timeMs, bid, ask] : [symbol, timeMs, open, high, low, close, volume],
      );
    };
    const takeDecided = () => {
      for (const each of judge.decided) take(each.verdict, each);
      judge.decided = [];
    };
    const { rows } = file.open(key.zone, isClock);
    let fault: string | null = null;
    while (rows.next()) {
      fault ??= rows.fault;
      const verdict = judge.judge(rows);
      takeDecided();
      if (verdict !== HELD) take(verdict, judge.row);
    }
    judge.finish();
    takeDecided();
    if (found.rows.length === 0 && fault !== null && Object.keys(found.refused).join() === "malformed")
      throw new Error(`expected ${fault}`);
  }
  return found;
}

const sort = (rows: readonly Row[]) => [...new Set(rows.map((row) => JSON.stringify(row)))].sort();

/** What is wrong with what was read of a file; null if nothing is. */
function findFault({ rows, refused, notes }: Read, file: WrittenFile): string | null {
  const own = new Set(sort(file.rows));
  // A volume may be unreadable, which is counted as none, or be cut at the end, which is noted.
  const withoutVolume = new Set(sort(file.rows.map((row) => row.slice(0, 6))));
  const mayBeCut = notes.some((note) => note.includes("may be cut"));
  const isOwn = (row: Row) =>
    own.has(JSON.stringify(row)) ||
    (file.isDamaged &&
      row.length === 7 &&
      (row[6] === 0 || mayBeCut) &&
      withoutVolume.has(JSON.stringify(row.slice(0, 6))));
  const other = rows.find((row) => !isOwn(row));
  if (other !== undefined) return `another row: ${JSON.stringify(other)}, as ${[...own][0] ?? ""}`;
  if (file.isDamaged) return null;
  const doubts = file.mayDoubt ? (refused["ambiguous_time"] ?? 0) : 0;
  const cut = file.drawn["hasRest"] === true && (refused["malformed"] ?? 0) > (file.refused["malformed"] ?? 0) ? 1 : 0;
  if (file.refusal !== null && !file.mayBeRead)
    return file.refusal.test(JSON.stringify(refused)) && rows.length === 0 ? null : "it was read";
  const missing = own.size - sort(rows).length;
  if (missing > doubts + cut) return `${missing} rows are missing`;
  const others = { ...refused };
  if (doubts > 0) return null;
  if (cut > 0) others["malformed"] = (others["malformed"] ?? 0) - 1;
  const refusals = (counts: Readonly<Record<string, number>>) =>
    JSON.stringify(
      Object.entries(counts)
        .filter(([, count]) => count > 0)
        .sort(),
    );
  return refusals(others) === refusals(file.refused)
    ? null
    : `refused ${refusals(others)}, not ${refusals(file.refused)}`;
}

/** Reads files and lists what is wrong, with what was drawn. */
async function readAll(files: readonly WrittenFile[]) {
  const dir = writeFiles(Object.fromEntries(files.map(({ path, bytes }, i) => [`${i}/${path}`, bytes])));
  const wrong: Record<string, unknown>[] = [];
  let refused = 0;
  for (const [i, file] of files.entries()) {
    let fault: string | null;
    try {
      // Some series jump to a level that their symbol never had.
      const isOfLevel = file.refusal?.source.includes("near") === true;
      const options = isOfLevel ? file.options : { ...file.options, asIs: true };
      fault = findFault(await read(join(dir, String(i), file.path), options), file);
    } catch (error) {
      refused++;
      const { message } = error as Error;
      fault = file.isDamaged || file.refusal?.test(message) === true ? null : message;
    }
    if (fault !== null) wrong.push({ fault, ...file.drawn, options: file.options });
  }
  return { wrong, refused };
}

const list = (count: number, write: (seed: number) => WrittenFile) => Array.from({ length: count }, (_, i) => write(i));

test.each([
  ["text, in thousands of ways", () => list(2_000, writeCase), 0.1],
  ["Parquet", () => list(200, writeParquetCase), 0],
  [
    "vendors, platforms and libraries write them",
    () => Object.keys(VENDORS).flatMap((label) => list(4, (seed) => writeVendor(label, seed))),
    0.3,
  ],
  ["odd files of many kinds", () => list(manyRuns(600, 60), writeOdd), 0.75],
  ["text and archives of which a part is lost or changed", () => list(800, writeDamaged), 1],
] as const)(
  "Rows that are written as %s are read as they are, or the file is refused with the reason.",
  async (_, write, mostRefused) => {
    const files = write();
    const { wrong, refused } = await readAll(files);
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(refused).toBeLessThanOrEqual(mostRefused * files.length);
  },
);
