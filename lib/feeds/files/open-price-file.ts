import { statSync } from "node:fs";
import { basename } from "node:path";
import { openBi5File } from "@/lib/feeds/files/bi5-rows";
import { findNameFault } from "@/lib/feeds/files/file-names";
import { openBytes, readHead, readLines } from "@/lib/feeds/files/open-bytes";
import { openParquetFile } from "@/lib/feeds/files/parquet";
import { FileRefused, type PriceFile } from "@/lib/feeds/files/price-rows";
import { findTextLayout, openTextRows, type TextLayout } from "@/lib/feeds/files/text-rows";
import { toDayMs } from "@/lib/time/iso-time";

/** Lines from which the layout is recognised. */
const SAMPLE_LINES = 5;
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/**
 * Recognises a file by its content. Throws FileRefused, which says what was expected.
 * @param decimals of prices that the format writes without a decimal point; undefined for the vendor's own
 */
export function openPriceFile(path: string, decimals?: number): PriceFile {
  const bytes = findSize(path);
  const fault = findNameFault(path);
  if (fault !== null) throw new FileRefused(path, fault);
  const head = readHead(path, 16);
  const magic = String.fromCharCode(...head.subarray(0, 4));
  if (magic === "PARE") throw new FileRefused(path, "the file is encrypted");
  if (head[0] === 0xff || head[0] === 0xfe) {
    throw new FileRefused(path, "the text is UTF-16: save it as UTF-8, or export it again as plain csv");
  }
  if (/\.bi5$/i.test(path) || (head[0] === 0x5d && head[1] === 0)) return openBi5File(path, bytes, decimals);
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
    innerName: sample.innerName(),
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

/** The day that a name has as eight digits: the UTC milliseconds of its midnight; null if there is none. */
function findDay(name: string): number | null {
  const match = /(?:^|\D)(\d{4})(\d\d)(\d\d)(?=\D|$)/.exec(name);
  return match === null ? null : toDayMs(Number(match[1]), Number(match[2]), Number(match[3]));
}
