import type { KeyEntry } from "@/lib/access/admission/entries";
import { HOUR_MS } from "@/lib/time/units";

/** Calls of one key in one UTC hour, by endpoint and status: a row of usage_hour. */
export interface UsageCell {
  readonly keyId: string;
  readonly accountId: string;
  readonly hourMs: number;
  readonly endpoint: string;
  readonly status: number;
  calls: number;
  credits: number;
}

/**
 * Counts calls in memory. A repeated call of the hour costs two look-ups and allocates nothing. Holds at most `maxCells`
 * cells between two drains; further calls are counted as lost.
 */
export function createUsageCells(maxCells: number) {
  let byKey = new Map<KeyEntry, Map<string, UsageCell[]>>();
  let size = 0;
  let hourMs = -Infinity;
  /** Cells of hours that ended before they were drained. */
  let ended: UsageCell[] = [];
  let lost = 0;

  function endHour(nowMs: number): void {
    ended = drain();
    hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    byKey = new Map();
    size = ended.length;
  }

  function addCell(entry: KeyEntry, endpoint: string, status: number): UsageCell | null {
    if (size >= maxCells) {
      lost += 1;
      return null;
    }
    size += 1;
    let endpoints = byKey.get(entry);
    if (endpoints === undefined) byKey.set(entry, (endpoints = new Map()));
    let cells = endpoints.get(endpoint);
    if (cells === undefined) endpoints.set(endpoint, (cells = []));
    const { id: keyId, accountId } = entry;
    const cell = { keyId, accountId, hourMs, endpoint, status, calls: 0, credits: 0 };
    cells.push(cell);
    return cell;
  }

  /** Returns and resets the counts since the last drain. */
  function drain(): UsageCell[] {
    const drained = ended;
    ended = [];
    size -= drained.length;
    for (const endpoints of byKey.values()) {
      for (const cells of endpoints.values()) {
        for (const cell of cells) {
          if (cell.calls === 0) continue;
          drained.push({ ...cell });
          cell.calls = 0;
          cell.credits = 0;
        }
      }
    }
    return drained;
  }

  return {
    drain,
    count(entry: KeyEntry, endpoint: string, status: number, credits: number, nowMs: number): void {
      if (nowMs >= hourMs + HOUR_MS || nowMs < hourMs) endHour(nowMs);
      const cells = byKey.get(entry)?.get(endpoint);
      let cell: UsageCell | null | undefined;
      // An endpoint has few statuses: a loop is faster than another map.
      if (cells !== undefined) for (const one of cells) if (one.status === status) cell = one;
      cell ??= addCell(entry, endpoint, status);
      if (cell === null) return;
      cell.calls += 1;
      cell.credits += credits;
    },
    /** Returns and resets the number of lost calls. */
    drainLost(): number {
      const drained = lost;
      lost = 0;
      return drained;
    },
  };
}
