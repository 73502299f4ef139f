import type { PriceRows } from "@/lib/feeds/files/price-rows";
import type { FileClock } from "@/lib/time/local-clock";
import { MINUTE_MS } from "@/lib/time/units";

/** Rows that are held at most: two hours of the busiest ticks. */
const MAX_HELD = 2_000_000;
/** How far ticks may lie behind each other without being those of the second hour. */
const DISORDER_MS = MINUTE_MS;

/** What a row has, but for its functions. */
type HeldRow = Pick<PriceRows, (typeof KEYS)[number]> & { readonly text: string };
const KEYS = [
  ...(["timeMs", "localMs", "doubledMs", "doubt", "bid", "ask", "open", "high", "low", "close"] as const),
  ...(["volume", "at", "mode", "fault"] as const),
] as const;

/** Gives the current row the time that a clock shows: of two hours with the same times, the first. */
export function setLocalTime(rows: PriceRows, localMs: number, clock: FileClock): void {
  clock.read(localMs);
  rows.timeMs = clock.ms;
  rows.localMs = localMs;
  rows.doubledMs = clock.doubledMs;
  rows.doubt = clock.isSkipped ? "no_such_time" : null;
}

/**
 * Tells apart the two hours that have the same local times when clocks are set back: the second begins where times go
 * back. Rows of which the order does not tell it are marked as ambiguous. Changes `rows` itself, so that all others are
 * read as fast as before.
 */
export function tellHoursApart(rows: PriceRows, zone: string): PriceRows {
  if (/^(?:UTC|Etc\/.*)$/.test(zone)) return rows;
  const readNext = rows.next.bind(rows);
  const describe = rows.describe.bind(rows);
  let held: HeldRow[] = [];
  let at = 0;
  let text: string | null = null;
  let beforeMs = NaN;

  function hold(): HeldRow {
    const own = { text: describe() } as Record<string, unknown>;
    for (const key of KEYS) own[key] = rows[key];
    return own as HeldRow;
  }

  /** Reads on until the hour is over, with the first row behind it. */
  function holdHour(): void {
    held = [hold()];
    at = 0;
    while (readNext()) {
      held.push(hold());
      if (rows.fault === null && rows.doubledMs === 0) break;
      if (held.length > MAX_HELD) throw new Error("too many rows are of the hour when clocks are set back");
    }
    decide(
      held.filter(({ fault, doubledMs }) => fault === null && doubledMs > 0),
      beforeMs,
      held.at(-1)?.localMs ?? NaN,
    );
  }

  return Object.assign(rows, {
    next(): boolean {
      if (at < held.length) {
        const { text: own, ...values } = held[at++] as HeldRow;
        Object.assign(rows, values);
        text = own;
        return true;
      }
      text = null;
      if (!readNext()) return false;
      if (rows.doubledMs === 0) {
        beforeMs = rows.localMs;
        return true;
      }
      holdHour();
      return rows.next();
    },
    describe: () => text ?? describe(),
  });
}

/** Moves the rows of the second hour, or marks all as ambiguous. */
function decide(rows: readonly HeldRow[], beforeMs: number, afterMs: number): void {
  const [first] = rows;
  if (first === undefined) return;
  const steps = rows.map((row, i) => (i === 0 ? 0 : row.localMs - (rows[i - 1] as HeldRow).localMs));
  const isRising = Number.isNaN(beforeMs)
    ? Number.isNaN(afterMs) || afterMs >= first.localMs
    : beforeMs <= first.localMs;
  const isSingle = rows.every(({ localMs }) => localMs === first.localMs);
  const isTurn = (step: number, i: number) => (isSingle ? i > 0 : (isRising ? -step : step) >= DISORDER_MS);
  const turns = steps.flatMap((step, i) => (isTurn(step, i) ? [i] : []));
  const [turn] = turns;
  rows.forEach((row, i) => {
    if (turn === undefined || turns.length > 1) row.doubt = "ambiguous_time";
    else if (isRising === i >= turn) row.timeMs += row.doubledMs;
  });
}
