import { createHash } from "node:crypto";
import { createReadStream, existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { findTimeframe } from "@/lib/feeds/files/bar-timeframe";
import {
  findLeanBroker,
  findNamedSymbol,
  isSourceName,
  type NamedSymbol,
  nameSymbol,
} from "@/lib/feeds/files/file-names";
import { type LeftOutFile, looksLikePrices, openPriceFiles } from "@/lib/feeds/files/open-price-file";
import { findLevelFault, type KnownPrice, PriceLevels } from "@/lib/feeds/files/price-level";
import { FileRefused, type PriceFile, splitModes } from "@/lib/feeds/files/price-rows";
import { SERVER } from "@/lib/feeds/files/text-shapes";
import type { ImportTask } from "@/lib/history/import/import-file";
import type { PlanOptions } from "@/lib/history/import/import-options";
import { createReport, type ImportReport, isWeekend, TimeObserver } from "@/lib/history/import/import-report";
import { markSource } from "@/lib/market/bar";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { describeNewInstrument } from "@/lib/market/new-instrument";
import { cleanPrice, countDigits, MAX_DIGITS } from "@/lib/market/price";
import { toNameText } from "@/lib/text/text";
import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { createLocalClock, parseFileZone } from "@/lib/time/local-clock";
import { MINUTE_MS } from "@/lib/time/units";

/** Rows that are read to suggest a zone for a file that needs one. */
const SAMPLE_ROWS = 3_000_000;
/** Rows whose prices tell the digits of a new instrument, and which side each column is. */
const SAMPLE_PRICES = 2_000;

/** A file to import; `isOfFolder` tells that only a folder of it was named, so that it need not be one of prices. */
export interface ListedFile {
  readonly path: string;
  readonly isOfFolder: boolean;
  /** Whether it is a link out of the folder, as an unpacked archive may have them. */
  readonly isOutside?: boolean;
}

/** The files of some paths; those of a folder and its folders in the order of their names, without hidden ones. */
export function listImportFiles(paths: readonly string[]): ListedFile[] {
  return paths.flatMap((path) =>
    isFolder(path)
      ? listFolder(path, realpathSync(path), new Set())
      : [{ path, isOfFolder: false } satisfies ListedFile],
  );
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * @param root the real path of the named folder: links out of it are not followed
 * @param above the real paths of the folders above, which a link may lead back to
 */
function listFolder(folder: string, root: string, above: ReadonlySet<string>): ListedFile[] {
  const real = realpathSync(folder);
  if (above.has(real)) return [];
  const isOutside = (path: string) =>
    lstatSync(path).isSymbolicLink() && existsSync(path) && relative(root, realpathSync(path)).startsWith("..");
  const names = readdirSync(folder).filter((name) => !name.startsWith("."));
  return names.sort().flatMap((name) => {
    const path = join(folder, name);
    if (isOutside(path)) return [{ path, isOfFolder: true, isOutside: true }];
    return isFolder(path) ? listFolder(path, root, new Set([...above, real])) : [{ path, isOfFolder: true }];
  });
}

interface Plan {
  readonly tasks: readonly ImportTask[];
  readonly leftOut: readonly LeftOutFile[];
}

/** Finds a price of a symbol that is stored near a time; null if there is none. */
export type FindNear = (symbol: string, timeMs: number) => Promise<KnownPrice | null>;

interface PlanContext {
  readonly findNear?: FindNear;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Plans the import of all files. A file of a folder that cannot be imported is left out with the reason; rejects with
 * FileRefused for one that was named itself.
 */
export async function planImports(
  files: readonly ListedFile[],
  options: PlanOptions,
  { findNear, signal }: PlanContext = {},
): Promise<Plan> {
  const tasks: ImportTask[] = [];
  const leftOut: LeftOutFile[] = [];
  for (const { path, isOfFolder, isOutside = false } of files) {
    signal?.throwIfAborted();
    try {
      if (isOutside)
        throw new FileRefused(path, "it is a link out of its folder, which is not followed: name the file itself");
      const plan = await planFile(path, options, findNear);
      tasks.push(...plan.tasks);
      leftOut.push(...plan.leftOut);
    } catch (error) {
      if (!isOfFolder) throw error;
      const { message } = error as Error;
      const reason = error instanceof FileRefused ? message : `${toNameText(path)}: ${message}`;
      leftOut.push({ path, reason, hasPrices: looksLikePrices(path, isOutside ? () => new Uint8Array(0) : undefined) });
    }
  }
  return { tasks, leftOut };
}

/**
 * Recognises what a path holds, and decides the symbol, source and zone of each part: one for each file in an archive,
 * and for each symbol of a file. Throws FileRefused, which says what is missing. An empty file of Dukascopy is an hour
 * without ticks.
 */
export async function planFile(path: string, options: PlanOptions, findNear?: FindNear): Promise<Plan> {
  const { files, leftOut } = openPriceFiles(path, options);
  const { digest, sha256 } = await computeDigest(path, options.decimals);
  const tasks = [];
  for (const series of files.flatMap((file) => planSeries(file, options))) {
    tasks.push({ ...series, digest, sha256, levels: await findLevels(series, options, findNear) });
  }
  return {
    tasks: tasks.map(({ digest: whole, ...task }) => {
      const key = { ...task.key, digest: refineDigest(whole, task.file, files.length > 1, options) };
      return { ...task, key };
    }),
    leftOut,
  };
}

type Series = Omit<ImportTask, "key" | "sha256" | "levels"> & { readonly key: Omit<ImportTask["key"], "digest"> };

/** The levels that the rows of a file must have; null for any. Throws FileRefused if its first prices have others. */
async function findLevels(
  { file, instrument, key }: Series,
  { asIs, decimals }: PlanOptions,
  findNear?: FindNear,
): Promise<PriceLevels | null> {
  if (asIs === true) return null;
  const { rows } = file.open(key.zone);
  const timeMs = rows.next() && rows.fault === null ? rows.timeMs : NaN;
  const near = Number.isNaN(timeMs) ? null : ((await findNear?.(instrument.symbol, timeMs)) ?? null);
  const levels = new PriceLevels(instrument, near);
  const fault = findLevelFault(file, levels);
  if (fault === null) return levels;
  const isUnscaled = file.format === "dukascopy" && decimals === undefined;
  const hint = isUnscaled
    ? "give the number of decimals with --decimals, or import them"
    : "import prices of it in its currency, or these";
  throw new FileRefused(file.path, `${fault}: ${hint} as they are with --as-is`);
}

/** Throws FileRefused if most bids are above the ask: the bank's buying price, such as "Kaufkurs", is the client's selling one. */
function requireSides({ path, kind, columns, open }: PriceFile): void {
  if (kind !== "ticks" || columns === undefined) return;
  const { rows } = open("UTC");
  let [apart, crossed] = [0, 0];
  try {
    for (let read = 0; read < SAMPLE_PRICES && rows.next(); read++) {
      if (rows.fault !== null || rows.bid === rows.ask) continue;
      apart++;
      if (rows.bid > rows.ask) crossed++;
    }
  } catch {
    // Where it is damaged, the import says: the rows before are imported.
  }
  if (crossed * 2 <= apart) return;
  const name = (side: string) => columns.find(({ field }) => field === side)?.name ?? side;
  const other: Readonly<Record<string, string>> = { bid: "ask", ask: "bid" };
  const swapped = columns.map(({ field }) => other[field] ?? field).join(",");
  throw new FileRefused(
    path,
    `its column “${name("bid")}”, read as the bid, is above “${name("ask")}”, read as the ask, in ${crossed} of the first ${apart} rows with a spread: swap them with --columns ${swapped}`,
  );
}

function planSeries(whole: PriceFile, options: PlanOptions): Series[] {
  const { path } = whole;
  requireSides(whole);
  const { symbol: given, align = false, clock } = options;
  const source = options.source ?? findLeanSource(whole) ?? whole.format.replace(" ", "-");
  if (!isSourceName(source))
    throw new FileRefused(path, `the source ${source} must be small letters, digits and dashes`);
  const spellings = new Map<string, string>();
  return chooseSeries(whole, given)
    .flatMap(splitModes)
    .map((file) => {
      const isOne = whole.series === undefined || file.source !== undefined;
      const instrument = chooseInstrument(file, isOne ? given : undefined, source);
      const { symbol } = instrument;
      const named = file.source === undefined ? source : joinSource(path, options.source, file.source);
      const own = markSource(named, file.mode);
      const spelling = file.source ?? file.symbol ?? symbol;
      const series = `${symbol} ${own}`;
      const other = spellings.get(series);
      if (other !== undefined)
        throw new FileRefused(path, `its rows of ${other} and of ${spelling} are both of ${symbol}`);
      spellings.set(series, spelling);
      const { zone, reason: zoneReason } = chooseZone(file, instrument, options);
      const { timeframe, reason: timeframeReason } = chooseTimeframe(file, zone, options);
      const ownSymbol = file.symbol === null ? "its name tells it" : `its rows have ${file.symbol}`;
      return {
        isEnd: chooseStamps(file, options),
        ...{ file, instrument, timeframe, isClock: clock !== undefined, isAligned: align },
        reasons: {
          symbol: isOne && given !== undefined ? "given" : ownSymbol,
          zone: zoneReason,
          timeframe: timeframeReason,
        },
        key: { symbol, source: own, zone, name: basename(path) },
      };
    });
}

/** The name under which one source of a file with several is stored. */
function joinSource(path: string, given: string | undefined, name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const joined = given === undefined ? plain : `${given}-${plain}`;
  if (plain !== "" && isSourceName(joined)) return joined;
  throw new FileRefused(path, `no name of small letters, digits and dashes can be made of its source ${name}`);
}

function chooseTimeframe(file: PriceFile, zone: string, { timeframe, clock }: PlanOptions) {
  if (file.kind === "ticks") return { timeframe: null, reason: "" };
  if (timeframe !== undefined) return { timeframe, reason: "given" };
  return findTimeframe(file, zone, clock !== undefined);
}

/** Whether the times of bars are their ends. */
function chooseStamps({ path, text }: PriceFile, { stamps }: PlanOptions): boolean {
  const reason = text?.endsReason ?? null;
  if (reason !== null && stamps === undefined)
    throw new FileRefused(path, `${reason}: give --stamps end, or --stamps begin`);
  return stamps === "end";
}

/** One file may hold several, and what the operator says changes what its rows mean. */
function refineDigest(digest: string, file: PriceFile, isMember: boolean, options: PlanOptions): string {
  const { columns, dateOrder, decimal, clock, timeframe, align, stamps, asIs } = options;
  const flags = { align: align === true ? true : undefined, asIs: asIs === true ? true : undefined };
  const said = { columns, dateOrder, decimal, clock, timeframe, stamps, ...flags };
  const member = isMember ? basename(file.path) : "";
  if (member === "" && Object.values(said).every((each) => each === undefined)) return digest;
  return createHash("sha256")
    .update(JSON.stringify([digest, member, said]))
    .digest("hex");
}

/** The symbols of a file as files of their own; those of the given symbol, if there is one. */
function chooseSeries(file: PriceFile, given: string | undefined): readonly PriceFile[] {
  const series = file.series ?? [file];
  if (given === undefined || series.length === 1 || file.series?.[0]?.source !== undefined) return series;
  const wanted = catalogResolver.find(given);
  const own = series.filter(({ symbol }) => wanted !== undefined && catalogResolver.find(symbol ?? "") === wanted);
  if (own.length > 0) return own;
  const names = series.slice(0, 5).map(({ symbol }) => symbol);
  const more = series.length > names.length ? " and others" : "";
  throw new FileRefused(file.path, `its rows are of ${names.join(", ")}${more}: none of them is ${given}`);
}

/** The instrument of a file. It is a new one if the file or its name surely spells a symbol that the catalog lacks. */
function chooseInstrument(file: PriceFile, given: string | undefined, source: string): Instrument {
  const named = given === undefined ? readNamedSymbol(file) : readKnown(given);
  if (named.kind === "found") return named.instrument;
  if (named.kind === "unlisted") {
    const described = describeNewInstrument({ ...named.facts, seenDigits: countSeenDigits(file) });
    if (described !== null) return { ...described.instrument, addedBy: { source, provenance: described.provenance } };
  }
  const spelling = given ?? file.symbol;
  const reason =
    named.kind === "several"
      ? `${spelling ?? "its name"} may mean ${named.symbols.join(" or ")}`
      : spelling === null
        ? "its name does not tell one symbol"
        : `the symbol ${spelling} is unknown`;
  const add = given === undefined ? "" : ", or add it with “spotline instrument add”";
  throw new FileRefused(file.path, `${reason}: give one with --symbol, such as --symbol EURUSD${add}`);
}

function readNamedSymbol(file: PriceFile): NamedSymbol {
  if (file.symbol === null) return readNames(file);
  const known = readKnown(file.symbol);
  return known.kind === "none" ? { kind: "unlisted", facts: { spelling: file.symbol } } : known;
}

/** What the names of a file and of the text inside of it tell together. */
function readNames({ path, innerName }: PriceFile): NamedSymbol {
  const outer = findNamedSymbol(path);
  const inner = innerName == null ? null : findNamedSymbol(innerName);
  if (inner === null || inner.kind === "none") return outer;
  if (outer.kind === "none") return inner;
  const names = [outer, inner].map(nameSymbol);
  return names[0] === names[1] ? outer : { kind: "several", symbols: names };
}

/** What a spelling means in the catalog. */
function readKnown(spelling: string): NamedSymbol {
  const read = catalogResolver.resolve(spelling);
  if (read.kind === "found") return { kind: "found", instrument: read.instrument };
  return read.kind === "ambiguous" ? { kind: "several", symbols: read.candidates } : { kind: "none" };
}

/** The most decimals among the first prices of a file. */
function countSeenDigits(file: PriceFile): number {
  const { rows } = file.open(file.zone ?? "UTC");
  let digits = 0;
  for (let read = 0; read < SAMPLE_PRICES && rows.next(); read++) {
    if (rows.fault !== null) continue;
    for (const price of file.kind === "ticks" ? [rows.bid, rows.ask] : [rows.open, rows.high, rows.low, rows.close]) {
      digits = Math.max(digits, countDigits(cleanPrice(price, MAX_DIGITS)));
    }
  }
  return digits;
}

function findLeanSource(file: PriceFile): string | null {
  return file.format === "lean" ? findLeanBroker(file.path) : null;
}

interface ChosenZone {
  readonly zone: string;
  readonly reason: string;
}

function chooseZone(file: PriceFile, instrument: Instrument, { zone: given, clock }: PlanOptions): ChosenZone {
  const { text, path } = file;
  if (clock !== undefined && text === undefined) {
    throw new FileRefused(path, "--clock is for texts: the times of this format are UTC, or those of --zone");
  }
  if (file.hasFixedZone && clock === undefined)
    return { zone: file.zone ?? "UTC", reason: text === undefined ? "the format's" : "its times name it" };
  const said = clock ?? given;
  if (said !== undefined) {
    if (parseFileZone(said) === null) throw new FileRefused(path, `there is no time zone ${said}`);
    const isUnused = clock === undefined && text?.hasOffsets === true;
    return { zone: said, reason: isUnused ? "given, but each time has an offset" : "given" };
  }
  if (text?.hasOffsets === true) return { zone: "UTC", reason: "each time has an offset, or is Unix time" };
  if (file.zone !== null) return { zone: file.zone, reason: text?.zoneReason ?? "the format's" };
  const [suggestion] = suggestZones(file, instrument);
  const isOfServer = text?.zoneReason === SERVER.zoneReason;
  const hint =
    suggestion !== undefined
      ? `; its weekly openings fit --zone ${suggestion}`
      : isOfServer
        ? "; most servers have --zone America/New_York+7"
        : " with --zone";
  throw new FileRefused(path, `${text?.zoneReason ?? "its times have no zone"}: give their zone${hint}`);
}

function suggestZones(file: PriceFile, instrument: Instrument): readonly string[] {
  const report = createReport();
  const observer = new TimeObserver(report, instrument, 0);
  const { rows } = file.open("UTC");
  for (let read = 0; read < SAMPLE_ROWS && rows.next(); read++) if (rows.fault === null) observer.observe(rows.timeMs);
  const { state, suggestions } = checkZone(report, instrument, "UTC");
  return state === "fits" ? ["UTC"] : suggestions;
}

/** The SHA-256 of a file, and the digest that tells it from others. */
async function computeDigest(path: string, decimals: number | undefined) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  const sha256 = hash.copy().digest("hex");
  // Files of Dukascopy without ticks have the same content: their path tells the hour.
  if (/\.bi5$/i.test(path)) hash.update(path.split(/[/\\]/).slice(-5).join("/"));
  if (decimals !== undefined) hash.update(`decimals ${decimals}`);
  return { digest: hash.digest("hex"), sha256 };
}

/** Whether the weekly openings and closes of a file are those of its market, and the zones in which they are. */
export interface ZoneCheck {
  /** "unknown" without a weekend in the file, or where the market has none. */
  readonly state: "fits" | "differs" | "unknown";
  /** Weekends that were compared, and how many of them fit. */
  readonly weekends: number;
  readonly fitting: number;
  /** Zones that fit better, best first; zones that fit alike stand in the order of how common they are. */
  readonly suggestions: readonly string[];
  /** Whether they fit if the times of bars are their ends. */
  readonly isEnd: boolean;
}

const NEW_YORK = "America/New_York";
/** The hours from the opening, and to the close, within which a weekend fits. */
const OPENS_WITHIN_MS = 25 * MINUTE_MS;
const MAX_SUGGESTIONS = 3;

/** Common zones of vendors' files and brokers' servers, most common first. */
const CANDIDATES: readonly string[] = [
  "UTC",
  NEW_YORK,
  "America/New_York+7",
  "Etc/GMT+5",
  "Europe/London",
  "Europe/Berlin",
  "Europe/Athens",
  "America/Chicago",
  "Asia/Tokyo",
  "Australia/Sydney",
  ...Array.from({ length: 12 }, (_, index) => `Etc/GMT-${index + 1}`),
  ...Array.from({ length: 12 }, (_, index) => `Etc/GMT+${index + 1}`),
];

type Times = Pick<ImportReport, "weekends">;

/** The weekends of several files of one source, with those between two files. */
export function joinWeekends(reports: readonly ImportReport[]): Times {
  const weekends = reports.flatMap((report) => report.weekends);
  const sorted = [...reports].sort((a, b) => (a.firstMs ?? Infinity) - (b.firstMs ?? Infinity));
  let lastMs = NaN;
  for (const report of sorted) {
    if (report.firstMs === null || report.lastMs === null) continue;
    if (isWeekend(lastMs, report.firstMs)) weekends.push({ lastMs, firstMs: report.firstMs });
    lastMs = Number.isNaN(lastMs) ? report.lastMs : Math.max(lastMs, report.lastMs);
  }
  return { weekends };
}

/**
 * Compares the weekends of files with their market's, and looks for a zone that fits better than the one used.
 *
 * @param stepMs the length of bars that are stamped with their beginning; 0 for others
 */
export function checkZone({ weekends }: Times, instrument: Instrument, zone: string, stepMs = 0): ZoneCheck {
  const { tradingHours } = instrument;
  const opening = tradingHours.days.sunday[0]?.from;
  const closing = tradingHours.days.friday.at(-1)?.to;
  if (tradingHours.zone !== NEW_YORK || opening === undefined || closing === undefined || weekends.length === 0) {
    return { state: "unknown", weekends: 0, fitting: 0, suggestions: [], isEnd: false };
  }
  const market = { opensMs: toMs(opening), closesMs: toMs(closing) };
  const local = weekends.map(({ lastMs, firstMs }) => ({
    lastMs: toLocal(lastMs, zone),
    firstMs: toLocal(firstMs, zone),
  }));
  const count = (candidate: string, earlierMs = 0) => {
    const toUtc = createLocalClock(candidate);
    const shift = (ms: number) => toUtc(ms) - earlierMs;
    return local.filter(({ lastMs, firstMs }) => fits(shift(lastMs), shift(firstMs), market)).length;
  };
  const fitting = count(zone);
  const scores = CANDIDATES.filter((each) => each !== zone).map((candidate) => ({
    candidate,
    fitting: count(candidate),
  }));
  const best = Math.max(...scores.map((score) => score.fitting));
  // A bar that begins at the close has the time of its end.
  const atClose = local.filter(
    ({ lastMs }) => toCivilTime(NEW_YORK, createLocalClock(zone)(lastMs)).msOfDay === market.closesMs,
  );
  const isLate = fitting * 2 < weekends.length ? count(zone, stepMs) > fitting : atClose.length * 2 > weekends.length;
  const isEnd = stepMs > 0 && isLate && count(zone, stepMs) >= Math.max(fitting, best);
  const isBetter = !isEnd && best > fitting && fitting * 2 < weekends.length;
  const suggestions = isBetter
    ? scores.filter((score) => score.fitting === best).map(({ candidate }) => candidate)
    : [];
  return {
    state: fitting * 2 >= weekends.length ? "fits" : "differs",
    weekends: weekends.length,
    fitting,
    suggestions: suggestions.slice(0, MAX_SUGGESTIONS),
    isEnd,
  };
}

/** Whether rows begin at the opening of the week, and end before a close: some brokers stop a few minutes early. */
function fits(lastMs: number, firstMs: number, market: { opensMs: number; closesMs: number }): boolean {
  const first = toCivilTime(NEW_YORK, firstMs);
  const last = toCivilTime(NEW_YORK, lastMs);
  const afterOpening = first.msOfDay - market.opensMs;
  const isOpening = first.weekday === 0 && afterOpening >= -MINUTE_MS && afterOpening <= OPENS_WITHIN_MS;
  const isClose = last.weekday === 5 && last.msOfDay <= market.closesMs + MINUTE_MS;
  return isOpening && isClose;
}

/** The local time of a zone, as the UTC milliseconds at which a UTC clock shows it. */
function toLocal(utcMs: number, zone: string): number {
  const parsed = parseFileZone(zone);
  if (parsed === null) throw new RangeError(`There is no time zone ${zone}`);
  const { year, month, day, msOfDay } = toCivilTime(parsed.zone, utcMs);
  return zonedTimeToUtcMs("UTC", year, month, day, msOfDay) + parsed.aheadMs;
}

function toMs(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}
