import { createHash } from "node:crypto";
import type { CalendarEvent, FieldChange, Report, ReportedEvent, Stream } from "@/lib/calendar/event";
import { fromRow, toColumns } from "@/lib/calendar/event-rows";
import { reconcile } from "@/lib/calendar/reconcile";
import { writeSeriesAbout } from "@/lib/calendar/series";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import type { Database } from "@/lib/platform/database/database";
import { changeRevision } from "@/lib/platform/database/revision";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";
import type { Prisma } from "@/prisma/generated/client";

/** The calendar in the database. It applies reports and records every change of a row with its time and origin. */
export interface EventStore {
  /** Applies a report. Applying the same report again changes nothing. */
  report(report: Report): Promise<ReportOutcome>;
  /** Hides all rows of a provider, for example when it is switched off. Returns their number. */
  withdraw(stream: Stream, provider: string, atMs: number, origin: string): Promise<number>;
}

export interface ReportOutcome {
  readonly created: number;
  readonly changed: number;
  readonly withdrawn: number;
}

/** Rows written in one transaction. Other changes of the calendar wait for it. */
const BATCH = 1_000;
/** Rows this close to a report may have moved into its span or out of it. */
const MARGIN_MS = 8 * DAY_MS;

type Transaction = Prisma.TransactionClient;

/** @param fence the number under which this server records: every change throws LeaseLost once another one does */
export function createEventStore(database: Pick<Database, "prisma">, fence?: number): EventStore {
  function change<Result>(work: (transaction: Transaction, revision: bigint) => Promise<Result>): Promise<Result> {
    const limits = { table: "calendar_revision", maxWait: 10_000, timeout: MINUTE_MS } as const;
    return changeRevision(database, limits, async (transaction, revision) => {
      if (fence !== undefined) await checkFence(transaction, fence);
      return work(transaction, revision);
    });
  }

  async function apply(report: Report): Promise<ReportOutcome> {
    return change(async (transaction, revision) => {
      const rows = await readConcernedRows(transaction, report);
      const { created, changed, withdrawn } = reconcile(rows, report);
      if (created.length > 0) await create(transaction, report, created, revision);
      for (const { after } of changed) {
        await transaction.calendarEvent.update({
          where: { id: after.id },
          data: { ...toColumns(after), withdrawnAt: null, revision },
        });
      }
      if (report.stream === "primary") await writeSeriesAbout(transaction, report.events);
      await hide(transaction, withdrawn, report.atMs, revision);
      const gone = withdrawn.map(({ id }) => ({
        id,
        changes: [{ field: "withdrawn", before: "false", after: "true" }],
      }));
      const changes = [...changed.map((each) => ({ id: each.after.id, changes: each.changes })), ...gone];
      await recordChanges(transaction, report, changes);
      return { created: created.length, changed: changed.length, withdrawn: withdrawn.length };
    });
  }

  return {
    async report(report) {
      // Part of a complete report is not complete, so only partial reports are applied in batches.
      if (report.complete !== undefined || report.events.length <= BATCH) return apply(report);
      const sum = { created: 0, changed: 0, withdrawn: 0 };
      for (let at = 0; at < report.events.length; at += BATCH) {
        const part = await apply({ ...report, events: report.events.slice(at, at + BATCH) });
        sum.created += part.created;
        sum.changed += part.changed;
      }
      return sum;
    },

    withdraw: (stream, provider, atMs, origin) =>
      change(async (transaction, revision) => {
        const rows = await transaction.calendarEvent.findMany({ where: { stream, provider, withdrawnAt: null } });
        await hide(transaction, rows, atMs, revision);
        const gone = [{ field: "withdrawn", before: "false", after: "true" }];
        await recordChanges(
          transaction,
          { atMs, origin },
          rows.map(({ id }) => ({ id, changes: gone })),
        );
        return rows.length;
      }),
  };
}

/** Changes come one after the other, so that those of a server that records later come after this one. */
async function checkFence(transaction: Transaction, fence: number): Promise<void> {
  const held = await transaction.$queryRaw<unknown[]>`SELECT fence FROM recorder_lease WHERE fence = ${fence}`;
  if (held.length === 0) throw new LeaseLost();
}

