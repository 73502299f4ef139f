import type { Pool } from "pg";
import { type Check, type ComponentHealth, HEALTHY } from "@/lib/api/service/health-check";
import type { Book } from "@/lib/book/book";
import type { RecordingStatus } from "@/lib/history/recording/recording";
import type { Instrument } from "@/lib/market/instrument";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** The checks of the components of the server. Each is cheap: all but the database's only read memory. */

/** Work that is done every second, or more often, is late after this time without success. */
const LATE_MS = 15 * SECOND_MS;
/** Prices are missing after this time without a tick, if a market is open. */
const SILENT_MS = 5 * MINUTE_MS;
/** How long the loss of a price is reported. */
const LOSS_SHOWN_MS = MINUTE_MS;

/** Down if the database does not answer or cannot be written to. */
export function checkDatabase(pool: Pool): Check {
  return async () => {
    const { rows } = await pool.query<{ isReadOnly: boolean }>(
      `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS "isReadOnly"`,
    );
    return rows[0]?.isReadOnly === false ? HEALTHY : down("it is read-only");
  };
}

/**
 * Down if work that is repeated has not succeeded for a while: it fails, or it hangs.
 *
 * @param fault what is wrong then: "usage was not written"
 */
export function checkRepeated(work: { getSilenceMs(): number }, fault: string): Check {
  return () => checkLate(work.getSilenceMs(), fault);
}

/** Down while rows cannot be written, or as a standby not be read; degraded for a minute after prices were lost. */
export function checkRecording(read: () => RecordingStatus, monotonic: Clock): Check {
  const countLost = ({ tooLate, dropped, setAside }: RecordingStatus) => tooLate + dropped + setAside;
  let lost = countLost(read());
  let lostAtMs = -Infinity;
  return () => {
    const status = read();
    if (countLost(status) > lost) lostAtMs = monotonic();
    lost = countLost(status);
    const late = checkLate(
      status.silenceMs,
      status.standbyFor === null ? "nothing was written" : "the journal was not read",
    );
    if (late !== HEALTHY || monotonic() - lostAtMs >= LOSS_SHOWN_MS) return late;
    const aside = status.setAside === 0 ? "" : `, ${status.setAside} seconds set aside because a clock was ahead`;
    const counts = `${status.tooLate} too late, ${status.dropped} dropped${aside}`;
    return degraded(`prices were not recorded; since the start ${counts}`);
  };
}

interface Feeds {
  readonly book: Pick<Book, "served">;
  readonly instruments: readonly Instrument[];
  /** Milliseconds since the last accepted tick of any source. */
  getSilenceMs(): number;
}

/**
 * Down without a single price, and when no source has sent one for minutes though a market is open; degraded when no
 * price is live though one is open.
 */
export function checkFeeds({ book, instruments, getSilenceMs }: Feeds): Check {
  return () => {
    const states = instruments.flatMap(({ symbol }) => book.served(symbol)?.state ?? []);
    if (states.length === 0) return down("no price has come from any source yet");
    if (states.includes("live") || !states.includes("stale")) return HEALTHY;
    const silenceMs = getSilenceMs();
    if (silenceMs >= SILENT_MS) return down(`no price has come from any source for ${formatSeconds(silenceMs)}`);
    return degraded("no price is live");
  };
}

/** What a source sends in a minute, and what is usual. */
interface Pace {
  readonly source: string;
  readonly health: string;
  readonly lastMinute: number;
  /** Null if it is not known. */
  readonly expectedPerMinute: number | null;
}

/** Degraded while a source sends much less than the usual number of prices that the operator has set for it. */
export function checkPaces(read: () => readonly Pace[]): Check {
  return () => {
    const slow = read().find(
      ({ health, expectedPerMinute }) => expectedPerMinute !== null && (health === "slow" || health === "down"),
    );
    if (slow === undefined) return HEALTHY;
    const usual = Math.round(slow.expectedPerMinute ?? 0);
    return degraded(`${slow.source} sent ${slow.lastMinute} prices in the last minute; ${usual} are usual`);
  };
}

/** Degraded while the system clock shows another time than the one by which prices are dated. */
export function checkClock(isClockOff: () => boolean): Check {
  return () =>
    isClockOff() ? degraded("the system clock was set; it is followed if it stays so for a minute") : HEALTHY;
}

function checkLate(silenceMs: number, fault: string): ComponentHealth {
  return silenceMs < LATE_MS ? HEALTHY : down(`${fault} for ${formatSeconds(silenceMs)}`);
}

const down = (detail: string): ComponentHealth => ({ status: "down", detail });

export const degraded = (detail: string): ComponentHealth => ({ status: "degraded", detail });

function formatSeconds(ms: number): string {
  return `${Math.floor(ms / SECOND_MS)} s`;
}
