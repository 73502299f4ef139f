import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { HourColumns } from "@/lib/history/hour-columns";
import type { HourStore } from "@/lib/history/hour-store";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";
import { raisePoints } from "@/lib/history/points";
import { CHAIN_START, hashHour, hashLink, toPlace } from "@/lib/history/proof/hour-hash";
import { decodeHour, type HourTicks, toTicks } from "@/lib/history/ticks/hour-block";
import { HOUR_MS } from "@/lib/time/units";

/**
 * The proof of what is stored: each write of a closed hour of ticks adds a row with the hash of the hour and what wrote
 * it. The rows of a symbol and day form a chain, whose newest link `day-heads.ts` copies to where the database cannot
 * reach. Bars and spreads have no proof: they are computed from ticks, as
 * `verify-bars.ts` checks, or imported.
 */

/** What wrote an hour, or some of its seconds. */
export type Cause =
  | { readonly kind: "recorded" }
  /** Imported prices were joined with recorded ones when the recorder closed the hour. */
  | { readonly kind: "joined" }
  /** A simulated source's past, made up before the recording began. */
  | { readonly kind: "generated" }
  /** From a source's own past, because no server ran, or its connection was lost, from and to these times. */
  | { readonly kind: "filled"; readonly source: string; readonly from: string; readonly to: string }
  /** From a file: its name and the SHA-256 of its content. `run` is the import, if it has a number. */
  | {
      readonly kind: "imported";
      readonly source: string;
      readonly file: string;
      readonly sha256: string;
      readonly run: string | null;
    }
  /** An import was undone. */
  | { readonly kind: "undone"; readonly run: string }
  /** All that was imported of a source was removed. */
  | { readonly kind: "removed"; readonly source: string }
  /** Moved from another instrument that was merged into this one. */
  | { readonly kind: "merged"; readonly symbol: string }
  /** Moved to the instrument that this one was merged into. */
  | { readonly kind: "moved"; readonly symbol: string }
  /** Stored by a version without proofs, and hashed later. */
  | { readonly kind: "stored" };

/** An hour that was written in the transaction that proves it. */
interface WrittenHour {
  readonly symbol: string;
  readonly hourMs: number;
  /** What it has now; null for nothing. */
  readonly ticks: HourTicks | null;
  /** What it had; null for nothing. */
  readonly before: HourTicks | null;
  /** What wrote its seconds, if it is known: the first second and the cause of each part; 0 for that of the write. */
  readonly origins?: readonly number[] | undefined;
}

/** A stored version of an hour. */
interface Version {
  readonly symbol: string;
  readonly hour: number;
  readonly content: Buffer;
  readonly cause: number;
  readonly origins: readonly number[] | null;
}

interface ChainEnd {
  seq: number;
  link: Buffer;
}

/**
 * Makes writers of proofs wait for each other until their transactions end, so that rows are numbered in the order of
 * commits. Returns the time of the database, Unix time.
 */
