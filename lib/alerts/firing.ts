import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { formatLevel, type IndicatorCondition, type QuoteCondition } from "@/lib/alerts/conditions";
import type { AlertState } from "@/lib/alerts/evaluation";
import { readAlert, type WatchedAlert, type WatchedRow } from "@/lib/alerts/watched-alert";
import type { ServedQuote } from "@/lib/book/quote";
import type { CalendarEvent } from "@/lib/calendar/event";
import type { DataMode } from "@/lib/market/bar";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";

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

/** A firing to be written. */
interface NewFiring {
  readonly id: string;
  /** Unique for the alert. */
  readonly key: string;
  readonly atMs: number;
  readonly state: AlertState;
  readonly message: string;
  readonly body: string;
}

/**
 * Writes a firing with its deliveries and the new state of the alert in one transaction. Resolves with false, and writes
 * nothing, if the alert was changed, has fired, or is no longer active, if a firing has the same key, or if another
 * server records than that with the number `fence`.
 */
async function writeFiring(
  pool: Pool,
  fence: number,
  { id, revision, firings }: Pick<WatchedAlert, "id" | "revision" | "firings">,
  firing: NewFiring,
): Promise<boolean> {
  const { rows } = await pool.query<{ count: number }>(
    `WITH lease AS (SELECT FROM recorder_lease WHERE fence = $10 FOR KEY SHARE),
     fired AS (
       UPDATE alert SET firings = firings + 1, last_fired_at = to_timestamp($6::float8 / 1000), state = $7::jsonb,
              active = cooldown_s IS NOT NULL
         FROM lease
        WHERE id = $1 AND active AND revision = $2 AND firings = $3
          AND NOT EXISTS (SELECT FROM alert_firing WHERE alert_id = $1 AND key = $5)
       RETURNING account_id, webhook_id, by_mail, by_push
     ), firing AS (
       INSERT INTO alert_firing (id, account_id, alert_id, key, at, message, body)
       SELECT $4, account_id, $1, $5, to_timestamp($6::float8 / 1000), $8, $9 FROM fired
     ), deliveries AS (
       INSERT INTO alert_delivery (id, firing_id, account_id, channel, webhook_id, device_id, due_at)
       SELECT gen_random_uuid(), $4, account_id, 'webhook'::alert_channel, webhook_id, NULL::uuid,
              to_timestamp($6::float8 / 1000)
         FROM fired WHERE webhook_id IS NOT NULL
       UNION ALL
       SELECT gen_random_uuid(), $4, account_id, 'mail', NULL, NULL, to_timestamp($6::float8 / 1000)
         FROM fired WHERE by_mail
       UNION ALL
       SELECT gen_random_uuid(), $4, fired.account_id, 'push', NULL, push_device.id, to_timestamp($6::float8 / 1000)
         FROM fired JOIN push_device ON push_device.account_id = fired.account_id WHERE by_push
     )
     SELECT count(*)::int4 AS count FROM fired`,
    [
      id,
      revision,
      firings,
      firing.id,
      firing.key,
      firing.atMs,
      JSON.stringify(firing.state),
      firing.message,
      firing.body,
      fence,
    ],
  );
  return (rows[0]?.count ?? 0) > 0;
}

