import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { parseMoment, toIso, withDatabase } from "@/cli/access";
import { type Command, UsageError } from "@/cli/command";
import { formatTable } from "@/cli/table";
import { createCalendar } from "@/lib/calendar/calendar";
import { STREAMS } from "@/lib/calendar/event";
import { createEventStore } from "@/lib/calendar/event-store";
import { findWeekSpan } from "@/lib/calendar/forexfactory/week-span";
import { IMPORT_FORMATS, type ImportFormat, readCalendarFile } from "@/lib/calendar/import/read-file";
import { matchTwins } from "@/lib/calendar/twins/match-twins";
import { silentLog } from "@/lib/platform/log";
import { MINUTE_MS, WEEK_MS } from "@/lib/time/units";
import { isZone } from "@/lib/time/zone";

/** The operator's commands on the economic calendar. */

const MAX_BYTES = 200_000_000;

const calendarImport: Command = {
  name: "calendar import",
  summary: "Import a file of economic events; a running server shows them within a second",
  argument: { value: "FILE", help: "the file to read" },
  options: {
    stream: { value: "STREAM", help: "which stream it tells", required: true, choices: STREAMS },
    format: { value: "FORMAT", help: "how it is written", required: true, choices: IMPORT_FORMATS },
    provider: {
      value: "NAME",
      help: "the name of the source; later imports of the same name update its rows; the default is “import”",
    },
    zone: { value: "ZONE", help: "the IANA zone of times without an offset; the default is UTC" },
    year: { value: "YYYY", help: "the year of dates that name none" },
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
    const events = readCalendarFile(
      await readBytes(path),
      format,
      parseNotation(values.optional("zone"), values.optional("year")),
    );
    const isWeekly = format.startsWith("forexfactory");
    const provider = values.optional("provider") ?? (isWeekly ? "forexfactory" : "import");
    if (provider === "simulated")
      throw new UsageError("--provider cannot be “simulated”: that name is reserved for the simulation.");
    const whole = values.optional("complete") === "yes" ? findSpan(events) : undefined;
    const complete = isWeekly && values.optional("complete") !== "no" ? findWeekSpan(events) : whole;
    const report = { stream, provider, origin: basename(path), atMs: Date.now(), events };
    const outcome = await withDatabase((database) =>
      createEventStore(database).report(complete === undefined ? report : { ...report, complete }),
    );
    const { created, changed, withdrawn } = outcome;
    return {
      json: { stream, provider, rows: events.length, ...outcome },
      text: `${events.length} rows of the ${stream} stream: ${created} new, ${changed} changed, ${withdrawn} no longer listed.`,
    };
  },
};

async function readBytes(path: string): Promise<Uint8Array> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) throw new UsageError(`There is no file ${path}.`);
  if (found.size > MAX_BYTES) throw new UsageError(`${path} is larger than ${MAX_BYTES / 1_000_000} MB.`);
  return readFile(path);
}

function parseNotation(zone = "UTC", year: string | undefined) {
  if (!isZone(zone)) throw new UsageError("--zone must be an IANA zone like Europe/London.");
  if (year !== undefined && !/^\d{4}$/.test(year)) throw new UsageError("--year must be four digits.");
  return year === undefined ? { zone } : { zone, year: Number(year) };
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
