import { statSync } from "node:fs";
import { basename } from "node:path";
import { openBi5File } from "@/lib/feeds/files/bi5-rows";
import { findDay } from "@/lib/feeds/files/file-names";
import { openBytes, readHead } from "@/lib/feeds/files/open-bytes";
import { openParquetFile } from "@/lib/feeds/files/parquet/open-parquet-file";
import { FileRefused, IMPORT_TIMEFRAMES, type PriceFile } from "@/lib/feeds/files/price-rows";
import { findTextLayout, type TextLayout } from "@/lib/feeds/files/text-layout";
import { openTextRows } from "@/lib/feeds/files/text-rows";
import { readLines } from "@/lib/feeds/replay/text-lines";
import type { Timeframe } from "@/lib/market/timeframe";
import { MINUTE_MS } from "@/lib/time/units";

/** Lines from which the layout is recognised. */
const SAMPLE_LINES = 5;
/** Rows from which the timeframe of bars is recognised. */
const SAMPLE_BARS = 2_000;
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/** Recognises a file by its content. Throws FileRefused, which says what was expected. */
export function openPriceFile(path: string): PriceFile {
  const bytes = findSize(path);
  const head = readHead(path, 16);
  const magic = String.fromCharCode(...head.subarray(0, 4));
  if (magic === "PARE") throw new FileRefused(path, "the file is encrypted");
  if (head[0] === 0xff || head[0] === 0xfe) {
    throw new FileRefused(path, "the text is UTF-16: save it as UTF-8, or export it again as plain csv");
  }
  if (/\.bi5$/i.test(path) || (head[0] === 0x5d && head[1] === 0)) return openBi5File(path, bytes);
  if (bytes === 0) throw new FileRefused(path, "the file is empty");
  try {
    const file = magic === "PAR1" ? openParquetFile(path, bytes) : openTextFile(path, bytes);
    if (file.kind === "bars" && /(^|[^a-z])ask([^a-z]|$)/i.test(basename(path))) {
      throw new Error("its name says that these are bars of the ask: bars are made of bid prices, so import those");
    }
    return file;
  } catch (error) {
    throw error instanceof FileRefused ? error : new FileRefused(path, (error as Error).message);
  }
}

function findSize(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) throw new FileRefused(path, "there is no such file");
  return found.size;
}

function openTextFile(path: string, bytes: number): PriceFile {
  const sample = openBytes(path);
  const lines = readLines(sample.next);
  const text = new TextDecoder("latin1");
  const firstLines: string[] = [];
  while (firstLines.length < SAMPLE_LINES && lines.next()) {
    const from = firstLines.length === 0 && hasMark(lines.bytes) ? lines.start + UTF8_MARK.length : lines.start;
    firstLines.push(text.decode(lines.bytes.subarray(from, lines.end)));
  }
  if (firstLines.length === 0) throw new Error("the file has no rows");
  const name = sample.innerName() ?? basename(path);
  const layout = findTextLayout(firstLines, name);
  return {
    path,
    format: layout.format,
    kind: layout.kind,
    symbol: layout.at.symbol === -1 ? null : readSymbol(firstLines[layout.hasHeading ? 1 : 0] ?? "", layout),
    zone: layout.zone,
    hasFixedZone: false,
    bytes,
    open(zone) {
      const file = openBytes(path);
      const dayMs = layout.isOfDay ? (findDay(name) ?? findDay(basename(path))) : null;
      return { rows: openTextRows(readLines(file.next), { layout, zone, dayMs }), bytesRead: file.bytesRead };
    },
  };
}

function hasMark(bytes: Uint8Array): boolean {
  return UTF8_MARK.every((byte, at) => bytes[at] === byte);
}

function readSymbol(line: string, { at, delimiter }: TextLayout): string {
  return (line.split(String.fromCharCode(delimiter))[at.symbol] ?? "").trim().replace(/^"|"$/g, "");
}

/** The timeframe of a file of bars: the usual distance of its rows. Throws FileRefused if they cannot be imported. */
export function findTimeframe(file: PriceFile, zone: string): (typeof IMPORT_TIMEFRAMES)[number] {
  const { rows } = file.open(zone);
  const counts = new Map<number, number>();
  let beforeMs = NaN;
  for (let read = 0; read < SAMPLE_BARS && rows.next(); read++) {
    if (rows.fault !== null) continue;
    const step = Math.abs(rows.timeMs - beforeMs) / MINUTE_MS;
    if (step > 0) counts.set(step, (counts.get(step) ?? 0) + 1);
    beforeMs = rows.timeMs;
  }
  const [usual] = [...counts].sort(([a, many], [b, more]) => more - many || a - b);
  const found = IMPORT_TIMEFRAMES.find((timeframe) => MINUTES[timeframe] === usual?.[0]);
  if (found !== undefined) return found;
  const distance = usual === undefined ? "it has fewer than two bars" : `its bars are ${usual[0]} minutes apart`;
  throw new FileRefused(
    file.path,
    `${distance}: expected bars of ${IMPORT_TIMEFRAMES.join(", ")}, since longer ones depend on the broker's day`,
  );
}

const MINUTES: Readonly<Partial<Record<Timeframe, number>>> = { M1: 1, M5: 5, M15: 15, M30: 30, H1: 60 };
