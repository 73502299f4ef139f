import path from "node:path";
import * as z from "zod";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { mayRead } from "@/lib/access/plans";
import { refuseAsApi, toCaller } from "@/lib/api/engine/account-work";
import { requireCaller, requireEntitlement, requireValid } from "@/lib/api/engine/authorise";
import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { choiceParam, offsetParam, refuseParam, timeParam, wholeParam } from "@/lib/api/engine/params";
import { isoTime, pagination, succeeded, timeframe, toIsoTime, toIsoTimeOrNull } from "@/lib/api/engine/replies";
import { findPublicUrl, type Services } from "@/lib/api/engine/services";
import { CSV_TYPE } from "@/lib/api/engine/table";
import {
  EXPORT_KINDS,
  isCalendar,
  lengthParams,
  needsTicks,
  PARQUET_TYPE,
  refuseOtherLengths,
} from "@/lib/api/history/export";
import { createNotKeptError } from "@/lib/api/history/outside-retention";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import { findCalendarMode } from "@/lib/export/calendar-data";
import type { ExportedFile, ExportJob } from "@/lib/export/export-jobs";
import { ExportRefused } from "@/lib/export/folder-files";
import { FORMATS } from "@/lib/export/table";
import { TICK_RESOLUTIONS } from "@/lib/history/tapes/kept-ticks";
import { readEverKept } from "@/lib/history/tapes/tape-history";
import type { Instrument } from "@/lib/market/instrument";
import { DAY_MS } from "@/lib/time/units";

/** Exports of long ranges: a process of the server writes their files, and links without a key lead to these. */

const PATH = "/v1/export";
const ONE = "/v1/export/{id}";
export const EXPORT_FILE_PATH = "/v1/export/files/{file}";

/** How long a link is valid; the next answer has another one. */
const LINK_MS = DAY_MS;
const MAX_SYMBOLS = 200;
/** The symbols and months of one export: 28 pairs of six years. */
const MAX_MONTHS = 2_000;

const fileObject = z
  .strictObject({
    name: z.string(),
    symbol: z.string().nullable().meta({ description: "Null for the calendar" }),
    month: z.string().meta({ description: "Like 2026-10, UTC" }),
    from: isoTime.meta({ description: "The file has all stored rows from this moment on" }),
    to: isoTime.meta({ description: "And before this one" }),
    complete: z.boolean().meta({ description: "Whether it is the whole month, and that is over" }),
    rows: z.int(),
    bytes: z.int(),
    sha256: z.string(),
    data_mode: z.enum(["live", "simulated", "replay"]),
    url: z.string().meta({ description: "Needs no key; answers ranges of bytes" }),
    url_expires_at: isoTime.meta({ description: "The next answer has a new link" }),
  })
  .meta({ id: "ExportFile" });

const jobFields = {
  id: z.uuid(),
  state: z.enum(["queued", "running", "done", "failed"]),
  what: z.enum(EXPORT_KINDS),
  symbols: z.array(z.string()).meta({ description: "Empty for the calendar" }),
  timeframe: timeframe.nullable().meta({ description: "Of bars; null for anything else" }),
  resolution: z.enum(TICK_RESOLUTIONS).nullable().meta({ description: "Of ticks; null for anything else" }),
  from: isoTime,
  to: isoTime,
  format: z.enum(FORMATS),
  progress: z
    .strictObject({
      files: z.int().meta({ description: "Files that are written" }),
      of: z.int().meta({ description: "Months of symbols that may have rows" }),
      rows: z.int(),
      bytes: z.int(),
    })
    .nullable()
    .meta({ description: "Null until it runs" }),
  error: z.string().nullable().meta({ description: "Why it failed" }),
  created_at: isoTime,
  finished_at: isoTime.nullable(),
  expires_at: isoTime.nullable().meta({ description: "When it is removed with its files; null until it is finished" }),
};

const jobObject = z
  .strictObject({
    ...jobFields,
    files: z.array(fileObject).meta({ description: "Once it is done" }),
    empty: z
      .array(z.strictObject({ symbol: z.string().nullable(), reason: z.string() }))
      .meta({ description: "Symbols without rows in the range, and what is stored of them" }),
  })
  .meta({ id: "Export" });

