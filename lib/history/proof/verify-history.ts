import type { Pool, PoolClient } from "pg";
import {
  type DayLink,
  formatDay,
  hashDay,
  hashLine,
  type HeadLine,
  readStoredLines,
} from "@/lib/history/proof/day-heads";
import { CHAIN_START, findChangedMinutes, formatHour, hashHour, hashLink } from "@/lib/history/proof/hour-hash";
import { PROOF_TEXTS, tryDecode } from "@/lib/history/proof/hour-proofs";
import { checkBars } from "@/lib/history/proof/verify-bars";
import type { HourTicks } from "@/lib/history/ticks/hour-block";
import { HOUR_MS } from "@/lib/time/units";

/**
 * Compares what is stored with its proofs: every hour with its newest hash, bars with the ticks of such hours, every link
 * with the one before, every head of a day with its links, and the heads with their copies. It reads one symbol and day at a time.
 */

interface Finding {
  readonly kind:
    | "changed"
    | "missing"
    | "added"
    | "damaged"
    | "chain"
    /** A bar does not fit the seconds or the minutes in it. */
    | "bar"
    /** A head of a day does not fit its links, or its copy. */
    | "head"
    /** The database is older than the copies of its heads. */
    | "older";
  /** Null where it concerns all symbols. */
  readonly symbol: string | null;
  /** The hour ("2026-11-20T13"), the beginning of a bar ("2026-11-20T13:04"), or the day; null where it concerns none. */
  readonly at: string | null;
  /** A sentence. */
  readonly message: string;
}

/** What wrote seconds, and of how many hours. */
interface CauseCount {
  readonly cause: Readonly<Record<string, string | null>>;
  hours: number;
}

export interface HistoryVerdict {
  readonly findings: readonly Finding[];
  /** How many there are, of which `findings` has the first. */
  readonly found: number;
  /** Hours with ticks that were compared with their hashes. */
  readonly hours: number;
  readonly ticks: number;
  /** Bars of up to an hour that were compared with these seconds. */
  readonly bars: number;
  /** Hours of earlier versions that have no hash yet. */
  readonly unhashed: number;
  /** Hours that retention has removed. */
  readonly removed: number;
  /** The lines of heads in the database, and those that were compared with copies. */
  readonly lines: number;
  readonly copied: number;
  /** What wrote the seconds of these hours, and how many hours have some of each. */
  readonly causes: readonly CauseCount[];
}

export interface VerifyOptions {
  readonly pool: Pool;
  /** All symbols without it. */
  readonly symbols: readonly string[] | null;
  /** UTC milliseconds, both rounded to days. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Retention may have removed recorded ticks before: UTC milliseconds. */
  readonly keptFromMs: number;
  /** The copies of the heads, each in its order: of files and of the audit log. */
  readonly copies: readonly HeadCopies[];
  readonly onProgress?: (progress: { readonly day: string; readonly hours: number }) => void;
}

export interface HeadCopies {
  /** "the file …/history-heads", for messages. */
  readonly name: string;
  readonly lines: AsyncIterable<Copied>;
}

type Copied = Pick<HeadLine, "line" | "hash" | "atMs">;

const MAX_FINDINGS = 1_000;

/** Checks the history, also beside a server that writes it: each symbol's day is read in one statement. */
export async function verifyHistory(options: VerifyOptions): Promise<HistoryVerdict> {
  const { pool, onProgress } = options;
  const heads = await readHeads(pool);
  const check = new Check(options, heads);
  const copied = await check.compareCopies();
  for await (const { day, symbols } of listDays(options)) {
    for (const symbol of symbols) await check.checkDay(symbol, day);
    await check.checkHeads(day);
    onProgress?.({ day: formatDay(day), hours: check.hours });
  }
  const { findings, found, hours, ticks, bars, unhashed, removed } = check;
  const causes = [...check.causes.values()];
  return { findings, found, hours, ticks, bars, unhashed, removed, lines: heads.lines.length, copied, causes };
}

