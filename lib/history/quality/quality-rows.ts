import type { Pool, PoolClient } from "pg";
import { type Refusal, REFUSALS } from "@/lib/feeds/refusals";
import {
  MAX_VARINT_BYTES,
  openBlock,
  readVarint,
  readWideChange,
  sealBlock,
  writeVarint,
  writeWideChange,
} from "@/lib/history/block";
import {
  type HourGap,
  type JudgedHour,
  type Spike,
  type Stretch,
  type Verdict,
  VERDICTS,
} from "@/lib/history/quality/judge-hour";
import { HOUR_MS } from "@/lib/time/units";

/** The quality of one symbol and source in an hour, as it is stored: a row with a block of what few readers need. */
export interface QualityHour extends Omit<JudgedHour, "distances"> {
  readonly symbol: string;
  /** When the hour began: UTC milliseconds. */
  readonly hourMs: number;
  /** The digits of the distances and of the sizes of spikes, which are in points. */
  readonly digits: number;
  readonly served: number;
  readonly distances: ReadonlyMap<number, number>;
  readonly refused: ReadonlyMap<Refusal, number>;
  /** How far the source's clock was behind, in milliseconds: the median of its minutes. Null where it is not known. */
  readonly offsetMs: number | null;
}

const VERSION = 1;
const BLOCK = { content: "quality", versions: [VERSION], maxBytes: 1024 * 1024 };
const LEVEL = 6;

/** Distances have three digits that count, so that a coin has no thousands of different ones. */
function roundDistance(points: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, points))) - 2);
  return Math.round(points / unit) * unit;
}

function encodeQuality(hour: QualityHour): Buffer {
  const distances = new Map<number, number>();
  for (const [points, seconds] of hour.distances) {
    const rounded = roundDistance(points);
    distances.set(rounded, (distances.get(rounded) ?? 0) + seconds);
  }
  const numbers = hour.gaps.length * 3 + hour.spikes.length * 3 + distances.size * 2 + hour.refused.size * 2 + 10;
  const payload = Buffer.allocUnsafe(hour.verdicts.length + numbers * MAX_VARINT_BYTES);
  let at = 0;
  const write = (value: number) => void (at = writeVarint(payload, at, value));
  const writeSigned = (value: number) => void (at = writeWideChange(payload, at, value));
  write(hour.digits);
  for (const verdict of hour.verdicts) write(verdict);
  write(hour.longest);
  write(hour.bars);
  write(hour.differingBars);
  write(hour.offsetMs === null ? 0 : 1);
  if (hour.offsetMs !== null) writeSigned(Math.round(hour.offsetMs));
  write(hour.gaps.length);
  for (const { from, to, isStopped } of hour.gaps) {
    write(from);
    write(to - from);
    write(isStopped ? 1 : 0);
  }
  write(hour.spikes.length);
  for (const { from, to, size } of hour.spikes) {
    write(from);
    write(to - from);
    writeSigned(Math.round(size));
  }
  write(distances.size);
  let below = 0;
  for (const [points, seconds] of [...distances].sort(([a], [b]) => a - b)) {
    write(points - below);
    write(seconds);
    below = points;
  }
  write(hour.refused.size);
  for (const [reason, count] of hour.refused) {
    write(REFUSALS.indexOf(reason));
    write(count);
  }
  return sealBlock(VERSION, payload.subarray(0, at), LEVEL);
}

type Packed = Omit<QualityHour, "symbol" | "hourMs" | "source" | "expected" | "updated" | "covered" | "served">;

/** Decodes a block. Throws an Error for a damaged one. */
function decodeQuality(block: Uint8Array, minutes = 60): Packed {
  const { reader } = openBlock(block, BLOCK);
  const read = () => readVarint(reader);
  const readMany = <Item>(item: () => Item) => Array.from({ length: read() }, item);
  const readStretch = (): Stretch => {
    const from = read();
    return { from, to: from + read() };
  };
  const digits = read();
  const verdicts = Uint8Array.from({ length: minutes }, read);
  const [longest, bars, differingBars] = [read(), read(), read()];
  const offsetMs = read() === 0 ? null : readWideChange(reader);
  const gaps = readMany((): HourGap => ({ ...readStretch(), isStopped: read() === 1 }));
  const spikes = readMany((): Spike => ({ ...readStretch(), size: readWideChange(reader) }));
  let points = 0;
  const distances = new Map(readMany(() => [(points += read()), read()] as const));
  const refused = new Map(readMany(() => [REFUSALS[read()] as Refusal, read()] as const));
  return { digits, verdicts, longest, bars, differingBars, offsetMs, gaps, spikes, distances, refused };
}