export async function lockProofs(client: PoolClient): Promise<number> {
  const statement = {
    text: "SELECT extract(epoch FROM clock_timestamp())::int4 AS at FROM proof_state FOR UPDATE",
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  const { rows } = await client.query<{ at: number }>(statement);
  return rows[0]?.at ?? 0;
}

/**
 * Proves hours that the caller's transaction has written, for one cause. It must have written them before, so that all
 * writers take their locks in one order. An hour whose newest proof has the same content gets none.
 */
export async function proveHours(client: PoolClient, hours: readonly WrittenHour[], cause: Cause): Promise<void> {
  if (hours.length === 0) return;
  const at = await lockProofs(client);
  const causes = new Causes(client);
  const causeId = await causes.find(cause);
  const [ends, versions] = [await readEnds(client, hours), await readVersions(client, hours)];
  const proofs = [];
  for (const written of hours) {
    const { symbol, hourMs, ticks } = written;
    const { hour, day } = toPlace(hourMs);
    const hash = hashHour(symbol, hourMs, ticks);
    const earlier = versions.get(`${symbol} ${hour}`) ?? [];
    const newest = earlier.at(-1);
    if (newest === undefined ? hash.ticks === 0 : newest.content.equals(hash.content)) continue;
    const same = earlier.findLast(({ content }) => content.equals(hash.content));
    const origins =
      same === undefined
        ? (written.origins?.map((each, at) => (at % 2 === 1 && each === 0 ? causeId : each)) ??
          findOrigins(
            written,
            causeId,
            newest ?? { cause: await causes.find({ kind: "stored" }), origins: null },
            cause,
          ))
        : (same.origins ?? [0, same.cause]);
    const kept = hash.ticks === 0 || (origins.length === 2 && origins[1] === causeId) ? null : origins;
    const key = `${symbol} ${day}`;
    const end = ends.get(key) ?? { seq: 0, link: CHAIN_START };
    const seq = end.seq + 1;
    const texts = { cause: await causes.read(causeId), origins: await formatOrigins(kept, causes) };
    const link = hashLink(end.link, { seq, symbol, hourMs, at, ...hash, ...texts });
    ends.set(key, { seq, link });
    proofs.push({ day, symbol, seq, hour, ...hash, origins: kept, link });
    // The event loop answers calls in between.
    if (proofs.length % HOURS_PER_TURN === 0) await nextTurn();
  }
  if (proofs.length === 0) return;
  const statement = {
    text: `INSERT INTO hour_proof (day, symbol, seq, hour, ticks, content, minutes, cause, origins, at, link)
           SELECT day, symbol, seq, hour, ticks, content, minutes, $8::int4, origins::int4[], $9::int4, link
             FROM unnest($1::int4[], $2::text[], $3::int4[], $4::int4[], $5::int4[], $6::bytea[], $7::bytea[], $10::text[],
                         $11::bytea[])
                  AS row (day, symbol, seq, hour, ticks, content, minutes, origins, link)`,
    values: [
      proofs.map(({ day }) => day),
      proofs.map(({ symbol }) => symbol),
      proofs.map(({ seq }) => seq),
      proofs.map(({ hour }) => hour),
      proofs.map(({ ticks }) => ticks),
      proofs.map(({ content }) => content),
      proofs.map(({ minutes }) => minutes),
      causeId,
      at,
      proofs.map(({ origins }) => (origins === null ? null : `{${origins.join()}}`)),
      proofs.map(({ link }) => link),
    ],
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  await client.query(statement);
}

/** A symbol takes half a millisecond or less. */
const HOURS_PER_TURN = 8;

/** Proves the hours that the recorder closes. It comes after the store of their ticks. */
export const proofStore: HourStore = {
  async writeHour(client, columns) {
    const toWritten = (hour: HourColumns) => ({ ...hour, ticks: toTicks(hour), before: null });
    await proveHours(client, columns.filter(({ count }) => count > 0).map(toWritten), { kind: "recorded" });
  },
};

/** The ticks that are stored of some hours of a symbol, by the beginning of the hour; a damaged block counts as nothing. */
export async function readTicks(
  client: PoolClient,
  symbol: string,
  hours: readonly number[],
): Promise<Map<number, HourTicks>> {
  const statement = {
    text: "SELECT hour, block FROM tick_hour WHERE symbol = $1 AND hour = ANY ($2::int4[])",
    values: [symbol, hours],
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  const { rows } = await client.query<{ hour: number; block: Buffer }>(statement);
  const found = new Map<number, HourTicks>();
  for (const { hour, block } of rows) {
    const ticks = tryDecode(block);
    if (ticks !== null) found.set(hour * HOUR_MS, ticks);
  }
  return found;
}

/** Null for a damaged block. */
export function tryDecode(block: Buffer): HourTicks | null {
  try {
    return decodeHour(block);
  } catch {
    return null;
  }
}

/** Causes, which are stored once each. */
export class Causes {
  readonly #client: Pool | PoolClient;
  readonly #ids = new Map<string, number>();
  readonly #texts = new Map<number, string>();

  constructor(client: Pool | PoolClient) {
    this.#client = client;
  }

  /** The number of a cause, which is stored if it is new. */
  async find(cause: Cause): Promise<number> {
    const text = formatCause(cause);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    await this.#client.query("INSERT INTO hour_cause (text) VALUES ($1) ON CONFLICT DO NOTHING", [text]);
    const { rows } = await this.#client.query<{ id: number }>("SELECT id FROM hour_cause WHERE text = $1", [text]);
    const id = rows[0]?.id ?? 0;
    this.#ids.set(text, id);
    this.#texts.set(id, text);
    return id;
  }

  /** The text of a stored cause. */
  async read(id: number): Promise<string> {
    const known = this.#texts.get(id);
    if (known !== undefined) return known;
    const { rows } = await this.#client.query<{ text: string }>("SELECT text FROM hour_cause WHERE id = $1", [id]);
    const text = rows[0]?.text ?? "null";
    this.#texts.set(id, text);
    return text;
  }
}

/** A cause as JSON with sorted names, so that equal causes are equal texts. */
function formatCause(cause: Cause): string {
  return JSON.stringify(Object.fromEntries(Object.entries(cause).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Origins as JSON: [[second of the hour, cause], …]; an empty text for none. */
async function formatOrigins(origins: readonly number[] | null, causes: Pick<Causes, "read">): Promise<string> {
  if (origins === null) return "";
  const pairs: string[] = [];
  for (let at = 0; at < origins.length; at += 2) {
    pairs.push(`[${origins[at]},${await causes.read(origins[at + 1] as number)}]`);
  }
  return `[${pairs.join()}]`;
}

/** The last link of the chain of each symbol and day, by these. */
async function readEnds(client: PoolClient, hours: readonly WrittenHour[]): Promise<Map<string, ChainEnd>> {
  const places = new Map(
    hours.map(({ symbol, hourMs }) => {
      const { day } = toPlace(hourMs);
      return [`${symbol} ${day}`, { symbol, day }];
    }),
  );
  const { rows } = await client.query<ChainEnd & { symbol: string; day: number }>(
    `SELECT place.symbol, place.day, last.seq, last.link
       FROM unnest($1::text[], $2::int4[]) AS place (symbol, day),
            LATERAL (SELECT seq, link FROM hour_proof WHERE day = place.day AND symbol = place.symbol
                      ORDER BY seq DESC LIMIT 1) AS last`,
    [Array.from(places.values(), ({ symbol }) => symbol), Array.from(places.values(), ({ day }) => day)],
  );
  return new Map(rows.map(({ symbol, day, seq, link }) => [`${symbol} ${day}`, { seq, link }]));
}

/** The versions of each hour, oldest first, by its symbol and number. */
async function readVersions(client: PoolClient, hours: readonly WrittenHour[]): Promise<Map<string, Version[]>> {
  const { rows } = await client.query<Version>(
    `SELECT proof.symbol, proof.hour, content, cause, origins
       FROM unnest($1::text[], $2::int4[]) AS place (symbol, hour),
            LATERAL (SELECT * FROM hour_proof WHERE day = floor(place.hour / 24.0)::int4 AND symbol = place.symbol
                        AND hour = place.hour) AS proof
      ORDER BY proof.seq`,
    [hours.map(({ symbol }) => symbol), hours.map(({ hourMs }) => toPlace(hourMs).hour)],
  );
  const versions = new Map<string, Version[]>();
  for (const row of rows) {
    const key = `${row.symbol} ${row.hour}`;
    versions.set(key, [...(versions.get(key) ?? []), row]);
  }
  return versions;
}

/**
 * What wrote each second of an hour: what is as it was keeps its origin. Imports write whole minutes, so a second that
 * is the same by chance has the origin of its minute; filled gaps have single seconds.
 */
function findOrigins(
  { ticks, before }: WrittenHour,
  cause: number,
  { cause: usual, origins: kept }: Pick<Version, "cause" | "origins">,
  { kind }: Cause,
): readonly number[] {
  if (ticks === null || before === null) return [0, cause];
  const earlier = kept ?? [0, usual];
  const step = kind === "filled" ? 1 : 60;
  const digits = Math.max(ticks.digits, before.digits);
  const [now, then] = [groupTicks(ticks, digits, step), groupTicks(before, digits, step)];
  const origins: number[] = [];
  for (const second of ticks.seconds) {
    const group = Math.floor(second / step);
    const origin = now.get(group) === then.get(group) ? findOrigin(earlier, second) : cause;
    if (origins.at(-1) !== origin) origins.push(origins.length === 0 ? 0 : second, origin);
  }
  return origins;
}

/** SQL of the texts of a proof, as its link contains them, and the tables that they are in. */
export const PROOF_TEXTS = `
  coalesce((SELECT text FROM hour_cause WHERE hour_cause.id = hour_proof.cause), '') AS cause,
  CASE WHEN hour_proof.origins IS NULL THEN '' ELSE
    (SELECT '[' || string_agg('[' || hour_proof.origins[part * 2 - 1] || ',' || coalesce(text, '') || ']', ',' ORDER BY part) || ']'
       FROM generate_series(1, cardinality(hour_proof.origins) / 2) AS part
            LEFT JOIN hour_cause ON hour_cause.id = hour_proof.origins[part * 2]) END AS origins
  FROM hour_proof`;

/** What wrote a part of an hour. */
export interface HourOrigin {
  /** The first second of the part: seconds since the hour began. */
  readonly second: number;
  readonly cause: Cause;
  /** When it was written, UTC milliseconds; null while the hour is recorded. */
  readonly writtenAtMs: number | null;
}

/** What wrote the parts of an hour of a symbol, counted since 1970, in their order. */
export type FindOrigins = (symbol: string, hour: number) => readonly HourOrigin[];

const RECORDED: readonly HourOrigin[] = [{ second: 0, cause: { kind: "recorded" }, writtenAtMs: null }];

/** The part of an hour that a second of it belongs to. */
export function findPart(parts: readonly HourOrigin[], second: number): HourOrigin {
  return (parts.findLast((part) => part.second <= second) ?? RECORDED[0]) as HourOrigin;
}

/** Reads what wrote some hours of some symbols. An hour of which nothing is known is recorded now. */
export async function readOrigins(
  pool: Pool,
  symbols: readonly string[],
  hours: readonly number[],
): Promise<FindOrigins> {
  if (hours.length === 0) return () => RECORDED;
  const { rows } = await pool.query<{
    symbol: string;
    hour: number;
    cause: number;
    origins: number[] | null;
    at: number;
  }>(
    `SELECT symbol, hour, cause, origins, at FROM hour_proof
      WHERE day = ANY (SELECT floor(each / 24.0)::int4 FROM unnest($2::int4[]) AS each) AND symbol = ANY ($1)
        AND hour = ANY ($2)
      ORDER BY seq`,
    [symbols, hours],
  );
  const open = await readOpenOrigins(pool, symbols, hours);
  const ids = new Set(
    rows.flatMap(({ cause, origins }) => [cause, ...(origins ?? []).filter((_, at) => at % 2 === 1)]),
  );
  for (const { cause } of open) ids.add(cause);
  const { rows: causes } = await pool.query<{ id: number; text: string }>(
    "SELECT id, text FROM hour_cause WHERE id = ANY ($1::int4[])",
    [[...ids]],
  );
  const byId = new Map(causes.map(({ id, text }) => [id, JSON.parse(text) as Cause]));
  const found = new Map<string, readonly HourOrigin[]>();
  for (const { symbol, hour, cause: last, origins } of rows) {
    const parts = origins ?? [0, last];
    const toOrigin = (second: number, at: number): HourOrigin[] => {
      const id = parts[at * 2 + 1] as number;
      const cause = byId.get(id);
      const written = rows.findLast((row) => row.symbol === symbol && row.hour === hour && row.cause === id);
      return cause === undefined ? [] : [{ second, cause, writtenAtMs: (written?.at ?? 0) * 1000 }];
    };
    found.set(`${symbol} ${hour}`, parts.filter((_, at) => at % 2 === 0).flatMap(toOrigin));
  }
  for (const { symbol, hour, second, cause: id } of open) {
    const [key, cause] = [`${symbol} ${hour}`, byId.get(id) ?? ({ kind: "recorded" } as const)];
    found.set(key, [...(found.get(key) ?? []), { second, cause, writtenAtMs: null }]);
  }
  return (symbol, hour) => found.get(`${symbol} ${hour}`) ?? RECORDED;
}

/** The parts of open hours: their first seconds, and the numbers of what wrote them; 0 for the recorder. */
async function readOpenOrigins(pool: Pool, symbols: readonly string[], hours: readonly number[]) {
  const { rows } = await pool.query<{ symbol: string; hour: number; second: number; cause: number }>(
    `SELECT symbol, second / 3600 AS hour, CASE WHEN before IS NULL THEN 0 ELSE second % 3600 END AS second, cause
       FROM (SELECT symbol, second, coalesce(cause, 0) AS cause,
                    lag(coalesce(cause, 0)) OVER (PARTITION BY symbol, second / 3600 ORDER BY second) AS before
               FROM tick_second
              WHERE symbol = ANY ($1) AND second >= $2 AND second < $3 AND second / 3600 = ANY ($4::int4[])
                AND second - second % 3600 NOT IN (SELECT second FROM closed_hour)) AS journal
      WHERE before IS DISTINCT FROM cause ORDER BY journal.second`,
    [symbols, Math.min(...hours) * 3600, (Math.max(...hours) + 1) * 3600, hours],
  );
  return rows;
}

/** The cause of a second. Origins are second and cause, alternately, in the order of the seconds. */
function findOrigin(origins: readonly number[], second: number): number {
  let found = origins[1] as number;
  for (let at = 2; at < origins.length && (origins[at] as number) <= second; at += 2) found = origins[at + 1] as number;
  return found;
}

/** The ticks of each step of so many seconds, as a text that tells whether two are the same. */
function groupTicks({ digits: from, seconds, bid, ask }: HourTicks, digits: number, step: number): Map<number, string> {
  const [bids, asks] = [raisePoints(bid, from, digits), raisePoints(ask, from, digits)];
  const groups = new Map<number, string>();
  for (const [i, second] of seconds.entries()) {
    const group = Math.floor(second / step);
    groups.set(group, `${groups.get(group) ?? ""}${second} ${bids[i]} ${asks[i]};`);
  }
  return groups;
}