/** The heads in the database, and what they say about it. */
interface Heads {
  readonly lines: readonly HeadLine[];
  readonly byDay: ReadonlyMap<number, readonly HeadLine[]>;
  /** Up to where ticks may be missing: UTC milliseconds. */
  readonly removedUntilMs: number;
  /** The newest row that existed when all stored hours had their hashes; null if they do not have them yet. */
  readonly completeThrough: number | null;
  readonly isComplete: boolean;
}

async function readHeads(pool: Pool): Promise<Heads> {
  const { rows } = await pool.query<{ complete: boolean }>("SELECT complete FROM proof_state");
  const lines: HeadLine[] = [];
  const byDay = new Map<number, HeadLine[]>();
  for await (const line of readStoredLines(pool)) {
    lines.push(line);
    const ofDay = byDay.get(line.day);
    if (ofDay === undefined) byDay.set(line.day, [line]);
    else ofDay.push(line);
  }
  const completed = lines.find(({ isComplete }) => isComplete);
  return {
    lines,
    byDay,
    removedUntilMs: lines.reduce(
      (latest, { removedUntilMs }) => Math.max(latest, removedUntilMs ?? -Infinity),
      -Infinity,
    ),
    completeThrough: completed?.through ?? null,
    isComplete: rows[0]?.complete === true || completed !== undefined,
  };
}

/** Days whose symbols are listed at once. */
const DAYS_AT_ONCE = 31;

/** Each day of the range with the symbols that have ticks or proofs of it. */
async function* listDays({ pool, symbols, fromMs, toMs }: VerifyOptions) {
  const { rows } = await pool.query<{ first: number | null; last: number | null }>(
    `SELECT least((SELECT floor(min(hour) / 24.0)::int4 FROM tick_hour), (SELECT min(day) FROM hour_proof)) AS first,
            greatest((SELECT floor(max(hour) / 24.0)::int4 FROM tick_hour), (SELECT max(day) FROM hour_proof)) AS last`,
  );
  const { first = null, last = null } = rows[0] ?? {};
  if (first === null || last === null) return;
  const begin = Math.max(first, Math.floor(fromMs / (24 * HOUR_MS)));
  const end = Math.min(last + 1, Math.ceil(toMs / (24 * HOUR_MS)));
  const stored = symbols ?? (await listSymbols(pool));
  for (let from = begin; from < end; from += DAYS_AT_ONCE) {
    const to = Math.min(from + DAYS_AT_ONCE, end);
    const { rows: found } = await pool.query<{ day: number; symbol: string }>(
      `SELECT DISTINCT floor(hour / 24.0)::int4 AS day, symbol FROM tick_hour
        WHERE symbol = ANY ($1::text[]) AND hour >= $2::int4 * 24 AND hour < $3::int4 * 24
       UNION
       SELECT DISTINCT day, symbol FROM hour_proof
        WHERE day >= $2::int4 AND day < $3::int4 AND ($4::text[] IS NULL OR symbol = ANY ($4))
       ORDER BY day, symbol`,
      [stored, from, to, symbols],
    );
    const byDay = new Map<number, string[]>();
    for (const { day, symbol } of found) byDay.set(day, [...(byDay.get(day) ?? []), symbol]);
    for (let day = from; day < to; day++) yield { day, symbols: byDay.get(day) ?? [] };
  }
}

async function listSymbols(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ symbol: string }>(
    `WITH RECURSIVE listed AS (
       SELECT min(symbol) AS symbol FROM tick_hour
       UNION ALL
       SELECT (SELECT min(symbol) FROM tick_hour AS next WHERE next.symbol > listed.symbol) FROM listed
        WHERE listed.symbol IS NOT NULL
     )
     SELECT symbol FROM listed WHERE symbol IS NOT NULL`,
  );
  return rows.map(({ symbol }) => symbol);
}

/** A stored hour of a day, or a link of its chain. */
interface StoredRow {
  readonly hour: number;
  readonly ticks: number;
  readonly block: Buffer | null;
  readonly seq: number | null;
  readonly id: string;
  readonly content: Buffer;
  readonly minutes: Buffer;
  readonly cause: string;
  readonly origins: string;
  readonly at: number;
  readonly link: Buffer;
}

