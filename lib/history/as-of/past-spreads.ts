import type { Pool } from "pg";
import type { HourColumns } from "@/lib/history/hour-columns";
import type { OpenHours } from "@/lib/history/open-hours";
import { FillingHour } from "@/lib/history/spreads/source-spreads";
import type { PastSpreads, SpreadHistory } from "@/lib/history/spreads/spread-history";
import type { SpreadHour } from "@/lib/history/spreads/spread-rollup";
import { decodeMinutes, readSpreadHours } from "@/lib/history/spreads/spread-rows";
import { openReaders, type StoredHours } from "@/lib/history/spreads/spreads";
import type { Sessions } from "@/lib/market/sessions/sessions";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

interface PastOptions {
  readonly pool: Pool;
  readonly sessions: Pick<Sessions, "openAt">;
  readonly openHours: Pick<OpenHours, "getHours">;
  readonly spreads: Pick<SpreadHistory, "getFilling" | "readMinutes">;
  /** A symbol's stored hours before `untilMs`, which all moments of an hour share. */
  readonly openStored: (symbol: string, untilMs: number) => StoredHours;
  /** Reads the recorded seconds of the hour from `hourMs` that are before `untilMs`. */
  readonly readHour: (symbol: string, hourMs: number, untilMs: number) => Promise<HourColumns>;
}

/**
 * The spreads as they were at a moment, UTC milliseconds. The hour of the moment is open, with its seconds until then. The
 * sources' own end with the last whole minute, because their seconds are stored as minutes.
 */
export function openPastSpreads(options: PastOptions, atMs: number): PastSpreads {
  const { pool, sessions, openHours, spreads } = options;
  const untilMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
  const opened = new Map<string, readonly HourColumns[]>();
  const filling = new Map<string, readonly FillingHour[]>();
  const stored = new Map<string, StoredHours>();
  const { history } = openReaders({
    ...{ pool, sessions, now: () => atMs, untilMs },
    // Read as of the beginning of the hour, so that every moment of it has what it needs.
    storedHours: {
      getHours(symbol) {
        const hours = stored.get(symbol) ?? options.openStored(symbol, untilMs);
        stored.set(symbol, hours);
        return hours.getHours(symbol, untilMs);
      },
    },
    openHours: { revision: 0, getHours: (symbol) => opened.get(symbol) ?? [] },
    sourceSpreads: { getHours: (symbol) => filling.get(symbol) ?? [] },
  });
  const open = async (symbol: string) => {
    const earlier = openHours.getHours(symbol).filter(({ hourMs }) => hourMs < untilMs);
    opened.set(symbol, [...earlier, await options.readHour(symbol, untilMs, atMs)]);
  };
  /** A source's own seconds are stored as minutes: those that had passed. */
  const fill = async (symbol: string) => {
    const query = {
      symbol,
      kind: "sources",
      fromMs: untilMs,
      minutesFromMs: untilMs,
      untilMs: untilMs + HOUR_MS,
    } as const;
    const stored = (await readSpreadHours(pool, query)).map((hour) => ({
      ...{ symbol, source: hour.source, hourMs: hour.hourMs, digits: hour.digits },
      minutes: hour.minutes === null ? [] : decodeMinutes(hour.minutes),
    }));
    const current = spreads.getFilling(symbol).filter(({ hourMs }) => hourMs <= untilMs);
    const isCurrent = ({ source, hourMs }: SpreadHour) =>
      current.some((hour) => hour.source === source && hour.hourMs === hourMs);
    const passed = (atMs - untilMs) / MINUTE_MS;
    const cut = (hour: SpreadHour) => {
      const minutes = hour.hourMs < untilMs ? hour.minutes : hour.minutes.slice(0, Math.floor(passed));
      const { source, hourMs, digits } = hour;
      return new FillingHour({ symbol, source, hourMs, digits }, minutes);
    };
    filling.set(symbol, [...stored.filter((hour) => !isCurrent(hour)), ...current].map(cut));
  };
  return {
    async readStatistics(symbol, period) {
      await open(symbol);
      return history.readStatistics(symbol, period);
    },
    async readDetail(symbol, period, stepMinutes) {
      await open(symbol);
      return history.readDetail(symbol, period, stepMinutes);
    },
    async readBySource(symbol, period) {
      await fill(symbol);
      return history.readBySource(symbol, period);
    },
    async readSourceSteps(symbol, period, stepMinutes) {
      await fill(symbol);
      return history.readSourceSteps(symbol, period, stepMinutes);
    },
    async readPercentiles(symbol, period) {
      await open(symbol);
      return history.readPercentiles(symbol, period);
    },
    readWeek: history.readWeek,
    async readMinutes(symbol, hoursMs) {
      const minutes = await spreads.readMinutes(symbol, hoursMs);
      return minutes.filter(({ startMs }) => startMs + MINUTE_MS <= atMs);
    },
  };
}