const body = z
  .object({
    what: choiceParam(EXPORT_KINDS, "INVALID_TYPE").meta({ description: "As in GET /v1/export." }),
    symbols: z
      .array(
        z.string("must contain only strings").min(1, "must not contain an empty symbol"),
        "must be an array of strings",
      )
      .max(MAX_SYMBOLS, `must name at most ${MAX_SYMBOLS} symbols`)
      .default([])
      .meta({ description: "In any spelling; none for the calendar." }),
    ...lengthParams,
    from: timeParam.meta({ description: "First moment of the range." }),
    to: timeParam.meta({ description: "End of the range, itself not in it. A later one than now means now." }),
    format: z
      .enum(FORMATS, { error: `must be ${FORMATS.join(" or ")}` })
      .default("parquet")
      .meta({ description: "How the files are written." }),
  })
  .superRefine(({ what, symbols, timeframe: given, resolution, from, to }, context) => {
    refuseOtherLengths({ what, timeframe: given, resolution }, context);
    if (isCalendar(what) && symbols.length > 0) refuseParam(context, "VALIDATION_ERROR", "the calendar has no symbols");
    if (!isCalendar(what) && symbols.length === 0) refuseParam(context, "NO_SYMBOLS", "symbols must name at least one");
    if (to <= from) refuseParam(context, "INVALID_RANGE", "to must be later than from");
    const months = countMonths(from, to) * Math.max(1, symbols.length);
    if (months > MAX_MONTHS) {
      const message = `an export has at most ${MAX_MONTHS} files, one for each symbol and month; this one would have ${months}`;
      refuseParam(context, "RANGE_TOO_LARGE", message);
    }
  });

function countMonths(fromMs: number, toMs: number): number {
  const [from, last] = [new Date(fromMs), new Date(toMs - 1)];
  return (last.getUTCFullYear() - from.getUTCFullYear()) * 12 + last.getUTCMonth() - from.getUTCMonth() + 1;
}

export const createExport = defineEndpoint({
  method: "POST",
  path: PATH,
  summary: "Begins an export of a long range: a file for each symbol and month.",
  description:
    "Answers 202 at once. `GET /v1/export/{id}` tells how far it is, and links to the files once it is done. The files " +
    "are those of `spotline export`: whole closed months have the same bytes in every export. An account may have 3 exports " +
    "that are not finished, and 20 in all. They are kept for 7 days. It costs what one call of GET /v1/export does. Ticks, " +
    "quotes and proofs need a plan that includes ticks, and the calendar one that includes it. With resolution=tick, it is " +
    "refused if every tick is kept of none of the symbols.",
  group: "History",
  access: "historical",
  weight: 3,
  successStatus: 202,
  query: z.object({}),
  body,
  reply: z.strictObject({ success: succeeded, data: jobObject }),
  errors: [
    "INVALID_RANGE",
    "INVALID_TIMEFRAME",
    "INVALID_DATETIME",
    "INVALID_TYPE",
    "NO_SYMBOLS",
    "RANGE_TOO_LARGE",
    "SYMBOL_NOT_FOUND",
    "DATA_NOT_FOUND",
    "PLAN_UPGRADE_REQUIRED",
    "TOO_MANY_EXPORTS",
  ],
  headers: ["Location"],

  async handle({
    body: { what, symbols, timeframe: given, resolution = "1s", from, to, format },
    key,
    call,
    services,
  }) {
    const caller = key as KeyEntry;
    const withActual = isCalendar(what) && mayRead(caller, "actuals");
    requireData({ what, withActual: false }, caller, call, services);
    const found = symbols.map((spelling) => findPermitted(spelling, caller, services.resolver));
    if (resolution === "tick") await requireEverKept(found, services);
    // The recording grows while the files are written.
    const endMs = isCalendar(what) && !services.isInPast ? to : Math.min(to, services.marketNow());
    if (endMs <= from) throw new ApiError("INVALID_RANGE", "from must not be later than now.");
    await requireRoom(services);
    const request = {
      ...{
        what,
        symbols: [...new Set(found.map(({ symbol }) => symbol))],
        fromMs: from,
        toMs: endMs,
        format,
        withActual,
      },
      timeframe: what === "bars" ? (given ?? "H1") : null,
      resolution: what === "ticks" ? resolution : null,
    };
    const job = await refuseAsApi(() => services.exports.create(request, toCaller(caller, call)));
    return {
      status: 202,
      body: formatSuccess(await toJson(job, call, services)),
      headers: formatHeaderLine("Location", `${PATH}/${job.id}`),
    };
  },
});