/** The hours and links of a symbol's day; of origins their JSON. */
const READ_DAY = `
  SELECT hour, ticks, block, NULL AS seq, NULL AS id, NULL::bytea AS content, NULL::bytea AS minutes, NULL AS cause,
         NULL AS origins, NULL AS at, NULL::bytea AS link
    FROM tick_hour WHERE symbol = $1 AND hour >= $2::int4 * 24 AND hour < ($2::int4 + 1) * 24
  UNION ALL
  SELECT hour, ticks, NULL, seq, id, content, minutes, cause, origins, at, link
    FROM (SELECT id, day, symbol, hour, ticks, seq, content, minutes, at, link, ${PROOF_TEXTS}) AS proof
   WHERE day = $2 AND symbol = $1
   ORDER BY seq NULLS FIRST, hour`;

class Check {
  readonly findings: Finding[] = [];
  readonly causes = new Map<string, CauseCount>();
  found = 0;
  hours = 0;
  ticks = 0;
  bars = 0;
  unhashed = 0;
  removed = 0;
  readonly #options: VerifyOptions;
  readonly #heads: Heads;

  constructor(options: VerifyOptions, heads: Heads) {
    this.#options = options;
    this.#heads = heads;
  }

  /** Whether retention may have removed an hour, or the hours of a day. */
  #isExpired(fromMs: number): boolean {
    return fromMs < Math.max(this.#options.keptFromMs, this.#heads.removedUntilMs);
  }

