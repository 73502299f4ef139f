import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type Command, formatTable, parseMoment, toIso, UsageError, type Values, withDatabase } from "@/cli/command";
import { createCalendar } from "@/lib/calendar/calendar";
import { type ReportedEvent, STREAMS } from "@/lib/calendar/event";
import { createEventStore } from "@/lib/calendar/event-store";
import { findWeekSpan } from "@/lib/calendar/forexfactory";
import { IMPORT_FORMATS, type ImportFormat, readCalendarFile } from "@/lib/calendar/read-file";
import { matchTwins } from "@/lib/calendar/twins";
import { silentLog } from "@/lib/platform/log/log";
import { DATE_ORDERS } from "@/lib/time/iso-time";
import { MINUTE_MS, WEEK_MS } from "@/lib/time/units";
import { isZone } from "@/lib/time/zone-offset";

/** The operator's commands on the economic calendar. */

const MAX_BYTES = 200_000_000;

const calendarImport: Command = {
  name: "calendar import",
  summary: "Import a file of economic events, or a folder of them; a running server shows them within a second",
  argument: { value: "PATH", help: "the file, or the folder whose files are read in the order of their names" },
  options: {
    stream: { value: "STREAM", help: "which stream it tells", required: true, choices: STREAMS },
    format: { value: "FORMAT", help: "how it is written", required: true, choices: IMPORT_FORMATS },
    provider: {
      value: "NAME",
      help: "the name of the source; later imports of the same name update its rows; the default is “import”",
    },
    zone: {
      value: "ZONE",
      help: "the IANA zone of times without an offset; the default is the one that the columns name, or else UTC",
    },
    year: { value: "YYYY", help: "the year of dates that name none" },
    dates: {
      value: "ORDER",
      help: "what comes first in dates like 06/08/2025, where the file does not tell it",
      choices: DATE_ORDERS,
    },
    "blank-times": {
      value: "MEANING",
      help: "the time of rows without one; the default is the time above, where every blank is below a time of its date",
      choices: ["above", "all-day"],
    },
    complete: {
      value: "yes",
      help: "“yes” hides earlier events that are due in the file's span and missing from it",
      choices: ["yes", "no"],
    },
  },
  async run(values) {
    const format = values.text("format") as ImportFormat;
    const stream = STREAMS.find((each) => each === values.text("stream")) ?? "secondary";
    const path = resolve(process.env.INIT_CWD ?? "", values.text("argument"));
    const notation = parseNotation(values);
    const isWeekly = format.startsWith("forexfactory");
    const provider = values.optional("provider") ?? (isWeekly ? "forexfactory" : "import");
    if (provider === "simulated")
      throw new UsageError("--provider cannot be “simulated”: that name is reserved for the simulation.");
    const findComplete = (events: readonly ReportedEvent[]) => {
      const whole = values.optional("complete") === "yes" ? findSpan(events) : undefined;
      return isWeekly && values.optional("complete") !== "no" ? findWeekSpan(events) : whole;
    };
    // All files are read before the first is stored, so that an unreadable one changes nothing.
    const files = await readFiles(path, format, notation);
    const sum = { rows: 0, created: 0, changed: 0, withdrawn: 0 };
    await withDatabase(async (database) => {
      const store = createEventStore(database);
      for (const { name, events } of files) {
        if (events.length === 0) continue;
        const complete = findComplete(events);
        const report = { stream, provider, origin: name, atMs: Date.now(), events };
        const outcome = await store.report(complete === undefined ? report : { ...report, complete });
        sum.rows += events.length;
        for (const field of ["created", "changed", "withdrawn"] as const) sum[field] += outcome[field];
      }
    });
    const { rows, created, changed, withdrawn } = sum;
    const from = files.length === 1 ? "" : `${files.length} files: `;
    const counts = `${created} new, ${changed} changed, ${withdrawn} no longer listed.`;
    const notes = {
      assumptions: joinNotes(files, (file) => file.assumptions),
      warnings: [...joinNotes(files, (file) => file.warnings), ...warnOfEmpty(files)],
      unused_columns: [...new Set(files.flatMap(({ unused }) => unused))],
    };
    const unused = notes.unused_columns.map((name) => `“${name}”`).join(", ");
    const lines = [
      `${from}${rows} rows of the ${stream} stream: ${counts}`,
      ...notes.warnings.map((text) => `Warning: ${text}`),
      ...notes.assumptions,
      ...(unused === "" ? [] : [`Columns that are not used: ${unused}.`]),
    ];
    const json = { stream, provider, files: files.length, ...sum, ...notes };
    return { json, text: lines.join("\n"), failed: rows === 0 };
  },
};

const EXTENSIONS: Readonly<Record<ImportFormat, string>> = {
  csv: ".csv",
  json: ".json",
  "forexfactory-json": ".json",
  "forexfactory-xml": ".xml",
};

interface NamedFile extends ReturnType<typeof readCalendarFile> {
  readonly name: string;
}

