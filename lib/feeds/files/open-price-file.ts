import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { openBi5File } from "@/lib/feeds/files/bi5-rows";
import { describeColumns, findSourceColumns } from "@/lib/feeds/files/column-names";
import { findNameFault } from "@/lib/feeds/files/file-names";
import {
  type Content,
  listContents,
  openText,
  readHead,
  readLines,
  readTail,
  takeOnce,
} from "@/lib/feeds/files/open-bytes";
import { openParquetFile } from "@/lib/feeds/files/parquet";
import { FileRefused, type PriceFile, type TextFacts } from "@/lib/feeds/files/price-rows";
import {
  findTextLayout,
  type SampleLine,
  splitLine,
  type TextLayout,
  type TextOptions,
} from "@/lib/feeds/files/text-layout";
import { decode, listTextSymbols, openTextRows } from "@/lib/feeds/files/text-rows";
import { findDateOrder } from "@/lib/feeds/files/text-times";
import { DATA_MODES } from "@/lib/market/bar";
import { toNameText } from "@/lib/text/text";
import { toDayMs } from "@/lib/time/iso-time";

/** Lines from which the layout is recognised: M1 bars of these reach from a night to the next noon. */
const SAMPLE_LINES = 1_000;

interface FileOptions extends TextOptions {
  /** The decimals of prices that the format writes without a decimal point; undefined for the vendor's own. */
  readonly decimals?: number | undefined;
}

/** What a path holds: files of prices, and the files of an archive that are not imported. */
export interface OpenedFile {
  readonly files: readonly PriceFile[];
  readonly leftOut: readonly LeftOutFile[];
}

/** A file of a folder or of an archive that is not imported. */
export interface LeftOutFile {
  readonly path: string;
  readonly reason: string;
  /** Whether it looks like a file of prices, so that prices may be missing without it. */
  readonly hasPrices: boolean;
}

/**
 * Recognises what a path holds by its content: one file, or all files of a zip. Throws FileRefused, which says what was
 * expected, if there is none of prices.
 */
export function openPriceFiles(path: string, options: FileOptions = {}): OpenedFile {
  const bytes = findSize(path);
  const nameFault = findNameFault(path);
  if (nameFault !== null) throw new FileRefused(path, nameFault);
  const head = readHead(path, 16);
  const magic = String.fromCharCode(...head.subarray(0, 4));
  if (magic === "PARE") throw new FileRefused(path, "the file is encrypted");
  if (/\.bi5$/i.test(path) || (head[0] === 0x5d && head[1] === 0))
    return { files: [openBi5File(path, bytes, options.decimals)], leftOut: [] };
  if (bytes === 0) throw new FileRefused(path, "the file is empty");
  const refuse = (error: unknown) =>
    error instanceof FileRefused ? error : new FileRefused(path, (error as Error).message);
  try {
    if (magic === "PAR1")
      return { files: [requireBid(openParquetFile(path, bytes, options.columns), path)], leftOut: [] };
    const contents = listContents(path, bytes);
    const [only] = contents;
    if (only === undefined) throw new Error("the archive has no file");
    if (contents.length === 1) return { files: [openTextFile(path, path, only, options)], leftOut: [] };
    return openMembers(path, contents, options);
  } catch (error) {
    throw refuse(error);
  }
}

function openMembers(path: string, contents: readonly Content[], options: TextOptions): OpenedFile {
  const files: PriceFile[] = [];
  const leftOut: LeftOutFile[] = [];
  for (const content of contents) {
    const name = content.name ?? "";
    const own = join(path, name);
    try {
      const nameFault = findNameFault(own);
      if (nameFault !== null) throw new Error(nameFault);
      files.push(openTextFile(path, own, content, options));
    } catch (error) {
      leftOut.push({
        path: own,
        reason: `${toNameText(own)}: ${(error as Error).message}`,
        hasPrices: looksLikePrices(name, () => readStart(content)),
      });
    }
  }
  if (files.length > 0) return { files, leftOut };
  const reasons = leftOut.map(({ reason }) => reason.slice(toNameText(path).length + 1)).slice(0, 5);
  throw new Error(`the archive has no file of prices: ${reasons.join("; ")}`);
}

/** Endings of files that hold data; a text of another ending holds prices if its lines begin like rows of them. */
const DATA_FILE =
  /\.(?:csv|tsv|parquet|pq|bi5|zip|gz|zst|bz2|xz|7z|rar|hst|fxt|hcc|tkc|feather|arrow|orc|h5|hdf5?|pkl|xlsx?)$/i;