  #add(kind: Finding["kind"], symbol: string | null, at: string | null, message: string): void {
    this.found++;
    if (this.findings.length < MAX_FINDINGS) this.findings.push({ kind, symbol, at, message });
  }

  /** In one view of the database, so that an hour that is written meanwhile does not differ from its bars. */
  async checkDay(symbol: string, day: number): Promise<void> {
    const client = await this.#options.pool.connect();
    try {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      const proven = await this.#checkTicks(client, symbol, day);
      this.bars += await checkBars(client, symbol, day * 24 * HOUR_MS, proven, ({ timeMs, message }) =>
        this.#add("bar", symbol, new Date(timeMs).toISOString().slice(0, 16), message),
      );
      await client.query("COMMIT");
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Returns the hours that are what their proofs say, by their numbers since 1970. */
  async #checkTicks(client: PoolClient, symbol: string, day: number): Promise<Map<number, HourTicks>> {
    const { rows } = await client.query<StoredRow>(READ_DAY, [symbol, day]);
    const links = rows.filter(({ seq }) => seq !== null);
    this.#checkChain(symbol, day, links);
    const versions = new Map<number, StoredRow[]>();
    for (const link of links) versions.set(link.hour, [...(versions.get(link.hour) ?? []), link]);
    const stored = new Map(rows.flatMap((row) => (row.seq === null ? [[row.hour, row]] : [])));
    const proven = new Map<number, HourTicks>();
    for (const [hour, row] of stored) {
      const ticks = this.#checkHour(symbol, row, versions.get(hour) ?? [], versions);
      if (ticks !== null) proven.set(hour, ticks);
    }
    for (const [hour, list] of versions) {
      const newest = list.at(-1);
      if (newest === undefined || newest.ticks === 0 || stored.has(hour)) continue;
      if (this.#isExpired(hour * HOUR_MS)) this.removed++;
      else {
        const message = `The hour is missing: it had ${newest.ticks} seconds (${describeCause(newest)}).`;
        this.#add("missing", symbol, formatHour(hour * HOUR_MS), message);
      }
    }
    return proven;
  }

  #checkChain(symbol: string, day: number, links: readonly StoredRow[]): void {
    const [first] = links;
    if (first === undefined) return;
    // If retention has removed a day, only the end of its chain is left.
    const isCut = first.seq !== 1 && this.#isExpired(day * 24 * HOUR_MS);
    let previous: Buffer = CHAIN_START;
    for (const [index, row] of links.entries()) {
      const { hour, ticks, content, cause, origins, at, link } = row;
      const expected = index + (isCut ? (first.seq ?? 1) : 1);
      const seq = row.seq ?? 0;
      const place = formatHour(hour * HOUR_MS);
      if (seq !== expected) {
        const message = `Link ${expected} of the chain of ${formatDay(day)} is missing.`;
        return this.#add("chain", symbol, formatDay(day), message);
      }
      const hash = hashLink(previous, { seq, symbol, hourMs: hour * HOUR_MS, ticks, content, at, cause, origins });
      if (!(isCut && index === 0) && !hash.equals(link)) {
        const message = `Link ${seq} of the chain of ${formatDay(day)} does not fit: it, or a link before it, was changed.`;
        return this.#add("chain", symbol, place, message);
      }
      const { completeThrough } = this.#heads;
      if (completeThrough !== null && cause === STORED && Number(row.id) > completeThrough) {
        const message = "The hour was added to the database after all stored hours had their hashes.";
        this.#add("added", symbol, place, message);
      }
      previous = link;
    }
  }

  /** Compares a stored hour with the newest of its versions. Returns its ticks if they are what was written. */
  #checkHour(
    symbol: string,
    { hour, ticks: count, block }: StoredRow,
    versions: readonly StoredRow[],
    others: ReadonlyMap<number, readonly StoredRow[]>,
  ): HourTicks | null {
    const at = formatHour(hour * HOUR_MS);
    const newest = versions.at(-1);
    const ticks = block === null ? null : tryDecode(block);
    if (newest === undefined && ticks !== null) {
      if (this.#heads.isComplete) this.#add("added", symbol, at, "The hour has no hash: it was added to the database.");
      else this.unhashed++;
      return null;
    }
    if (ticks === null || newest === undefined) {
      const had = newest === undefined ? "It has no hash." : `It had ${newest.ticks} seconds.`;
      this.#add("damaged", symbol, at, `The block cannot be read. ${had}`);
      return null;
    }
    this.hours++;
    this.ticks += ticks.seconds.length;
    const hash = hashHour(symbol, hour * HOUR_MS, ticks);
    if (!hash.content.equals(newest.content)) {
      this.#add("changed", symbol, at, explainChange(hash, hour, versions, others));
      return null;
    }
    if (count !== newest.ticks) {
      this.#add("changed", symbol, at, `The row says that it has ${count} seconds, and has ${newest.ticks}.`);
    }
    for (const cause of listCauses(newest)) {
      const counted = this.causes.get(cause);
      if (counted === undefined) this.causes.set(cause, { cause: parseCause(cause), hours: 1 });
      else counted.hours++;
    }
    return ticks;
  }

  /** Compares every head of a day with the links that were there when it was written. */
  async checkHeads(day: number): Promise<void> {
    const lines = this.#heads.byDay.get(day) ?? [];
    if (lines.length === 0) return;
    const { rows } = await this.#options.pool.query<DayLink & { id: string }>(
      "SELECT id, symbol, seq, link FROM hour_proof WHERE day = $1 ORDER BY id",
      [day],
    );
    const begun = new Set<string>();
    const isCut = rows.some(({ symbol, seq }) => {
      const isFirst = !begun.has(symbol);
      begun.add(symbol);
      return isFirst && seq > 1;
    });
    const newest = new Map<string, DayLink>();
    let next = 0;
    for (const { line, through, head, symbols, atMs } of lines) {
      for (; next < rows.length && Number(rows[next]?.id) <= through; next++) {
        const row = rows[next] as DayLink;
        newest.set(row.symbol, row);
      }
      if (hashDay([...newest.values()]) === head) continue;
      // Only the newest links are left of a day that retention has removed.
      if (isCut && this.#isExpired(day * 24 * HOUR_MS) && line !== lines.at(-1)?.line) continue;
      const when = new Date(atMs).toISOString();
      const message = `The hashes of ${formatDay(day)} are not those of ${when} (line ${line} of the heads, of ${symbols} symbols): links were changed, added or removed together with their hours.`;
      return this.#add("head", null, formatDay(day), message);
    }
  }

  /** Compares the heads in the database with each other and with their copies. Returns the number of compared ones. */
  async compareCopies(): Promise<number> {
    const { lines } = this.#heads;
    let previous: HeadLine | undefined;
    for (const line of lines) {
      if (line.line !== (previous?.line ?? 0) + 1 || line.hash !== hashLine(previous?.hash, line.text)) {
        this.#add(
          "head",
          null,
          formatDay(line.day),
          `Line ${line.line} of the heads does not follow the one before it.`,
        );
        break;
      }
      previous = line;
    }
    let copied = 0;
    for (const copies of this.#options.copies) copied += await this.#compareWith(copies);
    return copied;
  }

  async #compareWith({ name, lines }: HeadCopies): Promise<number> {
    const stored = this.#heads.lines;
    const wrong: Copied[] = [];
    let copied = 0;
    for await (const copy of lines) {
      copied++;
      if (stored[copy.line - 1]?.hash !== copy.hash) wrong.push(copy);
    }
    const first = wrong.reduce<Copied | null>((a, b) => (a === null || b.line < a.line ? b : a), null);
    if (first === null) return copied;
    const own = stored[first.line - 1];
    // Lines that came after a backup was restored are later than all copied ones that it lacks.
    if (own === undefined || wrong.every(({ atMs }) => own.atMs > atMs)) {
      const end = stored[first.line - 2];
      const ends = end === undefined ? "from the beginning" : `after line ${end.line} of ${formatDay(end.day)}`;
      const message = `The database is older than ${name}: ${ends} it does not have its lines, of which the last is ${Math.max(...wrong.map(({ line }) => line))}. That is so after a backup was restored; then move the file away.`;
      this.#add("older", null, null, message);
    } else {
      const message = `Line ${first.line} of the heads is not the one in ${name}: the heads in the database were rewritten.`;
      this.#add("head", null, formatDay(own.day), message);
    }
    return copied;
  }
}

