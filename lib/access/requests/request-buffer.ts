import type { KeyEntry } from "@/lib/access/admission/entries";
import { SECOND_MS } from "@/lib/time/units";

/** A call that was answered, as far as the log needs it. The pipeline's state of a call has these fields. */
export interface AnsweredCall {
  /** 32 hexadecimal characters. */
  readonly requestId: string;
  /** When it was answered, UTC milliseconds. */
  readonly nowMs: number;
  /** The endpoint's path template, and the path parameter, percent-encoded; empty without one. */
  readonly match: { readonly path: string; readonly segment: string } | null;
  /** The validated body; null without one. */
  readonly body: unknown;
  readonly call: { readonly method: string; readonly search: string; address(): string | null };
}

/** The reason of a refusal, as the caller got it. */
export interface RefusalReason {
  readonly wireCode: string;
  readonly message: string;
}

/** One call that has a row of its own, before it is written. */
export interface NotedRequest {
  readonly key: KeyEntry;
  readonly atMs: number;
  readonly requestId: string;
  readonly method: string;
  readonly endpoint: string;
  readonly segment: string;
  readonly search: string;
  readonly body: unknown;
  readonly status: number;
  readonly refusal: RefusalReason | null;
  readonly credits: number;
  readonly address: string | null;
  readonly ms: number;
  /** Further calls of this kind in the same second. */
  more: number;
}

/** Calls of one key in one second that have a row each: answered ones, and refused or failed ones. */
export const MAX_ANSWERED_ROWS = 5;
export const MAX_REFUSED_ROWS = 50;

/** Rows that wait. Above the first number only the first call of each kind gets a row; above the second, none. */
export interface BufferSize {
  readonly full: number;
  readonly max: number;
}

interface Second {
  readonly second: number;
  answered: number;
  refused: number;
  readonly rows: NotedRequest[];
}

/**
 * Collects calls in memory. The first calls of a key in a second get a row each; further ones are counted on the last
 * row of their kind, which is one with the same method, endpoint, status and code. So the rows of a second stand for all
 * of its calls, and no kind is missing.
 */
export function createRequestBuffer({ full, max }: BufferSize) {
  let rows: NotedRequest[] = [];
  let seconds = new Map<KeyEntry, Second>();
  let lost = 0;

  function findSecond(key: KeyEntry, nowMs: number): Second {
    const second = Math.floor(nowMs / SECOND_MS);
    let found = seconds.get(key);
    if (found === undefined || found.second !== second) {
      found = { second, answered: 0, refused: 0, rows: [] };
      seconds.set(key, found);
    }
    return found;
  }

  return {
    /** Notes one call. Costs most calls under load two look-ups and no allocation. */
    note(
      key: KeyEntry,
      answered: AnsweredCall,
      status: number,
      refusal: RefusalReason | null,
      credits: number,
      ms: number,
    ): void {
      const { call, match, requestId, nowMs, body } = answered;
      if (match === null) return;
      const second = findSecond(key, nowMs);
      const isOver = status < 400 ? ++second.answered > MAX_ANSWERED_ROWS : ++second.refused > MAX_REFUSED_ROWS;
      if (isOver || rows.length >= full) {
        const alike = findAlike(second.rows, call.method, match.path, status, refusal);
        if (alike !== null) {
          alike.more += 1;
          return;
        }
      }
      if (rows.length >= max) {
        lost += 1;
        return;
      }
      const row: NotedRequest = {
        key,
        atMs: nowMs,
        requestId,
        method: call.method,
        endpoint: match.path,
        segment: match.segment,
        search: call.search,
        body,
        status,
        refusal,
        credits,
        address: call.address(),
        ms,
        more: 0,
      };
      second.rows.push(row);
      rows.push(row);
    },

    /** Returns and forgets the rows since the last drain. */
    drain(): NotedRequest[] {
      const drained = rows;
      rows = [];
      seconds = new Map();
      return drained;
    },

    /** Returns and resets the number of calls that are in no row. */
    drainLost(): number {
      const drained = lost;
      lost = 0;
      return drained;
    },
  };
}

function findAlike(
  rows: readonly NotedRequest[],
  method: string,
  endpoint: string,
  status: number,
  refusal: RefusalReason | null,
): NotedRequest | null {
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index] as NotedRequest;
    if (row.status !== status || row.endpoint !== endpoint || row.method !== method) continue;
    if (row.refusal?.wireCode === refusal?.wireCode) return row;
  }
  return null;
}