export const readExport = defineEndpoint({
  method: "GET",
  path: ONE,
  permission: createExport,
  summary: "How far an export is, and links to its files once it is done.",
  description:
    "Links need no key, and are valid for a day. They end with the export, and with the key that created it.",
  group: "History",
  weight: 1,
  query: z.object({}),
  errors: ["EXPORT_NOT_FOUND", "PLAN_UPGRADE_REQUIRED"],
  reply: z.strictObject({ success: succeeded, data: jobObject }),

  async handle({ segment, key, call, services }) {
    const job = await findVisible(services, key as KeyEntry, segment);
    requireData(job.request, key as KeyEntry, call, services);
    return { body: formatSuccess(await toJson(job, call, services)) };
  },
});

const listedObject = z
  .strictObject({
    ...jobFields,
    file_count: z.int().meta({ description: "Files that are written so far" }),
    rows: z.int(),
    bytes: z.int().meta({ description: "The size of these files together" }),
    url: z.string().meta({ description: "Its GET /v1/export/{id}" }),
    files: z
      .array(fileObject)
      .optional()
      .meta({ description: "With include=files, of exports whose data the plan of the key includes" }),
  })
  .meta({ id: "ListedExport" });

export const listExports = defineEndpoint({
  method: "GET",
  path: "/v1/exports",
  permission: createExport,
  summary: "The exports of the account, newest first: their state, their size and when they expire.",
  description:
    "Those that have expired or were deleted are not in it. A key that is restricted to some symbols gets the exports of " +
    "only these. The links of include=files need no key, and are valid for a day.",
  group: "History",
  weight: 1,
  query: z.object({
    include: z.literal("files", { error: "must be files" }).optional().meta({
      description: "Adds the files of each export that is done, with their links.",
    }),
    offset: offsetParam.default(0),
    limit: wholeParam(1, 100).default(20),
  }),
  reply: z.strictObject({
    success: succeeded,
    data: z.strictObject({ exports: z.array(listedObject), total: z.int(), pagination }),
  }),

  async handle({ query: { include, offset, limit }, key: caller, call, services }) {
    const key = caller as KeyEntry;
    const jobs = (await services.exports.list(key.accountId)).filter((job) => maySee(key, job));
    const exports = [];
    for (const job of jobs.slice(offset, offset + limit)) {
      const { files: done, progress } = job;
      const isDone = done.length > 0 || progress === null;
      const sum = (get: (file: ExportedFile) => number) => done.reduce((all, file) => all + get(file), 0);
      const files = include === undefined || !mayHave(job.request, key) ? {} : await toFilesJson(job, call, services);
      exports.push({
        ...toFieldsJson(job),
        file_count: isDone ? done.length : progress.files,
        rows: isDone ? sum(({ rows }) => rows) : progress.rows,
        bytes: isDone ? sum(({ bytes }) => bytes) : progress.bytes,
        url: `${findPublicUrl(call, services)}${PATH}/${job.id}`,
        ...files,
      });
    }
    const total = jobs.length;
    return {
      body: formatSuccess({
        exports,
        total,
        pagination: { offset, limit, total, has_more: offset + limit < total },
      }),
    };
  },
});

export const deleteExport = defineEndpoint({
  method: "DELETE",
  path: ONE,
  permission: createExport,
  summary: "Deletes an export with its files, also one that is not finished.",
  group: "History",
  weight: 1,
  query: z.object({}),
  errors: ["EXPORT_NOT_FOUND"],
  reply: z.strictObject({ success: succeeded, data: z.strictObject({ deleted: succeeded }) }),

  async handle({ segment, key, call, services }) {
    const job = await findVisible(services, key as KeyEntry, segment);
    await services.exports.remove(job, toCaller(key as KeyEntry, call));
    return { body: formatSuccess({ deleted: true }) };
  },
});