const PRICE_LINE = /^"?\d[\d .:/T-]{7,}[^,;\t]*"?[,;\t]\s*"?[\d.]+"?[,;\t]\s*"?[\d.]+/m;
const PRICE_JSON =
  /^\s*[[{][^]*?(?:\[\s*"?\d{9,19}"?,\s*"?[\d.]+"?,|"(?:\d\. )?(?:open|high|low|close|bid|ask|bidprice|askprice|[ohlc])"\s*:)/i;
const HEAD_BYTES = 4_096;

/** Whether a file that cannot be imported may be one of prices, by its name or its first bytes. */
export function looksLikePrices(name: string, readFirst = () => readHead(name, HEAD_BYTES)): boolean {
  if (DATA_FILE.test(name)) return true;
  try {
    const text = new TextDecoder("latin1").decode(readFirst());
    return PRICE_LINE.test(text) || PRICE_JSON.test(text);
  } catch {
    return true;
  }
}

function readStart(content: Content): Uint8Array {
  if (content.fault !== null) throw new Error(content.fault);
  return (content.open().next() ?? new Uint8Array(0)).subarray(0, HEAD_BYTES);
}

function findSize(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) throw new FileRefused(path, "there is no such file");
  return found.size;
}

function requireBid(file: PriceFile, name: string): PriceFile {
  if (file.kind !== "bars" || !/(^|[^a-z])ask([^a-z]|$)/i.test(basename(name))) return file;
  throw new Error("its name says that these are bars of the ask: bars are made of bid prices, so import those");
}

/** @param path as reports name it; for a file of an archive, its name in the archive behind the archive's path */
function openTextFile(archive: string, path: string, content: Content, options: TextOptions): PriceFile {
  if (content.fault !== null) throw new Error(content.fault);
  let whole: Uint8Array | undefined;
  const openLines = () => {
    const text =
      whole === undefined
        ? openText(content.open())
        : { encoding: "UTF-8" as const, next: takeOnce(whole), bytesRead: () => content.bytes, whole };
    whole = text.whole;
    return { text, lines: readLines(text.next) };
  };
  const { text, lines } = openLines();
  const sample: SampleLine[] = [];
  while (sample.length < SAMPLE_LINES && lines.next()) {
    sample.push({ number: lines.number, text: decode(lines.bytes, lines.start, lines.end) });
  }
  if (sample.length === 0) throw new Error("the file has no rows");
  const name = content.name ?? basename(archive);
  const found = findTextLayout(sample, name, options, content.name === null ? "" : basename(archive));
  const layout = found.isOrderOpen ? settleDateOrder(found, openLines().lines) : found;
  const symbols = layout.at.symbol === -1 ? [] : listTextSymbols(openLines().lines, layout);
  const dayMs = layout.isOfDay ? (findDay(name) ?? findDay(basename(archive))) : null;
  const isCut = layout.lastField?.of === "volume" && content.name === null && !endsLine(path);
  const facts = describeText(isCut ? { ...layout, notes: [...layout.notes, MAY_BE_CUT] } : layout, {
    member: content.name,
    encoding: text.encoding,
  });
  const streams = findStreams(() => openLines().lines, layout, symbols);
  const { modes, modeColumn } = findModes(() => openLines().lines, layout);
  const toFile = (symbol: string | null, stream: Stream | null = null): PriceFile => ({
    ...(stream === null || stream.isServed ? {} : { source: stream.key }),
    modes,
    path,
    format: layout.format,
    kind: layout.kind,
    innerName: path === archive ? content.name : null,
    symbol,
    zone: layout.zone,
    hasFixedZone: layout.hasFixedZone && layout.zone !== null,
    bytes: content.bytes,
    columns: describeColumns(
      layout,
      Array.from({ length: layout.fields }, (_, index) => layout.headings[index] || `column ${index + 1}`),
    ),
    text: stream?.isServed === true ? { ...facts, notes: [...facts.notes, ONLY_SERVED] } : facts,
    open(zone, isClock = false) {
      const opened = openLines();
      const only = stream?.key ?? (symbols.length > 1 ? symbol : null);
      const keys = stream === null ? { layout, symbols } : { layout: stream.layout, symbols: stream.keys };
      const rows = openTextRows(opened.lines, { ...keys, zone, dayMs, isClock, only, modeColumn });
      return { rows, bytesRead: opened.text.bytesRead };
    },
  });
  const [named = null] = symbols;
  const files = streams.length > 0 ? streams.map((each) => toFile(named, each)) : symbols.map((each) => toFile(each));
  const [first = toFile(null)] = files;
  return requireBid(files.length > 1 ? { ...first, series: files } : first, name);
}

const ONLY_SERVED = "only the rows that were served are read: the file has those of several sources";

/** The rows of one source among several, named by a column beside the prices. */
interface Stream {
  /** The layout with that column in place of the symbol's, and the values of it. */
  readonly layout: TextLayout;
  readonly keys: readonly string[];
  /** The value of its own rows: a source, or that they were served. */
  readonly key: string;
  readonly isServed: boolean;
}

/**
 * The sources of a file, which are not one stream of prices; those that were served alone if the file tells them, and none
 * for a file of one source. Throws an Error if it has several symbols too.
 */
function findStreams(
  open: () => ReturnType<typeof readLines>,
  layout: TextLayout,
  symbols: readonly string[],
): Stream[] {
  const { headings, at } = layout;
  const columns = findSourceColumns(headings, (index) => Object.values(at).includes(index));
  const list = (index: number) => {
    const keyed = { ...layout, at: { ...at, symbol: index } };
    return { layout: keyed, keys: index === -1 ? [] : listTextSymbols(open(), keyed) };
  };
  const sources = list(columns.source);
  if (sources.keys.length < 2) return [];
  const several = `its rows are of several sources (column "${headings[columns.source]}": ${sources.keys.slice(0, 5).join(", ")})`;
  if (symbols.length > 1) throw new Error(`${several} and of several symbols: split it into a file for each symbol`);
  const served = list(columns.served);
  const yes = served.keys.find((each) => /^(?:1|true|t|yes|y)$/i.test(each));
  if (yes === undefined) return sources.keys.map((key) => ({ ...sources, key, isServed: false }));
  return [
    { layout: served.layout, keys: [yes, ...served.keys.filter((each) => each !== yes)], key: yes, isServed: true },
  ];
}

/** The data modes of the rows, if a column beside the prices tells them, as in a CSV of an export. */
function findModes(open: () => ReturnType<typeof readLines>, { at, ...layout }: TextLayout) {
  const symbol = findSourceColumns(layout.headings, (index) => Object.values(at).includes(index)).mode;
  const words = symbol === -1 ? [] : listTextSymbols(open(), { ...layout, at: { ...at, symbol } });
  const modes = DATA_MODES.filter((mode) => words.includes(mode));
  // A column of other words is of another meaning.
  return modes.length > 0 && modes.length === words.length ? { modes, modeColumn: symbol } : { modeColumn: -1 };
}

const MAY_BE_CUT = "the last row is whole: no line break ends it, so that its volume may be cut";

/** Whether a file that is not compressed ends with a line break. */
function endsLine(path: string): boolean {
  const end = readTail(path, 2);
  return end.length === 0 || /[\n\r\u001a]/.test(String.fromCharCode(...end)) || readHead(path, 1)[0] === 0x1f;
}

/** Reads on until a date tells its order. Throws an Error if none does. */
function settleDateOrder(layout: TextLayout, lines: ReturnType<typeof readLines>): TextLayout {
  const { at, delimiter, firstLine } = layout;
  const column = at.date === -1 ? at.time : at.date;
  while (lines.next()) {
    if (lines.number < firstLine) continue;
    const date = splitLine(decode(lines.bytes, lines.start, lines.end), delimiter)[column] ?? "";
    const dateOrder = findDateOrder([date]);
    if (dateOrder !== null && dateOrder !== "open") {
      const notes = [
        ...layout.notes,
        `line ${lines.number} tells that in its dates the ${dateOrder === "day-month" ? "day" : "month"} comes first`,
      ];
      return { ...layout, stamp: { ...layout.stamp, dateOrder }, isOrderOpen: false, notes };
    }
  }
  throw new Error("its dates do not tell the day from the month: give --dates day-month or --dates month-day");
}

const SIGNS: Readonly<Record<string, string>> = {
  "\t": "tab",
  ";": "semicolon",
  "|": "bar",
  ",": "comma",
  " ": "blank",
  ".": "point",
};

function describeText(layout: TextLayout, facts: Pick<TextFacts, "member" | "encoding">): TextFacts {
  return {
    ...facts,
    delimiter: SIGNS[layout.delimiter] ?? layout.delimiter,
    decimal: SIGNS[layout.decimal] ?? layout.decimal,
    ...{
      zoneReason: layout.zoneReason,
      endsReason: layout.endsReason,
      hasOffsets: layout.hasOffsets,
      offset: layout.offset,
      notes: layout.notes,
    },
  };
}

/** The day that a name has as eight digits: the UTC milliseconds of its midnight; null if there is none. */
function findDay(name: string): number | null {
  const match = /(?:^|\D)(\d{4})(\d\d)(\d\d)(?=\D|$)/.exec(name);
  return match === null ? null : toDayMs(Number(match[1]), Number(match[2]), Number(match[3]));
}