/** Reads every row that the report may concern: by key, near its events, and in the span that it covers. */
async function readConcernedRows(transaction: Transaction, report: Report): Promise<CalendarEvent[]> {
  const { stream, provider, events, complete } = report;
  const keys = events.flatMap(({ key }) => (key === null ? [] : [key]));
  const spans = events.filter(({ key }) => key === null).map(({ timeMs }) => timeMs);
  if (complete !== undefined) spans.push(complete.fromMs, complete.toMs);
  const either: Prisma.CalendarEventWhereInput[] = [];
  if (keys.length > 0) either.push({ key: { in: keys } });
  if (spans.length > 0) {
    const first = spans.reduce((a, b) => Math.min(a, b));
    const last = spans.reduce((a, b) => Math.max(a, b));
    either.push({ time: { gte: new Date(first - MARGIN_MS), lte: new Date(last + MARGIN_MS) } });
  }
  if (either.length === 0) return [];
  const rows = await transaction.calendarEvent.findMany({
    where: { stream, provider, OR: either },
    orderBy: [{ time: "asc" }, { id: "asc" }],
  });
  return rows.map(fromRow);
}

async function create(
  transaction: Transaction,
  report: Report,
  created: Report["events"],
  revision: bigint,
): Promise<void> {
  const { stream, provider, atMs } = report;
  const isPrimary = stream === "primary";
  const firstIds = created.map((event) => createEventId(stream, provider, event, 0));
  const existing = await transaction.calendarEvent.findMany({ where: { id: { in: firstIds } }, select: { id: true } });
  const taken = new Set(existing.map(({ id }) => id));
  const data = [];
  for (const event of created) {
    let id = createEventId(stream, provider, event, 0);
    for (let ordinal = 1; taken.has(id); ordinal++) {
      id = createEventId(stream, provider, event, ordinal);
      if (!taken.has(id) && (await transaction.calendarEvent.findUnique({ where: { id } })) !== null) taken.add(id);
    }
    taken.add(id);
    const figures = {
      forecast: event.forecast ?? "",
      previous: event.previous ?? "",
      revised: event.revised ?? null,
      actual: isPrimary ? (event.actual ?? null) : null,
      seriesId: isPrimary ? (event.seriesId ?? null) : null,
    };
    const { seriesId, ...columns } = toColumns({ ...event, ...figures });
    const seen = { first_seen_at: new Date(atMs), revision: String(revision) };
    data.push({ id, stream, provider, key: event.key, ...columns, series_id: seriesId, ...seen });
  }
  // One parameter for all rows: Prisma needs most of a second to compile a statement with one for each value.
  await transaction.$executeRaw`
    INSERT INTO calendar_event SELECT * FROM jsonb_populate_recordset(NULL::calendar_event, ${JSON.stringify(data)}::jsonb)`;
}

async function hide(
  transaction: Transaction,
  rows: readonly { readonly id: string }[],
  atMs: number,
  revision: bigint,
): Promise<void> {
  if (rows.length === 0) return;
  const where = { id: { in: rows.map(({ id }) => id) } };
  await transaction.calendarEvent.updateMany({ where, data: { withdrawnAt: new Date(atMs), revision } });
}

async function recordChanges(
  transaction: Transaction,
  { atMs, origin }: Pick<Report, "atMs" | "origin">,
  rows: readonly { readonly id: string; readonly changes: readonly FieldChange[] }[],
): Promise<void> {
  const at = new Date(atMs);
  const data = rows.flatMap(({ id, changes }) => changes.map((each) => ({ ...each, eventId: id, at, origin })));
  if (data.length > 0) await transaction.calendarChange.createMany({ data });
}

/**
 * Creates the id of a new row: 16 hexadecimal characters of a SHA-256, so that two installations have the same ids. The
 * id is stored: later changes of date or title do not change it.
 *
 * @param ordinal the number of earlier rows of the same name and day
 */
function createEventId(stream: Stream, provider: string, event: ReportedEvent, ordinal: number): string {
  const day = Math.floor(event.timeMs / DAY_MS);
  const name = event.key === null ? ["day", event.currency, event.title, day, ordinal] : ["key", event.key, ordinal];
  return createHash("sha256")
    .update([stream, provider, ...name].join("\n"))
    .digest("hex")
    .slice(0, 16);
}