export const exportFile = defineEndpoint({
  method: "GET",
  path: EXPORT_FILE_PATH,
  permission: createExport,
  summary: "A file of an export, by its link.",
  description:
    "Answers whole or in one range of bytes, so that a download is continued where it ended: `Range` with `If-Range`. The " +
    "ETag is the SHA-256 of the file. Where several servers answer behind one address, another one may have the file: 503 " +
    "says so, and the same link works at the server that wrote it.",
  group: "History",
  access: "open",
  weight: 1,
  query: z.object({
    token: z.string().max(100, "must be the one of the link").meta({ description: "Signs the link." }),
  }),
  reply: z.string(),
  contentType: "text/csv",
  bytesType: PARQUET_TYPE,
  answersRanges: true,
  errors: [
    "PERMISSION_DENIED",
    "EXPORT_NOT_FOUND",
    "RANGE_NOT_SATISFIABLE",
    "SERVICE_UNAVAILABLE",
    "ACCOUNT_SUSPENDED",
  ],
  headers: ["ETag", "Accept-Ranges"],

  async handle({ query: { token }, segment: name, call, services }) {
    const link = services.fileLinks.readToken(token, name);
    if (link === null) throw new ApiError("PERMISSION_DENIED", "This is not a link of this server.");
    if (link.endMs <= services.now()) {
      throw new ApiError("PERMISSION_DENIED", `The link has expired: GET ${PATH}/${link.id} has a new one.`);
    }
    const job = await services.exports.read(link.id);
    const file = job?.files.find((each) => path.posix.basename(each.path) === name);
    if (job === null || file === undefined)
      throw new ApiError("EXPORT_NOT_FOUND", "The export was deleted, or has expired.");
    requireOwner(job, call, services);
    if ((await services.exportStore.findSize(job.id, file.path)) !== file.bytes) throw createElsewhere(services);
    const etag = `"${file.sha256}"`;
    const range = readRange(call, file.bytes, etag);
    const { start, end } = range ?? { start: 0, end: file.bytes };
    const contentRange = formatHeaderLine("Content-Range", `bytes ${start}-${end - 1}/${file.bytes}`);
    return {
      status: range === null ? 200 : 206,
      body: "",
      file: { path: path.join(services.exportStore.getJobFolder(job.id), file.path), start, end },
      contentType: name.endsWith(".csv") ? CSV_TYPE : PARQUET_TYPE,
      etag,
      headers:
        formatHeaderLine("Accept-Ranges", "bytes") +
        formatHeaderLine("Content-Disposition", `attachment; filename="${name}"`) +
        (range === null ? "" : contentRange),
    };
  },
});

/** The one range of bytes of a call; null for the whole file (RFC 9110, 14.2). Throws 416 for one beyond it. */
function readRange(call: Pick<Call, "header">, bytes: number, etag: string): { start: number; end: number } | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(call.header("range")?.trim() ?? "");
  const condition = call.header("if-range")?.trim();
  if (match === null || (condition !== undefined && condition !== etag)) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes : Math.min(bytes, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < start) return null;
  if (start < end) return { start, end };
  const headers = formatHeaderLine("Content-Range", `bytes */${bytes}`);
  throw new ApiError("RANGE_NOT_SATISFIABLE", `The file has ${bytes} bytes.`, {}, headers);
}

/** Throws unless the key that created an export, and its account, are still valid. */
function requireOwner({ keyId }: ExportJob, call: Call, services: Services): void {
  const key = services.directory.key(keyId);
  if (key === undefined || key.revoked || key.disabled) {
    throw new ApiError("PERMISSION_DENIED", "The key that asked for the export is not valid any more.");
  }
  requireValid(key, services.now());
  requireCaller(key, call.address());
}

/** 503 where other servers may have the file, 404 where there is none. */
function createElsewhere({ database }: Services): ApiError {
  if (database.kind === "embedded") {
    return new ApiError("EXPORT_NOT_FOUND", "The file is not on the server any more. Export it again.");
  }
  const message = "This server does not have the file: another one has written it. Ask that one, or export it again.";
  return new ApiError("SERVICE_UNAVAILABLE", message, {}, formatHeaderLine("Retry-After", 1));
}

async function requireRoom({ exportStore }: Services): Promise<void> {
  await exportStore.requireRoom().catch((error: unknown) => {
    if (!(error instanceof ExportRefused)) throw error;
    throw new ApiError("SERVICE_UNAVAILABLE", error.message, {}, formatHeaderLine("Retry-After", 3_600));
  });
}

