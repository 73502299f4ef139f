import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { parseTime } from "@/lib/time/iso-time";
import { SECOND_MS } from "@/lib/time/units";

/** The clock of the past: which second is shown next. All times are UTC milliseconds. */

/** What the frame knows of the past. */
export interface PastFacts {
  /** The reader's time zone, an IANA name. */
  zone: string;
  /** How far the market's clock is ahead of the wall clock, in milliseconds: not 0 while a recording is replayed. */
  aheadMs: number;
  /** Whether the account's plan includes the past. */
  isIncluded: boolean;
}

/** How fast the past can be played. */
export const SPEEDS = [1, 10, 60, 600] as const;
export type Speed = (typeof SPEEDS)[number];

/** How far the present is kept away: a second is recorded a moment after it has passed. */
const RECORDED_AFTER_MS = 3 * SECOND_MS;

/** The latest second that can be shown. */
export const findLatest = (presentMs: number): number => floor(presentMs - RECORDED_AFTER_MS);

/** Reads the second of an address; null for a text that is no time. */
export function parseAt(at: string): number | null {
  const momentMs = parseTime(at);
  return momentMs === null ? null : floor(momentMs);
}

/** The second a step away, not later than the latest one. */
export function stepFrom(atMs: number, byMs: number, presentMs: number): number {
  return Math.min(Math.max(0, atMs + byMs), Math.max(atMs, findLatest(presentMs)));
}

interface Run {
  /** The second from which it is played. */
  readonly fromMs: number;
  readonly speed: Speed;
  /** How long it has been played, in milliseconds of the reader's time. */
  readonly playedMs: number;
  readonly presentMs: number;
}

/** The second that a run has reached, and whether it ends there, because the present is reached. */
export function findReached({ fromMs, speed, playedMs, presentMs }: Run): { atMs: number; hasEnded: boolean } {
  const atMs = floor(fromMs + speed * playedMs);
  const latestMs = findLatest(presentMs);
  return atMs < latestMs ? { atMs, hasEnded: false } : { atMs: Math.max(fromMs, latestMs), hasEnded: true };
}

/** Reads a date such as "2026-11-27" and a time such as "14:30" or "14:30:05" on a zone's clock; null for others. */
export function readPicked(date: string, time: string, zone: string): number | null {
  const [day, clock] = [/^(\d{4})-(\d\d)-(\d\d)$/.exec(date), /^(\d\d):(\d\d)(?::(\d\d))?$/.exec(time)];
  if (day === null || clock === null || parseTime(`${date}T${clock[1]}:${clock[2]}:${clock[3] ?? "00"}Z`) === null)
    return null;
  const [year = 0, month = 0, dayOfMonth = 0] = day.slice(1).map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = clock.slice(1).map((part) => Number(part ?? 0));
  return zonedTimeToUtcMs(zone, year, month, dayOfMonth, ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS);
}

/** Writes a moment on a zone's clock as the fields of a form have it: "2026-11-27" and "14:30:05". */
export function toFields(atMs: number, zone: string): { date: string; time: string } {
  const parts = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  const [date = "", time = ""] = parts.format(atMs).split(" ");
  return { date, time };
}

let isFocusGiven = false;

/** Gives the focus to the bar once it shows its next second, so that the arrow keys step. */
export const giveFocus = (): void => void (isFocusGiven = true);

/** Whether the focus was given. It is taken once. */
export function takeFocus(): boolean {
  const wasGiven = isFocusGiven;
  isFocusGiven = false;
  return wasGiven;
}

const floor = (ms: number): number => Math.floor(ms / SECOND_MS) * SECOND_MS;