/** Why an alert fires, for its message and its webhook. */
export interface FiringFacts {
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a condition fires for once: an event, or a day of a source. */
export interface Occasion {
  /** Unique for the alert. */
  readonly key: string;
  explain(): FiringFacts;
}

/** The facts of a condition on a symbol. `value` is the move in percent, the usual spread in pips, or the level of the line. */
export function buildQuoteFacts(condition: QuoteCondition, quote: ServedQuote, value: number): FiringFacts {
  const { symbol, bid, ask, spreadPips, timeMs, source, state, mode } = quote;
  const timestamp = new Date(timeMs).toISOString();
  const data = { quote: { symbol, bid, ask, spread_pips: spreadPips, timestamp, source, state, data_mode: mode } };
  const price = (each: number) => formatLevel(symbol, each);
  const note = mode === "live" ? "" : ` (${mode === "simulated" ? "simulated" : "replayed"} prices)`;
  const prices = `bid ${price(bid)}, ask ${price(ask)}${note}.`;
  switch (condition.type) {
    case "price":
      return { message: `${symbol} crossed ${price(condition.level)}: ${prices}`, data };
    case "line": {
      const level = price(value);
      return {
        message: `${symbol} crossed its line at ${level}: ${prices}`,
        data: { ...data, line_level: Number(level) },
      };
    }
    case "move": {
      const percent = Number(value.toFixed(4));
      const verb = value > 0 ? "rose" : "fell";
      const text = `${symbol} ${verb} by ${Math.abs(value).toFixed(2)} % within ${condition.minutes} min: ${prices}`;
      return { message: text, data: { ...data, move_percent: percent } };
    }
    case "spread": {
      const text = `${symbol} spread is ${spreadPips} pips, above its usual ${value}: ${prices}`;
      return { message: text, data: { ...data, usual_spread_pips: value } };
    }
    case "state":
      return { message: `${symbol} is now ${state === "delayed" ? "live" : state}: ${prices}`, data };
  }
}

/** The facts of an indicator at a closed bar. */
export function buildIndicatorFacts(
  { symbol, timeframe, indicator, level, against: other }: IndicatorCondition,
  { value, against, barEndMs, mode }: { value: number; against: number; barEndMs: number; mode: DataMode },
): FiringFacts {
  const note = mode === "live" ? "" : ` (${mode === "simulated" ? "simulated" : "replayed"} prices)`;
  const closed = new Date(barEndMs).toISOString();
  const verb = value > against ? "above" : "below";
  const what = other === null ? `${level}` : `${other} (${against})`;
  const message = `${symbol} ${indicator} of ${timeframe} crossed ${verb} ${what}: ${value} at the bar that closed at ${closed.slice(11, 16)} UTC${note}.`;
  const reading = { symbol, timeframe, indicator, value, level, against: other, against_value: against };
  return { message, data: { reading: { ...reading, bar_closed: closed, data_mode: mode } } };
}

/** The facts of an event. The figure is only shown where it is the reason. */
export function buildEventFacts(type: "release" | "upcoming", event: CalendarEvent, nowMs: number): FiringFacts {
  const { id, currency, title, impact, forecast, previous, actual, timeMs, provider } = event;
  const datetime = new Date(timeMs).toISOString();
  const shared = { id, datetime, currency, event: title, impact, forecast, previous, source: provider };
  const note = provider === "simulated" ? " (simulated event)" : "";
  if (type === "release") {
    const rest = [forecast === "" ? "" : `forecast ${forecast}`, previous === "" ? "" : `previous ${previous}`];
    const text = [`${currency} ${title}: ${actual}`, ...rest.filter((part) => part !== "")].join(", ");
    return { message: `${text}${note}.`, data: { event: { ...shared, actual } } };
  }
  const minutes = Math.max(0, Math.ceil((timeMs - nowMs) / MINUTE_MS));
  const message = `${currency} ${title} is due in ${minutes} min, ${impact} impact${note}.`;
  return { message, data: { event: shared } };
}

/** The signed text of a firing. */
function formatFiringBody(
  { id: alertId, name, condition, firings }: WatchedAlert,
  { id, atMs, facts }: { readonly id: string; readonly atMs: number; readonly facts: FiringFacts },
): string {
  const alert = { id: alertId, name, condition };
  return formatEventBody("alert.fired", atMs, {
    id,
    alert,
    number: firings + 1,
    message: facts.message,
    ...facts.data,
  });
}

/** What a webhook receives, as Standard Webhooks suggests: a type, a time and the data. */
export function formatEventBody(
  type: "alert.fired" | "alert.test",
  atMs: number,
  data: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data });
}
