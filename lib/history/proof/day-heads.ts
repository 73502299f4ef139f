import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import type { Pool, PoolClient } from "pg";
import { inLeasedTransaction } from "@/lib/history/hour-store";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import type { Logger } from "@/lib/platform/log/log";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/**
 * The heads of days: one hash over the newest links of all symbols of a UTC day. The server that records writes a line
 * for each day that has changed, and every server copies the lines to a file in its data folder. A line holds the hash of
 * the line before, so that none can be left out. What somebody changes in the database no longer agrees with the file.
 */

/** A line of the heads. */
export interface HeadLine {
  /** 1, 2, 3 … */
  readonly line: number;
  /** Days since 1970. */
  readonly day: number;
  /** The number of symbols with a link on this day. */
  readonly symbols: number;
  /** hour_proof.id of the newest link that was there. */
  readonly through: number;
  /** The head of the links, 64 hexadecimal characters. */
  readonly head: string;
  /** Up to when retention had removed recorded ticks, UTC milliseconds; null if it had removed none. */
  readonly removedUntilMs: number | null;
  /** Whether every stored hour had its hash. */
  readonly isComplete: boolean;
  /** When the line was written, UTC milliseconds. */
  readonly atMs: number;
  /** The line as text, without its hash. */
  readonly text: string;
  /** SHA-256 of the hash of the line before and the text, 64 hexadecimal characters. */
  readonly hash: string;
}

/** The hash before the first line. */
const FIRST_HASH = "0".repeat(64);

export function hashLine(previous: string | undefined, text: string): string {
  return createHash("sha256")
    .update(`${previous ?? FIRST_HASH}\n${text}`)
    .digest("hex");
}

/** The newest link of a symbol's day. */
export interface DayLink {
  readonly symbol: string;
  readonly seq: number;
  readonly link: Buffer;
}

