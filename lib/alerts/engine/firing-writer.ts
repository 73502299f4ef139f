import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { AlertState } from "@/lib/alerts/conditions/evaluate";
import { type FiringFacts, formatFiringBody } from "@/lib/alerts/engine/facts";
import type { WatchedAlert } from "@/lib/alerts/engine/watched-alert";
import { readAlert, type WatchedRow } from "@/lib/alerts/engine/watched-rows";
import { writeFiring } from "@/lib/alerts/engine/write-firing";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";

/** A firing that is about to be written. */
interface PendingFiring {
  readonly alert: WatchedAlert;
  /** Unique for the alert. */
  readonly key: string;
  readonly state: AlertState;
  readonly facts: FiringFacts;
}

interface Options {
  readonly pool: Pool;
  readonly fence: number;
  readonly now: Clock;
  readonly log: Logger;
  /** Called after a firing was written: its deliveries are due. */
  readonly onFiring: () => void;
  /** Whether an alert is still watched, and not replaced. */
  readonly has: (alert: WatchedAlert) => boolean;
  readonly remove: (id: string) => void;
  /** Replaces an alert by its row, or removes it if there is none. */
  readonly reload: (row: WatchedRow | null, id: string) => void;
}

/** Writes firings into the database, again and again until it has them. */
export class FiringWriter {
  readonly #options: Options;
  readonly #failed: PendingFiring[] = [];
  readonly #writing = new Set<Promise<void>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Writes a firing in the background: prices do not wait for the database. */
  begin(firing: PendingFiring): void {
    firing.alert.isFiring = true;
    const writing: Promise<void> = this.write(firing).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Resolves when the firings that were begun are written. */
  async settle(): Promise<void> {
    await Promise.all(this.#writing);
  }

  /** Tries the firings again that could not be written. */
  async retry(): Promise<void> {
    for (const firing of this.#failed.splice(0)) await this.write(firing);
  }

  /** Writes a firing with its deliveries. The alert is not evaluated until that is done. */
  async write(firing: PendingFiring): Promise<void> {
    const { pool, fence, now, log, onFiring, has } = this.#options;
    const { alert, key, state, facts } = firing;
    if (!has(alert)) return;
    alert.isFiring = true;
    const [id, atMs] = [randomUUID(), now()];
    const body = formatFiringBody(alert, { id, atMs, facts });
    try {
      if (await writeFiring(pool, fence, alert, { id, key, atMs, state, message: facts.message, body })) {
        this.#continue(alert, state, atMs);
        onFiring();
      } else await this.#giveUp(firing);
    } catch (error) {
      log.error({ err: error, alert: alert.id }, "a firing cannot be written; trying again");
      this.#failed.push(firing);
    }
  }

  #continue(alert: WatchedAlert, state: AlertState, atMs: number): void {
    alert.firings += 1;
    alert.lastFiredAtMs = atMs;
    alert.state = state;
    alert.isUnsaved = alert.isFiring = false;
    if (alert.cooldownS === null && this.#options.has(alert)) this.#options.remove(alert.id);
  }

  /** The alert was changed or has fired elsewhere, or this very event has fired it before. */
  async #giveUp({ alert, state }: PendingFiring): Promise<void> {
    const row = await readAlert(this.#options.pool, alert.id);
    const isSame = row?.active === true && row.revision === alert.revision && row.firings === alert.firings;
    if (!isSame) return this.#options.reload(row, alert.id);
    alert.setState(state);
    alert.isFiring = false;
  }
}