/** The verdicts of minutes that are at fault. */
export const FAULTS: readonly Verdict[] = ["stale", "lag", "off", "spike"];
const isFaulty = (verdict: Verdict | undefined) => verdict !== undefined && FAULTS.includes(verdict);

const ROWS_PER_STATEMENT = 500;

/** Writes judged hours in the caller's transaction, in place of those of the same symbol, hour and source. */
export async function writeQuality(client: PoolClient, hours: readonly QualityHour[]): Promise<void> {
  for (let at = 0; at < hours.length; at += ROWS_PER_STATEMENT) {
    const some = hours.slice(at, at + ROWS_PER_STATEMENT);
    const column = <Value>(get: (hour: QualityHour) => Value) => some.map(get);
    await client.query(
      `INSERT INTO quality_hour (symbol, hour, source, expected, updated, covered, served, faulty, agreeing, block)
       SELECT * FROM unnest($1::text[], $2::int4[], $3::text[], $4::int2[], $5::int2[], $6::int2[], $7::int2[],
                            $8::int2[], $9::int2[], $10::bytea[])
       ON CONFLICT (symbol, hour, source) DO UPDATE
         SET expected = excluded.expected, updated = excluded.updated, covered = excluded.covered,
             served = excluded.served, faulty = excluded.faulty, agreeing = excluded.agreeing, block = excluded.block`,
      [
        column(({ symbol }) => symbol),
        column(({ hourMs }) => hourMs / HOUR_MS),
        column(({ source }) => source),
        column(({ expected }) => expected),
        column(({ updated }) => updated),
        column(({ covered }) => covered),
        column(({ served }) => served),
        column(({ verdicts }) => verdicts.reduce((sum, each) => sum + (isFaulty(VERDICTS[each]) ? 1 : 0), 0)),
        column(({ verdicts }) => verdicts.reduce((sum, each) => sum + (VERDICTS[each] === "agrees" ? 1 : 0), 0)),
        some.map(encodeQuality),
      ],
    );
  }
}

interface HourRow {
  readonly hour: number;
  readonly source: string;
  readonly expected: number;
  readonly updated: number;
  readonly covered: number;
  readonly served: number;
  readonly block: Buffer;
}

/** The judged hours of a symbol that began in [fromMs, toMs), oldest first. */
export async function readQuality(pool: Pool, symbol: string, fromMs: number, toMs: number): Promise<QualityHour[]> {
  const { rows } = await pool.query<HourRow>(
    `SELECT hour, source, expected, updated, covered, served, block FROM quality_hour
      WHERE symbol = $1 AND hour >= $2 AND hour < $3 ORDER BY hour, source`,
    [symbol, Math.ceil(fromMs / HOUR_MS), Math.ceil(toMs / HOUR_MS)],
  );
  return rows.map(({ hour, block, ...row }) => {
    try {
      return { ...row, symbol, hourMs: hour * HOUR_MS, ...decodeQuality(block) };
    } catch (error) {
      const time = new Date(hour * HOUR_MS).toISOString();
      throw new Error(`The quality of ${symbol} from ${row.source} at ${time} cannot be read`, { cause: error });
    }
  });
}

/** The moment before which all hours are judged, UTC milliseconds; null before the first one. */
export async function readJudgedUntil(pool: Pick<Pool, "query">): Promise<number | null> {
  const { rows } = await pool.query<{ hour: number }>("SELECT hour FROM quality_progress");
  return rows[0] === undefined ? null : rows[0].hour * HOUR_MS;
}

/** Moves that moment in the caller's transaction. */
export async function writeJudgedUntil(client: PoolClient, untilMs: number): Promise<void> {
  await client.query(
    "INSERT INTO quality_progress (hour) VALUES ($1) ON CONFLICT (id) DO UPDATE SET hour = excluded.hour",
    [untilMs / HOUR_MS],
  );
}