/** The head of a day: SHA-256 of a line for each symbol, in the order of their characters. */
export function hashDay(links: readonly DayLink[]): string {
  const sorted = links.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const lines = sorted.map(({ symbol, seq, link }) => `${symbol} ${seq} ${link.toString("hex")}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}

export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

type NewLine = Omit<HeadLine, "text" | "hash">;

function formatLine({ line, day, symbols, through, head, removedUntilMs, isComplete, atMs }: NewLine): string {
  const removed = removedUntilMs === null ? "-" : new Date(removedUntilMs).toISOString();
  const state = isComplete ? "complete" : "partial";
  return `${line} ${formatDay(day)} ${symbols} ${through} ${head} ${removed} ${state} ${new Date(atMs).toISOString()}`;
}

const TIME = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
const LINE = new RegExp(
  String.raw`^(([1-9]\d*) (\d{4}-\d\d-\d\d) (\d+) (\d+) ([\da-f]{64}) (-|${TIME}) (complete|partial) (${TIME})) ([\da-f]{64})$`,
);

/** Reads a line with its hash; null for another text. */
function parseLine(whole: string): HeadLine | null {
  const [, text, line, date, symbols, through, head, removed, state, at, hash] = LINE.exec(whole) ?? [];
  if (text === undefined || head === undefined || hash === undefined) return null;
  return {
    line: Number(line),
    day: Date.parse(date as string) / DAY_MS,
    symbols: Number(symbols),
    through: Number(through),
    head,
    removedUntilMs: removed === "-" ? null : Date.parse(removed as string),
    isComplete: state === "complete",
    atMs: Date.parse(at as string),
    text,
    hash,
  };
}

const LINES_PER_READ = 1_000;

/** The lines in the database after one, in their order. A row that is no line any more is skipped, and so missing. */
export async function* readStoredLines(pool: Pool, after = 0): AsyncGenerator<HeadLine> {
  for (let last = after; ;) {
    const { rows } = await pool.query<{ line: number; text: string; hash: string }>(
      "SELECT line, text, hash FROM history_head WHERE line > $1 ORDER BY line LIMIT $2",
      [last, LINES_PER_READ],
    );
    for (const row of rows) {
      const line = parseLine(`${row.text} ${row.hash}`);
      if (line !== null) yield line;
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.line;
  }
}

/** The lines of a file in its order. A line that a crash left incomplete is followed by the same one. */
export async function* readCopiedLines(file: string): AsyncGenerator<HeadLine> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  try {
    for await (const text of lines) {
      const line = parseLine(text);
      if (line !== null) yield line;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Days whose heads are written in one transaction. */
const DAYS_PER_TRANSACTION = 20;

/**
 * Writes a line for each day that has new links, and returns the newest line; null if there is none. Throws LeaseLost
 * unless `fence` holds the lease.
 *
 * @param atMs now, UTC milliseconds
 */
export async function noteHeads(pool: Pool, fence: number, atMs: number): Promise<HeadLine | null> {
  const pass = await inLeasedTransaction(pool, fence, listChangedDays);
  for (let at = 0; at < pass.days.length; at += DAYS_PER_TRANSACTION) {
    const days = pass.days.slice(at, at + DAYS_PER_TRANSACTION);
    await inLeasedTransaction(pool, fence, (client) => writeLines(client, days, atMs));
  }
  await pool.query("UPDATE proof_state SET noted = $1 WHERE noted < $1", [pass.through]);
  return readLast(pool);
}

/** The days with links that are in no line, and the newest link of all. Nobody writes a link until the transaction ends. */
async function listChangedDays(client: PoolClient): Promise<{ days: number[]; through: number }> {
  const { noted, through } = await lockState(client);
  const { rows } = await client.query<{ day: number }>(
    `SELECT day FROM (SELECT day, max(id) AS through FROM hour_proof WHERE id > $1 GROUP BY day) AS changed
      WHERE through > coalesce((SELECT max(through) FROM history_head WHERE history_head.day = changed.day), 0)
      ORDER BY day`,
    [noted],
  );
  return { days: rows.map(({ day }) => day), through };
}

/** Keeps everyone from writing links until the transaction ends. The sequence then has the number of the newest one. */
async function lockState(client: PoolClient) {
  await client.query("SELECT FROM proof_state FOR UPDATE");
  const { rows } = await client.query<{ complete: boolean; noted: string; through: string; removed: number | null }>(
    `SELECT complete, noted, (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM hour_proof_id_seq) AS through,
            (SELECT until FROM retention_mark WHERE timeframe = 0) AS removed
       FROM proof_state`,
  );
  const { complete = false, noted = "0", through = "0", removed = null } = rows[0] ?? {};
  return { complete, noted, through: Number(through), removed };
}

async function writeLines(client: PoolClient, days: readonly number[], atMs: number): Promise<void> {
  const { complete, removed, through } = await lockState(client);
  let last = await readLast(client);
  for (const day of days) {
    const { rows: links } = await client.query<DayLink>(
      "SELECT DISTINCT ON (symbol) symbol, seq, link FROM hour_proof WHERE day = $1 ORDER BY symbol, seq DESC",
      [day],
    );
    const added: NewLine = {
      line: (last?.line ?? 0) + 1,
      day,
      symbols: links.length,
      through,
      head: hashDay(links),
      removedUntilMs: removed === null ? null : removed * SECOND_MS,
      isComplete: complete,
      atMs,
    };
    const text = formatLine(added);
    last = { ...added, text, hash: hashLine(last?.hash, text) };
    await client.query("INSERT INTO history_head (line, day, through, text, hash) VALUES ($1, $2, $3, $4, $5)", [
      last.line,
      day,
      through,
      text,
      last.hash,
    ]);
  }
}

async function readLast(db: Pool | PoolClient): Promise<HeadLine | null> {
  const { rows } = await db.query<{ text: string; hash: string }>(
    "SELECT text, hash FROM history_head ORDER BY line DESC LIMIT 1",
  );
  return rows[0] === undefined ? null : parseLine(`${rows[0].text} ${rows[0].hash}`);
}

interface NotesOptions {
  readonly pool: Pool;
  readonly fence: number;
  /** UTC milliseconds of the wall clock. */
  readonly now: () => number;
  /** Writes the newest line of all into the audit log, once a day. */
  readonly record: (line: HeadLine) => Promise<void>;
  readonly log: Logger;
  readonly pauseMs?: number;
}

const NOTE_PAUSE_MS = 10 * MINUTE_MS;
/** The last hour of a day is closed, and in a line, this long after the day. */
const RECORD_AFTER_MS = 20 * MINUTE_MS;

/** Writes the heads of changed days, every ten minutes while this server records, and one a day into the audit log. */
export function startHeads({ pool, fence, now, record, log, pauseMs = NOTE_PAUSE_MS }: NotesOptions): Repetition {
  const toDay = (atMs: number) => Math.floor((atMs - RECORD_AFTER_MS) / DAY_MS);
  let recorded: { readonly day: number; readonly line: number } | null = null;
  const work = async () => {
    const line = await noteHeads(pool, fence, now()).catch((error: unknown) => {
      if (error instanceof LeaseLost) return null;
      throw error;
    });
    if (line === null || line.line === recorded?.line || toDay(now()) === recorded?.day) return;
    await record(line);
    recorded = { day: toDay(now()), line: line.line };
  };
  const repetition = repeat(work, {
    pauseMs,
    onFailure: (error) => log.warn({ err: error }, "the heads of the history cannot be written"),
    onRecovery: () => log.info("the heads of the history are written again"),
  });
  repetition.start();
  return repetition;
}

interface CopyOptions {
  readonly pool: Pool;
  readonly file: string;
  readonly log: Logger;
}

const COPY_PAUSE_MS = 10 * SECOND_MS;

/** Copies each line of the heads into a file, now and every few seconds. */
export class HeadCopy {
  readonly #options: CopyOptions;
  readonly #copying: Repetition;
  #last = 0;

  constructor(options: CopyOptions) {
    const { log } = options;
    this.#options = options;
    this.#copying = repeat(() => this.copy(), {
      pauseMs: COPY_PAUSE_MS,
      onFailure: (error) => log.error({ err: error }, "copying the heads of the history failed; it is retried"),
      onRecovery: () => log.info("the heads of the history are copied again"),
    });
  }

  async start(): Promise<void> {
    await this.restore();
    this.#copying.start();
  }

  stop(): void {
    this.#copying.stop();
  }

  /** Continues after the last line of the file. If the database does not have it, all of its lines are copied again. */
  async restore(): Promise<void> {
    const { pool, file, log } = this.#options;
    let copied: HeadLine | null = null;
    for await (const line of readCopiedLines(file)) copied = line;
    if (copied === null) return;
    const { rows } = await pool.query<{ hash: string }>("SELECT hash FROM history_head WHERE line = $1", [copied.line]);
    if (rows[0]?.hash === copied.hash) this.#last = copied.line;
    else {
      log.warn(
        { line: copied.line, day: formatDay(copied.day) },
        "the database does not have the last line of history-heads: it is an older one, or was changed",
      );
    }
  }

  /** Copies the lines since the last call. */
  async copy(): Promise<void> {
    const { pool, file, log } = this.#options;
    const lines: HeadLine[] = [];
    for await (const line of readStoredLines(pool, this.#last)) lines.push(line);
    const last = lines.at(-1);
    if (last === undefined) return;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // The line break in front ends a line that a crash left incomplete.
    await appendFile(file, `\n${lines.map(({ text, hash }) => `${text} ${hash}`).join("\n")}\n`, {
      mode: 0o600,
      flush: true,
    });
    this.#last = last.line;
    // Logs are often shipped to another machine, where this line is one more copy.
    log.info({ line: last.line, day: formatDay(last.day), hash: last.hash }, "history recorded up to this head");
  }
}
