import { type ColumnPlan, type Field, isNameOf, planColumns, readZoneNote } from "@/lib/calendar/columns";
import { findCountry } from "@/lib/calendar/country";
import { CERTAINTIES, FREQUENCIES, type Impact, type ReportedEvent } from "@/lib/calendar/event";
import { parseFigure } from "@/lib/calendar/figure";
import { type FigureStyle, findFigureStyle, readFigureText } from "@/lib/calendar/figure-text";
import { formatRows, type MomentOptions, readMoments } from "@/lib/calendar/file-moments";
import { type FileRow, type FileTable, readCsvTable, readJsonTable, readRows } from "@/lib/calendar/file-table";
import { readSourceUrl } from "@/lib/calendar/series";
import { parseImpact, readWeeklyJson, readWeeklyXml } from "@/lib/calendar/weekly-events";
import { CURRENCIES } from "@/lib/market/market-words";

export const IMPORT_FORMATS = ["csv", "json", "forexfactory-json", "forexfactory-xml"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

interface CalendarFile {
  readonly events: readonly ReportedEvent[];
  /** What the file does not tell and had to be assumed, as sentences. */
  readonly assumptions: readonly string[];
  /** What may be missing or wrong in the events, as sentences. */
  readonly warnings: readonly string[];
  /** The columns that no field is read from, as the file names them. */
  readonly unused: readonly string[];
}

/**
 * Reads a file of events. Throws an Error that names the first unreadable row: files are imported completely or not at
 * all.
 */
export function readCalendarFile(bytes: Uint8Array, format: ImportFormat, options: MomentOptions): CalendarFile {
  const nothing = { assumptions: [], warnings: [], unused: [] };
  if (format === "forexfactory-xml") {
    const assumptions = options.zone === undefined ? ["Times are read as UTC. --zone says another zone."] : [];
    return { ...nothing, events: readWeeklyXml(bytes, options.zone), assumptions };
  }
  if (format === "forexfactory-json") {
    return { ...nothing, events: readWeeklyJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  }
  return readTable(format === "csv" ? readCsvTable(bytes) : readJsonTable(bytes, ROW_NAMES), options);
}

const ROW_NAMES = {
  isTitle: (name: string) => isNameOf("title", name),
  isMoment: (name: string) => isNameOf("date", name) || isNameOf("time", name),
  isPlace: (name: string) => isNameOf("currency", name) || isNameOf("country", name),
  isZone: (name: string) => isNameOf("zone", name),
};

/** The provider of made-up events in an exported calendar. Imported, they would be taken for real ones. */
const SIMULATED = "simulated";

const FIGURES = ["forecast", "previous", "revised", "revisedFrom", "actual"] as const;

/** What all rows of a file have in common. */
interface Reading {
  readonly plan: ColumnPlan;
  readonly style: FigureStyle;
  readonly isReleaseId: boolean;
  /** Adds this to a number of the impact, so that 1 to 3 are low to high. */
  readonly impactOffset: number;
}

function readTable(table: FileTable, options: MomentOptions): CalendarFile {
  const { rows, columns } = table;
  if (rows.length === 0) return { events: [], assumptions: table.assumptions, warnings: [], unused: [] };
  const plan = findPlan(table);
  const simulated = rows.find(({ cells }) => cells.get("provider") === SIMULATED);
  if (simulated !== undefined)
    throw new Error(`${simulated.name} is an event of the simulation, as its column provider says: remove such rows.`);
  for (const [field, what] of [
    ["title", "title"],
    ["currency", "currency or the country"],
  ] as const) {
    if (plan.byField.has(field) || (field === "currency" && plan.byField.has("country"))) continue;
    throw new Error(`The file has no column with the ${what}. Its columns are ${columns.join(", ") || "none"}.`);
  }
  const read = (row: FileRow, field: Field) => readCell(row, plan, field);
  const figures = FIGURES.flatMap((field) => rows.map((row) => read(row, field) ?? ""));
  const isNamedAsValues = FIGURES.some((field) => plan.byField.get(field)?.plain.endsWith("value"));
  const style = findFigureStyle(figures, { separator: table.separator, isNamedAsValues });
  const isHoliday = (row: FileRow) =>
    /\bholiday\b/i.test(read(row, "title") ?? "") || /holiday|non-economic|gr[ae]y/i.test(read(row, "impact") ?? "");
  const { moments, assumptions } = readMoments(table, plan, isHoliday, options);
  const impacts = rows.map((row) => read(row, "impact") ?? "");
  const isReleaseId = !areSeriesIds(rows, moments, read, isNamedAsValues);
  const reading = { plan, style, isReleaseId, impactOffset: findImpactOffset(impacts, columns) };
  const events = readRows(rows, (row, index) => {
    const { timeMs, zone, certainty } = moments[index] as (typeof moments)[number];
    return { ...readEvent(row, reading, certainty), timeMs, zone };
  });
  const notes = noteEvents(rows, events, reading);
  const warnings = [...warnOfColumns(table, reading), ...warnOfTexts(events), ...warnOfRepeats(events)];
  const unused = plan.unused.filter((name) => rows.some((row) => !isBlank(row.cells.get(name))));
  return { events, assumptions: [...table.assumptions, ...assumptions, ...notes], warnings, unused };
}

/** In some files, the column "zone" is a country, in others the zone of the times. */
function findPlan({ columns, rows }: FileTable): ColumnPlan {
  const plan = planColumns(columns);
  const column = plan.byField.get("country");
  if (column?.plain !== "zone" || plan.byField.has("zone")) return plan;
  const sample = rows.map((row) => row.cells.get(column.name) ?? "").find((text) => text !== "") ?? "";
  if (findCountry(sample) !== undefined || (readZoneNote(sample) ?? "unclear") === "unclear") return plan;
  const byField = new Map<Field, typeof column>([...plan.byField, ["zone", column]]);
  byField.delete("country");
  return { ...plan, byField };
}

const isBlank = (text: string | undefined) => text === undefined || /^(n\/a|nan|null|none|-)?$/i.test(text.trim());

/** Undefined if the file has no such column. */
function readCell(row: FileRow, { byField }: ColumnPlan, field: Field): string | undefined {
  const column = byField.get(field);
  if (column === undefined) return undefined;
  const text = row.cells.get(column.name)?.trim() ?? "";
  const isNothing = /^(n\/a|nan|null|-)$/i.test(text) || (field === "impact" && /^(unknown|undefined)$/i.test(text));
  return isNothing ? "" : text;
}

/** Reads a row but for its time. Throws an Error that names the problem. */
function readEvent(row: FileRow, reading: Reading, certainty: ReportedEvent["certainty"]) {
  const field = (name: Field) => readCell(row, reading.plan, name);
  const figure = (name: Field) => {
    const text = field(name);
    const note = reading.plan.byField.get(name)?.note;
    return text === undefined
      ? undefined
      : readFigureText(text, reading.style, field("unit") || note, field("multiplier"));
  };
  const { currency, country } = readPlace(field("currency"), field("country"));
  const title = readTitle(field("title") ?? "", field("comparison") ?? "", country);
  const revisedFrom = figure("revisedFrom");
  const [previous, revised] = revisedFrom ? [revisedFrom, figure("previous")] : [figure("previous"), figure("revised")];
  const id = field("id") || null;
  const seriesId = field("series") || (reading.isReleaseId ? null : id);
  return {
    key: reading.isReleaseId ? id : null,
    certainty: readCertainty(row, reading.plan) ?? certainty,
    currency,
    title,
    impact: readImpact(field("impact") ?? "", reading.impactOffset),
    forecast: figure("forecast"),
    previous,
    revised: revised || undefined,
    actual: figure("actual") || undefined,
    seriesId: seriesId ?? createSeriesId(currency, title),
    ...readAbout(field("frequency"), readSourceUrl(field("sourceUrl")), field("description") || undefined),
  };
}

function readCertainty(row: FileRow, plan: ColumnPlan): ReportedEvent["certainty"] | undefined {
  const isTrue = (name: Field) => /^(true|yes|1)$/i.test(readCell(row, plan, name) ?? "");
  const named = CERTAINTIES.find((each) => each === readCell(row, plan, "certainty"));
  return named ?? (isTrue("allDay") ? "all_day" : isTrue("tentative") ? "tentative" : undefined);
}

/** The currency, or that of the country. Lists of countries may have currencies in their place. */
function readPlace(currencyText: string | undefined, countryText: string | undefined) {
  const country = findCountry(countryText ?? "");
  const code = (currencyText || countryText || "").toUpperCase();
  // A few currencies of the past have left the list, but "USA" was never one.
  const isCode = CURRENCIES.has(code) || (Boolean(currencyText) && /^[A-Z]{3}$/.test(code) && !findCountry(code));
  const currency = isCode ? code : currencyText ? undefined : country?.currency;
  if (currency === undefined) throw new Error(`its currency is not one: ${currencyText || countryText || ""}`);
  return { currency, country: country?.currency === currency ? country : undefined };
}

/** Two countries of one currency have events of the same name at the same time, so the title tells the country. */
function readTitle(text: string, comparison: string, country: ReturnType<typeof findCountry>): string {
  const title = text.replace(/\s+/g, " ").trim();
  if (title === "") throw new Error("it has no title");
  const words: Readonly<Record<string, string>> = { mom: "MoM", qoq: "QoQ", yoy: "YoY" };
  const compared = words[comparison.toLowerCase()];
  const whole = compared === undefined || new RegExp(compared, "i").test(title) ? title : `${title} ${compared}`;
  const [usual, ...others] = country?.titles ?? [];
  if (usual === undefined || [usual, ...others].some((word) => title.toLowerCase().includes(word.toLowerCase())))
    return whole;
  return `${usual} ${whole}`;
}

/** The impact of a row without one is low. */
function readImpact(text: string, offset: number): Impact {
  if (text === "") return "low";
  const number = /^-?\d(\.0+)?$/.test(text) ? String(Number(text) + offset) : text;
  const impact = parseImpact(number);
  if (impact === null) throw new Error(`its impact is not one: ${text}`);
  return impact;
}

/** TradingView counts from -1 to 1 and has raw figures; all others count from 0 or 1 to 3. */
function findImpactOffset(impacts: readonly string[], columns: readonly string[]): number {
  const isCentred = impacts.includes("-1") || columns.some((name) => /^(actual|forecast)_?raw$/i.test(name));
  return isCentred && impacts.every((each) => /^(-1|0|1)?$/.test(each)) ? 2 : 0;
}

/** An identifier of several times is that of a series. MetaTrader's have nine digits, which begin with the country. */
function areSeriesIds(
  rows: readonly FileRow[],
  moments: readonly { readonly timeMs: number }[],
  read: (row: FileRow, field: Field) => string | undefined,
  isNamedAsValues: boolean,
): boolean {
  const times = new Map<string, Set<number>>();
  let count = 0;
  rows.forEach((row, index) => {
    const id = read(row, "id");
    if (!id) return;
    count += 1;
    const before = times.get(id) ?? new Set();
    times.set(id, before.add(moments[index]?.timeMs ?? NaN));
  });
  const ids = [...times.keys()];
  if (ids.length > 0 && ids.every((id) => /^\d{9}$/.test(id)) && (isNamedAsValues || ids.some(isCountryNumber)))
    return true;
  // Files of several downloads repeat a few events that moved.
  return count > 0 && ids.length * 2 <= count && [...times.values()].some((each) => each.size > 1);
}

/** The numbers of the United States, the euro area, Germany, Japan and the United Kingdom. */
const isCountryNumber = (id: string) => /^(840|999|276|392|826)/.test(id);

function noteEvents(rows: readonly FileRow[], events: readonly ReportedEvent[], reading: Reading): string[] {
  const { plan, style, isReleaseId } = reading;
  const notes: string[] = [];
  const name = (field: Field) => `“${plan.byField.get(field)?.name}”`;
  const list = (field: Field) => rows.map((row) => readCell(row, plan, field) ?? "");
  const without = list("impact").filter((text) => text === "").length;
  if (!plan.byField.has("impact")) notes.push("No column tells the impact: it is low.");
  else if (without > 0) notes.push(`${formatRows(without)} without an impact: it is low.`);
  if (list("impact").some((text) => /^(true|false)$/i.test(text)))
    notes.push("An impact of true is high, and false low.");
  if (!isReleaseId) notes.push(`The identifiers in ${name("id")} are read as those of series, not of releases.`);
  if (style.hasDecimalComma) notes.push("Figures have a decimal comma.");
  if (style.isMillionths) notes.push("Figures are millionths, as in MqlCalendarValue, and divided by a million.");
  const places = list(plan.byField.has("currency") ? "currency" : "country");
  if (places.some((text) => text !== "" && !CURRENCIES.has(text.toUpperCase()) && findCountry(text) !== undefined))
    notes.push("Currencies are those of the countries.");
  const titles = list("title");
  if (events.some(({ title }, index) => !title.startsWith(titles[index]?.replace(/\s+/g, " ") ?? "")))
    notes.push("Titles begin with the country where several have the same currency.");
  const isUnitAdded = (["forecast", "previous", "actual"] as const).some((field) => {
    const texts = list(field);
    return events.some((event, index) => /[%KMBT]$/.test(event[field] ?? "") && /\d$/.test(texts[index] ?? ""));
  });
  if (isUnitAdded) notes.push("Figures without a unit have that of their row or column.");
  const missing = (["forecast", "previous", "actual"] as const).filter((field) => !plan.byField.has(field));
  if (missing.length > 0) notes.push(`No column is read as ${missing.join(", ")}.`);
  return notes;
}

const FIGURE_NAME =
  /fore|estim|consens|expect|surpris|deviat|change|actual|prev|revis|median|survey|whisper|value|high|low/i;

/** Columns that are not read, but whose name or cells are those of figures. */
function warnOfColumns({ rows }: FileTable, { plan: { unused, byField }, style }: Reading): string[] {
  const warnings = unused.flatMap((name) => {
    const cells = rows.map((row) => row.cells.get(name)?.trim() ?? "").filter((text) => !isBlank(text));
    if (cells.some((text) => /^[{[].*\d/.test(text)))
      return [`Column “${name}” has a list or an object and is not used.`];
    const figures = cells.filter((text) => parseFigure(readFigureText(text, style)) !== null);
    if (figures.length === 0 || figures.length < cells.length / 2 || /(id|time|date|stamp|offset)$/i.test(name))
      return [];
    if (!FIGURE_NAME.test(name) && !figures.some((text) => /[.,%KMBT]/.test(text))) return [];
    const rival = FIGURES.find((field) => isNameOf(field, name));
    const instead = rival === undefined ? "" : `; ${rival} is read from “${byField.get(rival)?.name}”`;
    return [`Column “${name}” has figures and is not used${instead}.`];
  });
  if (style.isMillionths && !byField.has("multiplier"))
    warnings.push("No column tells the multiplier of the figures, so thousands and millions may be missing from them.");
  return warnings;
}

/** Figures are stored as they are, also those that no number can be read from. Votes are no numbers. */
function warnOfTexts(events: readonly ReportedEvent[]): string[] {
  const figures = events.flatMap(({ forecast, previous, revised, actual }) => [forecast, previous, revised, actual]);
  const texts = figures.filter((text) => text && parseFigure(text) === null && !/^\d+-\d+(-\d+)?$/.test(text));
  if (texts.length === 0) return [];
  return [
    `${texts.length === 1 ? "1 figure is no number" : `${texts.length} figures are no numbers`}, such as “${texts[0]}”.`,
  ];
}

/** Two rows of one release are read as one, and the later one counts. */
function warnOfRepeats(events: readonly ReportedEvent[]): string[] {
  const known = new Map<string, ReportedEvent>();
  let example: ReportedEvent | null = null;
  let count = 0;
  for (const event of events) {
    const release = event.key ?? `${event.currency} ${event.timeMs} ${event.title}`;
    const before = known.get(release);
    const isOther = (field: "forecast" | "previous" | "actual") =>
      before?.[field] && event[field] && before[field] !== event[field];
    if (before !== undefined && event.key !== null && before.title !== event.title)
      [example, count] = [event, count + 1];
    else if (isOther("forecast") || isOther("previous") || isOther("actual")) [example, count] = [event, count + 1];
    known.set(release, event);
  }
  if (example === null) return [];
  const when = new Date(example.timeMs).toISOString();
  return [
    `${formatRows(count)} repeat a release with another title or other figures, such as “${example.title}” (${example.currency}) at ${when}: the last row counts.`,
  ];
}

function readAbout(word: string | undefined, sourceUrl: string | undefined, description: string | undefined) {
  const frequency = FREQUENCIES.find((each) => each === word?.toLowerCase());
  if (frequency === undefined && sourceUrl === undefined && description === undefined) return {};
  return { about: { frequency, sourceUrl, description } };
}

const PERIOD = /\s*\((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|q[1-4]|h[12]|\d{4})[a-z]*\)/gi;

/** Creates the id of a series where the file has none: currency and title without the period. */
function createSeriesId(currency: string, title: string): string {
  const name = title.replace(PERIOD, "").normalize("NFKD").toLowerCase();
  return `${currency.toLowerCase()}-${name.replace(/[^a-z\d]+/g, "-").replace(/^-|-$/g, "")}`;
}