const STORED = JSON.stringify({ kind: "stored" });

function parseCause(text: string): CauseCount["cause"] {
  try {
    return JSON.parse(text) as CauseCount["cause"];
  } catch {
    return { kind: "unknown" };
  }
}

/** What wrote the seconds of an hour, as JSON, each once. */
function listCauses({ cause, origins }: StoredRow): ReadonlySet<string> {
  try {
    const parts = JSON.parse(origins || `[[0,${cause}]]`) as [number, unknown][];
    return new Set(parts.map(([, each]) => JSON.stringify(each)));
  } catch {
    return new Set([cause]);
  }
}

/** "recorded on 2026-11-20T14:01:05Z". */
function describeCause({ cause, at }: StoredRow): string {
  const { kind, source, file } = parseCause(cause);
  const what = { imported: `imported from ${file}`, filled: `filled from the past of ${source}` }[kind ?? ""] ?? kind;
  return `${what} on ${new Date(at * 1000).toISOString().slice(0, 19)}Z`;
}

/** Says how an hour differs from its newest version, and whether it is an older one or another hour. */
function explainChange(
  { ticks, content, minutes }: ReturnType<typeof hashHour>,
  hour: number,
  versions: readonly StoredRow[],
  others: ReadonlyMap<number, readonly StoredRow[]>,
): string {
  const newest = versions.at(-1) as StoredRow;
  const older = versions.find((version) => version.content.equals(content));
  if (older !== undefined) {
    return `The hour was set back to an older version (${describeCause(older)}); the newest is ${describeCause(newest)}.`;
  }
  const isSame = (row: StoredRow) => row.hour !== hour && row.ticks === ticks && row.minutes.equals(minutes);
  const other = [...others.values()].flat().find(isSame);
  if (other !== undefined) return `The hour has the seconds of ${formatHour(other.hour * HOUR_MS)}.`;
  const changed = findChangedMinutes(minutes, newest.minutes).map((minute) => String(minute).padStart(2, "0"));
  const difference = ticks - newest.ticks;
  const count =
    difference === 0
      ? "as many seconds as before"
      : `${Math.abs(difference)} ${Math.abs(difference) === 1 ? "second" : "seconds"} ${difference < 0 ? "missing" : "added"}`;
  const where = changed.length === 0 ? "" : ` in ${changed.length === 1 ? "minute" : "minutes"} ${changed.join(", ")}`;
  return `The hour is not what was written (${describeCause(newest)}): ${count}, a difference${where}.`;
}
