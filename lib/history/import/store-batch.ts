import type { Pool, PoolClient } from "pg";
import { inTransaction } from "@/lib/history/hour-store";
import { composeHour } from "@/lib/history/import/compose-hour";
import { countRows, type HourPart, mergeParts, type PackedPart, packPart } from "@/lib/history/import/hour-parts";
import {
  readClosed,
  readOpen,
  readParts,
  readRecorded,
  unpackParts,
  writeParts,
} from "@/lib/history/import/import-rows";
import { writeHours } from "@/lib/history/import/write-hours";
import { readRecorderClock } from "@/lib/history/recording/recorder-lease";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS } from "@/lib/time/units";

/** The imported part of some hours of one symbol and source. Hours are counted since 1970. */
export interface Batch {
  readonly instrument: Pick<Instrument, "symbol" | "digits">;
  readonly parts: ReadonlyMap<number, HourPart>;
}

export interface StoreOptions {
  /** Sources in the order of their priority. */
  readonly priority: readonly string[];
  readonly spreadsFromMs: number;
  /** Writes what belongs to the batch, such as how far its file was read, in the same transaction. */
  readonly alongside: (client: PoolClient, stored: StoredBatch) => Promise<void>;
}

export interface StoredBatch {
  /** Rows that are new in the database. */
  readonly added: number;
  /** Rows of hours that the recorder is still filling or has not reached. They are not stored. */
  readonly open: number;
}

/**
 * Stores a batch in one transaction: again, it changes nothing. Hours that the recorder is filling are left to it, and so
 * are all after its market clock: a replay at its own time must not show its future. The recorder closes no hour
 * meanwhile.
 */
export function storeBatch(pool: Pool, batch: Batch, options: StoreOptions): Promise<StoredBatch> {
  return inTransaction(pool, async (client) => {
    await lockClosedHours(client);
    const open = await readOpen(client);
    const closed = await readClosed(client, [...open]);
    const presentHour = ((await readRecorderClock(client)) ?? Infinity) / HOUR_MS;
    const isOpen = (hour: number) => (open.has(hour) && !closed.has(hour)) || hour + 1 > presentHour;
    const parts = [...batch.parts].filter(([hour]) => !isOpen(hour));
    const added = await addParts(client, { ...batch, parts: new Map(parts) }, options);
    const openRows = [...batch.parts].filter(([hour]) => isOpen(hour)).map(([, part]) => countRows(part));
    const stored = { added, open: openRows.reduce((sum, rows) => sum + rows, 0) };
    await options.alongside(client, stored);
    return stored;
  });
}

/**
 * Keeps the recorder from closing an hour, and other imports from writing, until the transaction ends. The recorder takes
 * the two locks in the same order.
 */
export async function lockClosedHours(client: PoolClient): Promise<void> {
  await client.query("LOCK TABLE closed_hour IN SHARE MODE");
  await lockImports(client);
}

/** Keeps imports from writing until the transaction ends. */
export async function lockImports(client: PoolClient): Promise<void> {
  await client.query("SELECT FROM history_revision FOR UPDATE");
}

/** Tells servers that hours were imported. */
export async function raiseImports(client: PoolClient): Promise<void> {
  await client.query("UPDATE history_revision SET imports = imports + 1");
}

async function addParts(
  client: PoolClient,
  { instrument, parts }: Batch,
  { priority, spreadsFromMs }: StoreOptions,
): Promise<number> {
  const { symbol } = instrument;
  const hours = [...parts.keys()];
  const stored = await readParts(client, symbol, hours);
  const closed = await readClosed(client, hours);
  const recorded = await readRecorded(
    client,
    symbol,
    hours.filter((hour) => closed.has(hour) && !stored.has(hour)),
  );
  const written: (PackedPart & { readonly hour: number })[] = [];
  const composed = [];
  let added = 0;
  for (const [hour, part] of parts) {
    const hourMs = hour * HOUR_MS;
    const packed = stored.get(hour) ?? (recorded.get(hour) ?? []).map((each) => packPart(each, hourMs));
    const isOwn = ({ source, timeframe }: PackedPart) => source === part.source && timeframe === part.timeframe;
    const own = packed.find(isOwn);
    const [before] = own === undefined ? [] : unpackParts([own], hour);
    const merged = before === undefined ? part : mergeParts(before, part);
    const block = packPart(merged, hourMs);
    if (own?.block.equals(block.block) === true) continue;
    added += countRows(merged) - (before === undefined ? 0 : countRows(before));
    written.push({ ...block, hour });
    if (!stored.has(hour)) for (const each of packed) written.push({ ...each, hour });
    const others = unpackParts(
      packed.filter((each) => !isOwn(each)),
      hour,
    );
    composed.push(composeHour([...others, merged], { instrument, hourMs, priority }));
  }
  await writeParts(client, symbol, written);
  await writeHours(client, composed, { symbol, spreadsFromMs });
  if (composed.length > 0) await raiseImports(client);
  return added;
}
