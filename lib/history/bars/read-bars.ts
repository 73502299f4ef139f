import type { Pool } from "pg";
import { TIMEFRAME_MINUTES } from "@/lib/history/bars/bar-rows";
import type { PointBar } from "@/lib/history/bars/point-bar";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";
import type { Timeframe } from "@/lib/market/timeframe";

export interface BarRange {
  readonly symbols: readonly string[];
  readonly timeframe: Timeframe;
  /** Bars that opened in [fromMs, toMs). */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Bars of each symbol. */
  readonly limit: number;
  readonly pick: "first" | "latest";
}

const MAX_SECOND = 2_147_483_647;
const PACKED_BYTES = 24;
/** Aggregates bars for `unpackBars`. */
export const PACKED_BARS = `string_agg(int4send(time) || int4send(open) || int4send(high) || int4send(low)
                      || int4send(close) || int4send(volume), ''::bytea ORDER BY time)`;

/** The table's number for the first second from a moment on; infinite moments have the least and the greatest. */
export function toSecond(ms: number): number {
  return Math.max(0, Math.min(MAX_SECOND, Math.ceil(ms / 1000)));
}

/**
 * Bars of each symbol that has any, oldest first. They are sent packed, one row per symbol: 160,000 bars as rows of
 * text would block this thread for half a second.
 */
export async function readBars(pool: Pool, range: BarRange): Promise<Map<string, PointBar[]>> {
  const { symbols, timeframe, fromMs = 0, toMs = Infinity, limit, pick } = range;
  const query = {
    text: `SELECT requested.symbol, packed.bars
             FROM unnest($1::text[]) AS requested (symbol), LATERAL (
                    SELECT ${PACKED_BARS} AS bars
                      FROM (SELECT * FROM bar
                             WHERE symbol = requested.symbol AND timeframe = $2 AND time >= $3 AND time < $4
                             ORDER BY time ${pick === "latest" ? "DESC" : "ASC"} LIMIT $5) AS chosen
                  ) AS packed
            WHERE packed.bars IS NOT NULL`,
    values: [symbols, TIMEFRAME_MINUTES[timeframe], toSecond(fromMs), toSecond(toMs), limit],
    query_timeout: symbols.length > 1 ? HOUR_WORK_TIMEOUT_MS : undefined,
  };
  const { rows } = await pool.query<{ symbol: string; bars: Buffer }>(query);
  return new Map(rows.map(({ symbol, bars }) => [symbol, unpackBars(bars)]));
}

export function unpackBars(packed: Buffer): PointBar[] {
  return Array.from({ length: packed.length / PACKED_BYTES }, (_, i) => {
    const at = i * PACKED_BYTES;
    return {
      timeMs: packed.readInt32BE(at) * 1000,
      open: packed.readInt32BE(at + 4),
      high: packed.readInt32BE(at + 8),
      low: packed.readInt32BE(at + 12),
      close: packed.readInt32BE(at + 16),
      volume: packed.readInt32BE(at + 20),
    };
  });
}