/** Throws 404 DATA_NOT_FOUND if every tick was kept of none of some instruments. The export says of the others why they are empty. */
async function requireEverKept(instruments: readonly Instrument[], { database }: Services): Promise<void> {
  const kept = await readEverKept((work) => work(database.pool));
  if (!instruments.some((each) => kept.has(each)))
    throw createNotKeptError([...new Set(instruments.map(({ symbol }) => symbol))]);
}

/** Throws 403 unless the plan of the key includes the data of an export. */
function requireData(
  { what, withActual }: Pick<ExportJob["request"], "what" | "withActual">,
  key: KeyEntry,
  call: Call,
  services: Services,
): void {
  if (needsTicks(what)) requireEntitlement(key, "ticks", call, services);
  if (isCalendar(what)) requireEntitlement(key, "calendar", call, services);
  if (withActual) requireEntitlement(key, "actuals", call, services);
}

/** Whether the plan of the key includes the data of an export. */
function mayHave({ what, withActual }: ExportJob["request"], { entitlements }: KeyEntry): boolean {
  return (
    (!needsTicks(what) || entitlements.ticks) &&
    (!isCalendar(what) || entitlements.calendar) &&
    (!withActual || entitlements.actuals)
  );
}

/** A key that is limited to some symbols sees the exports of only these. */
function maySee({ symbols }: Pick<KeyEntry, "symbols">, { request }: Pick<ExportJob, "request">): boolean {
  return symbols === null || request.symbols.every((symbol) => symbols.has(symbol));
}

/** An export of the account whose symbols the key may all read. */
async function findVisible({ exports }: Services, key: KeyEntry, id: string): Promise<ExportJob> {
  const job = await exports.find(key.accountId, id);
  if (job === null || !maySee(key, job)) throw new ApiError("EXPORT_NOT_FOUND", "There is no such export.");
  return job;
}

async function toJson(job: ExportJob, call: Call, services: Services): Promise<z.input<typeof jobObject>> {
  return { ...toFieldsJson(job), ...(await toFilesJson(job, call, services)), empty: [...job.empty] };
}

function toFieldsJson({ id, state, request, progress, error, ...times }: ExportJob) {
  const { what, symbols, timeframe: length, resolution, format } = request;
  return {
    id,
    state,
    what,
    symbols: [...symbols],
    timeframe: length,
    resolution: resolution ?? (what === "ticks" ? "1s" : null),
    from: toIsoTime(request.fromMs),
    to: toIsoTime(request.toMs),
    format,
    progress,
    error,
    created_at: toIsoTime(times.createdAtMs),
    finished_at: toIsoTimeOrNull(times.finishedAtMs),
    expires_at: toIsoTimeOrNull(times.expiresAtMs),
  };
}

async function toFilesJson(job: ExportJob, call: Call, services: Services) {
  const endMs = Math.min(services.now() + LINK_MS, job.expiresAtMs ?? Infinity);
  const files = [];
  for (const file of job.files) files.push(await toFileJson(file, { id: job.id, endMs, call, services }));
  return { files };
}

interface LinkOptions {
  readonly id: string;
  readonly endMs: number;
  readonly call: Call;
  readonly services: Services;
}

async function toFileJson(
  { path: place, symbol, month, from, to, complete, rows, bytes, sha256 }: ExportedFile,
  { id, endMs, call, services }: LinkOptions,
): Promise<z.input<typeof fileObject>> {
  const name = path.posix.basename(place);
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const { origins, database } = services;
  const mode =
    symbol === null ? await findCalendarMode(database.pool, fromMs, toMs) : origins.findMode(symbol, fromMs, toMs);
  const query = `token=${services.fileLinks.createToken(id, name, endMs)}`;
  const url = `${findPublicUrl(call, services)}${PATH}/files/${encodeURIComponent(name)}?${query}`;
  return {
    ...{
      name,
      symbol,
      month,
      from: toIsoTime(fromMs),
      to: toIsoTime(toMs),
      complete,
      rows,
      bytes,
      sha256,
      data_mode: mode,
      url,
    },
    url_expires_at: toIsoTime(Math.floor(endMs / 1_000) * 1_000),
  };
}
