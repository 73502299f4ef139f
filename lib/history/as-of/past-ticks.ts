import type { NotRecorded, PastReader, PastSeconds } from "@/lib/history/as-of/past-changes";
import { readReceivedTicks, type ReceivedTicks } from "@/lib/history/tapes/received-ticks";
import { findFirst, sliceTape } from "@/lib/history/tapes/tape";
import { type KeptOfSymbols, readKeptOfSymbols, readKeptUntil } from "@/lib/history/tapes/tape-history";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import type { Read } from "@/lib/platform/database/replica";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly changes: PastReader;
  readonly read: Read;
  readonly marketNow: Clock;
  /** Ticks that are read at once. */
  readonly maxTicks?: number;
}

/** Ticks in memory, about 20 MB: an hour of all majors, or some minutes of a whole catalog. */
const MAX_TICKS = 500_000;
const HOUR_SECONDS = HOUR_MS / SECOND_MS;
/** A tick may be passed on so long after its receipt, and is stored after that. */
const LATE_MS = SECOND_MS;
/** A server that has not stored ticks for so long stores none. */
const MAX_LAG_MS = 30 * SECOND_MS;

/** Ticks of seconds in [since, until), by their receipt. */
interface Chunk {
  readonly since: number;
  readonly until: number;
  readonly ticks: readonly ReceivedTicks[];
}

/** The recorded changes with every tick, where these are stored. What is not stored of ticks yet is not read. */
export class PastTicks implements PastReader {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async *read(from: number, to: number, symbols: readonly string[], isContinued = false): AsyncGenerator<PastSeconds> {
    const end = await this.#findEnd(symbols);
    if (end <= from) return;
    let chunk: Chunk = { since: from, until: from, ticks: [] };
    for await (const part of this.#options.changes.read(from, Math.min(to, end), symbols, isContinued)) {
      const until = Math.min(part.until, Math.max(end, part.since));
      // Where only the served price was recorded, there is nothing of sources.
      if (part.unnamedMode !== null) yield { ...part, until };
      else {
        if (part.since < chunk.since || until > chunk.until)
          chunk = await this.#load(part.since, { until, end: Math.min(end, to) }, symbols);
        yield { ...part, until, ticks: cut(chunk, part.since, until) };
      }
      if (part.until > until) return;
    }
  }

  find(from: number, to: number, symbols: readonly string[]): Promise<NotRecorded | null> {
    return this.#options.changes.find(from, to, symbols);
  }

  /** When the ticks of some symbols were not stored, of [from, to), Unix times. */
  readKept(from: number, to: number, symbols: readonly string[]): Promise<KeptOfSymbols> {
    const { read, marketNow } = this.#options;
    const span = { fromMs: from * SECOND_MS, toMs: to * SECOND_MS };
    return readKeptOfSymbols(read, findInstruments(symbols), { ...span, nowMs: marketNow() });
  }

  /** The first second of which ticks may come; Infinity if none are stored at the moment. */
  async #findEnd(symbols: readonly string[]): Promise<number> {
    const { read, marketNow } = this.#options;
    const untilMs = await readKeptUntil(read, findInstruments(symbols));
    if (untilMs === null || untilMs < marketNow() - MAX_LAG_MS) return Infinity;
    return Math.floor((untilMs - LATE_MS) / SECOND_MS);
  }

  /** Reads ticks from a second on: at least until another one, at most the rest of the hour. */
  async #load(
    since: number,
    { until, end }: { readonly until: number; readonly end: number },
    symbols: readonly string[],
  ): Promise<Chunk> {
    const { read, maxTicks = MAX_TICKS } = this.#options;
    const hour = Math.floor(since / HOUR_SECONDS);
    const { rows } = await read((pool) =>
      pool.query<{ count: number }>(
        "SELECT coalesce(sum(ticks), 0)::float8 AS count FROM tape_hour WHERE symbol = ANY ($1) AND hour = $2",
        [symbols, hour],
      ),
    );
    const length = Math.ceil(HOUR_SECONDS / Math.max(1, Math.ceil((rows[0]?.count ?? 0) / maxTicks)));
    const most = Math.min((hour + 1) * HOUR_SECONDS, since + length, end);
    const chunkUntil = Math.max(until, most);
    const ticks = await readReceivedTicks(read, symbols, { fromMs: since * SECOND_MS, toMs: chunkUntil * SECOND_MS });
    return { since, until: chunkUntil, ticks };
  }
}

function findInstruments(symbols: readonly string[]): Instrument[] {
  return symbols.flatMap((symbol) => instrumentBySymbol.get(symbol) ?? []);
}

/** The ticks of seconds in [since, until). */
function cut({ ticks }: Chunk, since: number, until: number): ReceivedTicks[] {
  return ticks.flatMap((each) => {
    const { receivedMs } = each.tape;
    const [from, to] = [findFirst(receivedMs, since * SECOND_MS), findFirst(receivedMs, until * SECOND_MS)];
    return from === to ? [] : { ...each, tape: sliceTape(each.tape, from, to) };
  });
}