/** Reads a file, or the files of a folder that have the format's extension, in the order of their names. */
async function readFiles(path: string, format: ImportFormat, notation: ReturnType<typeof parseNotation>) {
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true;
  if (!isFolder) return [{ name: basename(path), ...readCalendarFile(await readBytes(path), format, notation) }];
  const extension = EXTENSIONS[format];
  const names = (await readdir(path)).filter((name) => name.toLowerCase().endsWith(extension)).sort();
  if (names.length === 0) throw new UsageError(`There is no ${extension} file in ${path}.`);
  const files: NamedFile[] = [];
  for (const name of names) {
    const bytes = await readBytes(join(path, name));
    try {
      files.push({ name, ...readCalendarFile(bytes, format, notation) });
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  return files;
}

/** The sentences about all files, each once. One about some of many files names the first of them. */
function joinNotes(files: readonly NamedFile[], list: (file: NamedFile) => readonly string[]): string[] {
  const names = new Map<string, string[]>();
  for (const file of files) {
    for (const note of list(file)) names.set(note, [...(names.get(note) ?? []), file.name]);
  }
  return [...names].map(([note, [first = "", ...others]]) => {
    if (others.length + 1 === files.length) return note;
    return `${first}${others.length === 0 ? "" : ` and ${others.length} more`}: ${note}`;
  });
}

function warnOfEmpty(files: readonly NamedFile[]): string[] {
  return files.filter(({ events }) => events.length === 0).map(({ name }) => `${name} has no events.`);
}

async function readBytes(path: string): Promise<Uint8Array> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) throw new UsageError(`There is no file or folder ${path}.`);
  if (found.size > MAX_BYTES) throw new UsageError(`${path} is larger than ${MAX_BYTES / 1_000_000} MB.`);
  return readFile(path);
}

function parseNotation(values: Values) {
  const [zone, year] = [values.optional("zone"), values.optional("year")];
  if (zone !== undefined && !isZone(zone)) throw new UsageError("--zone must be an IANA zone like Europe/London.");
  if (year !== undefined && !/^\d{4}$/.test(year)) throw new UsageError("--year must be four digits.");
  const dates = DATE_ORDERS.find((each) => each === values.optional("dates"));
  const blankTimes = values.optional("blank-times") as "above" | "all-day" | undefined;
  return { zone, year: year === undefined ? undefined : Number(year), dates, blankTimes };
}

function findSpan(events: readonly { readonly timeMs: number }[]): { fromMs: number; toMs: number } | undefined {
  if (events.length === 0) return undefined;
  const times = events.map(({ timeMs }) => timeMs);
  const reduceTimes = (choose: (a: number, b: number) => number) => times.reduce((a, b) => choose(a, b));
  return { fromMs: reduceTimes(Math.min), toMs: reduceTimes(Math.max) };
}

const calendarTwins: Command = {
  name: "calendar twins",
  summary: "List the events that both streams report as one release, and why",
  options: {
    from: { value: "ISO", help: "the start; the default is a week ago" },
    to: { value: "ISO", help: "the end; the default is a week ahead" },
    currency: { value: "CODE", help: "only this currency's" },
  },
  async run(values) {
    const [from, to, currency] = [values.optional("from"), values.optional("to"), values.optional("currency")];
    const fromMs = from === undefined ? Date.now() - WEEK_MS : parseMoment("from", from);
    const toMs = to === undefined ? Date.now() + WEEK_MS : parseMoment("to", to);
    const twins = await withDatabase(async (database) => {
      const calendar = createCalendar(database, { log: silentLog });
      await calendar.refresh();
      const events = calendar.events
        .map(({ event }) => event)
        .filter((event) => event.timeMs >= fromMs && event.timeMs <= toMs)
        .filter((event) => currency === undefined || event.currency === currency.toUpperCase());
      const minutes = new Map<number, typeof events>();
      for (const event of events) {
        const minute = Math.floor(event.timeMs / MINUTE_MS);
        const list = minutes.get(minute);
        if (list === undefined) minutes.set(minute, [event]);
        else list.push(event);
      }
      return [...minutes.values()].flatMap(matchTwins);
    });
    const rows = twins.map(({ primary, secondary, reason }) => ({
      time: toIso(primary.timeMs),
      currency: primary.currency,
      primary: { id: primary.id, event: primary.title },
      secondary: { id: secondary.id, event: secondary.title },
      reason,
    }));
    const lines = rows.map((row) => [
      row.time?.slice(0, 16) ?? "",
      row.currency,
      row.primary.event,
      row.secondary.event,
      row.reason,
    ]);
    const heading = ["TIME (UTC)", "CURRENCY", "PRIMARY", "SECONDARY", "WHY"];
    return {
      json: { twins: rows },
      text: rows.length === 0 ? "There are no twins." : formatTable([heading, ...lines]),
    };
  },
};

export const calendarCommands: readonly Command[] = [calendarImport, calendarTwins];
