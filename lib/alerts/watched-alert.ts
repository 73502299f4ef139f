import type { Pool } from "pg";
import { type Condition, conditionSchema, toChartLine } from "@/lib/alerts/conditions";
import { type AlertState, PriceWindow } from "@/lib/alerts/evaluation";
import { type ChartLine, isLineOver } from "@/lib/market/time-axis";
import { SECOND_MS } from "@/lib/time/units";

export const COLUMNS = `id, account_id AS "accountId", name, condition, active, cooldown_s AS "cooldownS", state, firings,
  (extract(epoch FROM last_fired_at) * 1000)::float8 AS "lastFiredAtMs", revision::text AS revision`;

export function parseRow(row: WatchedRow): WatchedRow {
  return { ...row, condition: conditionSchema.parse(row.condition) };
}

/** An active alert in memory. */
export class WatchedAlert {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly condition: Condition;
  /** The value of access_revision at its last change, and how often it has fired: they identify the row to fire. */
  readonly revision: string;
  readonly cooldownS: number | null;
  /** The prices of a move; null for other conditions. */
  readonly window: PriceWindow | null;
  /** The line of a condition on one; null for other conditions. */
  readonly line: ChartLine | null;
  firings: number;
  lastFiredAtMs: number;
  state: AlertState | null;
  /** The end of the hours with which its completeness was compared last, UTC milliseconds; undefined before. */
  judgedUntilMs: number | null | undefined;
  /** When the bar may have closed that its indicator is compared at next, UTC milliseconds. */
  nextBarMs = -Infinity;
  /** When its bars were read last, by a clock that may be set back. */
  readAtMs = -Infinity;
  /** Whether the state is not stored yet. */
  isUnsaved = false;
  /** Whether a firing is being written: nothing is evaluated until it is. */
  isFiring = false;

  constructor(row: WatchedRow) {
    this.id = row.id;
    this.accountId = row.accountId;
    this.name = row.name;
    this.condition = row.condition;
    this.revision = row.revision;
    this.cooldownS = row.cooldownS;
    this.firings = row.firings;
    this.lastFiredAtMs = row.lastFiredAtMs ?? -Infinity;
    this.state = row.state;
    this.window = row.condition.type === "move" ? new PriceWindow(row.condition.minutes) : null;
    this.line = row.condition.type === "line" ? toChartLine(row.condition) : null;
  }

  /** Takes the state of the same alert before a change of its name or its channels. */
  continueFrom(before: WatchedAlert): void {
    // A stored state of null is the sign that the alert begins anew.
    if (this.state === null || before.firings !== this.firings) return;
    if (JSON.stringify(before.condition) !== JSON.stringify(this.condition)) return;
    this.state = before.state;
    this.isUnsaved = before.isUnsaved;
  }

  /** Whether its line is over, and the alert with it. */
  isOver(nowMs: number): boolean {
    return this.line !== null && isLineOver(this.line, nowMs);
  }

  setState(state: AlertState): void {
    this.state = state;
    this.isUnsaved = true;
  }

  /** Whether it fired so recently that it does not fire again. An alert that fires once has no cool-down. */
  isCoolingDown(nowMs: number): boolean {
    return nowMs < this.lastFiredAtMs + (this.cooldownS ?? 0) * SECOND_MS;
  }
}

/** The active alerts in the database, with plain SQL. */

export interface WatchedRow {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly condition: Condition;
  readonly active: boolean;
  readonly cooldownS: number | null;
  readonly state: AlertState | null;
  readonly firings: number;
  readonly lastFiredAtMs: number | null;
  readonly revision: string;
}

/** One alert; null if it was deleted. */
export async function readAlert(pool: Pool, id: string): Promise<WatchedRow | null> {
  const { rows } = await pool.query<WatchedRow>(`SELECT ${COLUMNS} FROM alert WHERE id = $1`, [id]);
  return rows[0] === undefined ? null : parseRow(rows[0]);
}

/** Ends an alert whose line is over, unless it was changed or has fired, or another server records. */
export async function endAlert(pool: Pool, fence: number, { id, revision, firings }: WatchedAlert): Promise<void> {
  await pool.query(
    `WITH lease AS (SELECT FROM recorder_lease WHERE fence = $4 FOR KEY SHARE)
     UPDATE alert SET active = false FROM lease WHERE id = $1 AND active AND revision = $2 AND firings = $3`,
    [id, revision, firings, fence],
  );
}
