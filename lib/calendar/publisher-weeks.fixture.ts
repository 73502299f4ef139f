import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Impact, ReportedEvent } from "@/lib/calendar/event";
import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/** Real weeks of one publisher, as hourly snapshots of its page of the day. Its "GMT" is London's local time. */

const ZONE = "Europe/London";

export const WEEKS = ["2024-05-05_2024-05-11", "2025-06-08_2025-06-14", "2026-08-09_2026-08-15"] as const;
export type Week = (typeof WEEKS)[number];

export interface Snapshot {
  readonly atMs: number;
  readonly events: readonly ReportedEvent[];
  readonly complete: { readonly fromMs: number; readonly toMs: number };
}

interface Line {
  readonly time: string;
  readonly event: Omit<ReportedEvent, "timeMs">;
}

/** All snapshots of a week, oldest first. */
export function readSnapshots(realData: string, week: Week): Snapshot[] {
  const folder = join(realData, "calendar/investing_owxiang", week);
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => readPage(readFileSync(join(folder, name), "utf8"), name));
  // Shortly before a release the page counts down in minutes; the hour is then read from other snapshots.
  const announced = new Map<string, Set<number>>();
  for (const { dayMs, lines } of pages) {
    for (const { time, event } of lines) {
      const timeMs = parseClockTime(dayMs, time);
      if (timeMs !== null) announced.set(toName(event), (announced.get(toName(event)) ?? new Set()).add(timeMs));
    }
  }
  return pages.map(({ atMs, dayMs, lines }) => ({
    atMs,
    complete: { fromMs: parseClockTime(dayMs, "00:00") ?? 0, toMs: (parseClockTime(dayMs + DAY_MS, "00:00") ?? 0) - 1 },
    events: lines.flatMap(({ time, event }) => {
      const timeMs = parseClockTime(dayMs, time) ?? parseCountdown(atMs, time, announced.get(toName(event)));
      return timeMs === null ? [] : [{ ...event, timeMs }];
    }),
  }));
}

function readPage(text: string, name: string) {
  const day = /^## (\d+ \w+ \d+)/m.exec(text)?.[1] ?? "";
  const [, date = "", hour = "", minute = "", second = ""] = /^(\d{8})T(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? [];
  const atMs = Date.parse(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${hour}:${minute}:${second}Z`);
  return { atMs, dayMs: Date.parse(`${day} UTC`), lines: text.split("\n").flatMap(readLine) };
}

const IMPACTS: Readonly<Record<string, Impact>> = { High: "high", Moderate: "medium", Low: "low" };

function readLine(line: string): Line[] {
  const cells = line.split("|").map((cell) => cell.trim());
  const [, time = "", currency = "", importance = "", title = "", actual = "", forecast = "", previous = ""] = cells;
  const impact = IMPACTS[importance];
  if (impact === undefined) return [];
  const figures = { forecast, previous, actual: actual === "" ? null : actual };
  return [{ time, event: { key: null, zone: ZONE, certainty: "exact", currency, title, impact, ...figures } }];
}

function toName({ currency, title }: { currency: string; title: string }): string {
  return `${currency}\n${title}`;
}

function parseClockTime(dayMs: number, time: string): number | null {
  const match = /^(\d\d):(\d\d)$/.exec(time);
  if (match === null) return null;
  const day = new Date(dayMs);
  const msOfDay = (Number(match[1]) * 60 + Number(match[2])) * MINUTE_MS;
  return zonedTimeToUtcMs(ZONE, day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate(), msOfDay);
}

function parseCountdown(atMs: number, time: string, announced: ReadonlySet<number> | undefined): number | null {
  const minutes = /^(\d+) min$/.exec(time)?.[1];
  if (minutes === undefined) return null;
  const about = atMs + Number(minutes) * MINUTE_MS;
  const nearest = [...(announced ?? [])].sort((a, b) => Math.abs(a - about) - Math.abs(b - about))[0];
  if (nearest !== undefined && Math.abs(nearest - about) <= 30 * MINUTE_MS) return nearest;
  return Math.round(about / (5 * MINUTE_MS)) * 5 * MINUTE_MS;
}
