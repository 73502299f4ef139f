import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CalendarEvent, Report, ReportedEvent, Stream } from "@/lib/calendar/event";
import { createTestEvent } from "@/lib/calendar/event.fixture";
import { parseFigure } from "@/lib/calendar/figure";
import { worldReleases } from "@/lib/calendar/simulated/releases";
import { createSimulatedConnector, listSimulatedEvents } from "@/lib/calendar/simulated/simulated-connector";
import { matchTwins } from "@/lib/calendar/twins";
import { silentLog } from "@/lib/platform/log/log";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

describe("The simulated connector", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("Everything is reported at the start, and each figure at the minute of its release", async () => {
    const release = Date.UTC(2026, 11, 4, 13, 30);
    vi.setSystemTime(release - 90_000);
    const reports: Report[] = [];
    const report = async (next: Report) => {
      reports.push(next);
      return { created: 0, changed: 0, withdrawn: 0 };
    };
    const connector = createSimulatedConnector("test", {
      report,
      hasBefore: () => true,
      now: Date.now,
      log: silentLog,
    });
    await connector.start();
    expect(reports.map(({ stream, events }) => [stream, events.length > 200])).toEqual([
      ["primary", true],
      ["secondary", true],
    ]);
    const payrolls = () => reports.at(-2)?.events.find(({ title }) => title.startsWith("Nonfarm Payrolls"));
    await vi.advanceTimersByTimeAsync(89_900);
    expect(reports).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(200);
    expect(reports).toHaveLength(4);
    expect(payrolls()).toMatchObject({ timeMs: release, actual: expect.stringMatching(/^\d+K$/) as unknown });
    connector.stop();
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(reports).toHaveLength(4);
  });

  test("A year of the past is reported once, in parts", async () => {
    const nowMs = Date.UTC(2026, 10, 22);
    vi.setSystemTime(nowMs);
    const past: Report[] = [];
    const report = async (next: Report) => {
      if (next.events.every(({ timeMs }) => timeMs < nowMs - 30 * DAY_MS)) past.push(next);
      return { created: 0, changed: 0, withdrawn: 0 };
    };
    const start = async (oldestMs: number) => {
      const hasBefore = (timeMs: number) => oldestMs < timeMs;
      const connector = createSimulatedConnector("test", { report, hasBefore, now: Date.now, log: silentLog });
      await connector.start();
      await vi.advanceTimersByTimeAsync(60_000);
      connector.stop();
    };
    await start(nowMs - 30 * DAY_MS);
    const times = past.flatMap(({ events }) => events.map(({ timeMs }) => timeMs));
    expect(nowMs - Math.min(...times)).toBeGreaterThan(395 * DAY_MS);
    expect(past.every(({ stream, events }) => stream === "primary" && events.length < 500)).toBe(true);
    const reported = past.length;
    await start(Math.min(...times));
    expect(past).toHaveLength(reported);
  });
});

const now = Date.UTC(2026, 10, 21, 12);

function listAround(stream: Stream, nowMs = now, back = 30, ahead = 60): ReportedEvent[] {
  return listSimulatedEvents(stream, {
    seed: "test",
    fromMs: nowMs - back * DAY_MS,
    toMs: nowMs + ahead * DAY_MS,
    nowMs,
  });
}

const listTimes = (title: string, nowMs: number) =>
  listAround("primary", nowMs)
    .filter((event) => event.title.startsWith(title))
    .map(({ timeMs }) => new Date(timeMs).toISOString());

describe("The simulated calendar", () => {
  test("Both streams have eight currencies, and a release on most working days", () => {
    for (const stream of ["primary", "secondary"] as const) {
      const events = listAround(stream);
      expect(new Set(events.map(({ currency }) => currency)).size).toBe(8);
      expect(new Set(events.map(({ timeMs }) => Math.floor(timeMs / DAY_MS))).size).toBeGreaterThan(55);
      expect(new Set(events.map(({ key }) => key)).size).toBe(events.length);
    }
  });

  test("Any seven days have 60 to 140 events, one of them of high impact for the dollar", () => {
    // Eight years: Christmas on every weekday, and two leap years.
    const [start, end] = [Date.UTC(2023, 11, 20), Date.UTC(2031, 11, 31)];
    const span = { seed: "test", fromMs: start, toMs: end, nowMs: start };
    const rows = [...listSimulatedEvents("primary", span), ...listSimulatedEvents("secondary", span)];
    const events = [...new Map(rows.map((event) => [event.key, event])).values()];
    const perHour = (chosen: readonly ReportedEvent[]) => {
      const counts = new Array<number>((end - start) / HOUR_MS + 1).fill(0);
      for (const { timeMs } of chosen) counts[Math.ceil((timeMs - start) / HOUR_MS)]! += 1;
      return counts;
    };
    const slide = (counts: readonly number[]) => {
      let sum = counts.slice(0, 168).reduce((total, count) => total + count, 0);
      return counts.slice(168).map((count, index) => (sum += count - counts[index]!));
    };
    const all = slide(perHour(events));
    expect(Math.min(...all)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...all)).toBeLessThanOrEqual(140);
    const high = slide(perHour(events.filter(({ currency, impact }) => currency === "USD" && impact === "high")));
    expect(Math.min(...high)).toBeGreaterThan(0);
  });

  test("A release is published at its place's local time, so daylight saving moves it in UTC", () => {
    expect(listTimes("Nonfarm Payrolls", now)).toContain("2026-12-04T13:30:00.000Z");
    expect(listTimes("Nonfarm Payrolls", Date.UTC(2026, 9, 1))).toContain("2026-10-02T12:30:00.000Z");
    expect(listTimes("Initial Jobless Claims", Date.UTC(2026, 9, 28))).toEqual(
      expect.arrayContaining(["2026-10-29T12:30:00.000Z", "2026-11-05T13:30:00.000Z"]),
    );
    // Sydney changes on the first Sunday of April and of October, Tokyo never.
    expect(listTimes("RBA Interest Rate Decision", Date.UTC(2026, 7, 1))).toContain("2026-08-04T04:30:00.000Z");
    expect(listTimes("RBA Interest Rate Decision", now)).toContain("2026-12-01T03:30:00.000Z");
    expect(listTimes("Tokyo Core CPI", now)).toContain("2026-11-26T23:30:00.000Z");
  });

  test("The previous of a release is the actual of the release before", () => {
    const bySeries = new Map<string, ReportedEvent[]>();
    const past = listSimulatedEvents("primary", { seed: "test", fromMs: now - 400 * DAY_MS, toMs: now, nowMs: now });
    for (const event of past)
      bySeries.set(event.seriesId ?? "", [...(bySeries.get(event.seriesId ?? "") ?? []), event]);
    let continued = 0;
    for (const events of bySeries.values()) {
      for (const [index, event] of events.entries()) {
        const before = events[index - 1];
        if (before === undefined || event.actual == null) continue;
        expect(event.previous).toBe(before.actual);
        expect(parseFigure(event.actual)).not.toBeNull();
        continued++;
      }
    }
    expect(continued).toBeGreaterThan(500);
  });

  test("A release has an actual from its minute on, and never in the secondary stream", () => {
    fc.assert(
      fc.property(fc.integer({ min: -20 * 1440, max: 20 * 1440 }), (minutes) => {
        const nowMs = now + minutes * 60_000;
        for (const event of listAround("primary", nowMs)) {
          expect(event.actual != null).toBe(event.timeMs <= nowMs && event.forecast !== "");
        }
        expect(listAround("secondary", nowMs).every(({ actual }) => actual == null)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test("The past is the same at any later time", () => {
    const today = listAround("primary");
    const later = new Map(listAround("primary", now + 10 * DAY_MS, 60).map((event) => [event.key, event]));
    for (const event of today.filter(({ timeMs }) => timeMs <= now)) expect(later.get(event.key)).toEqual(event);
  });

  test("Releases that both streams list are twins, and no others are", () => {
    const rows = (stream: Stream) =>
      listAround(stream).map((event) =>
        createTestEvent({ ...(event as Partial<CalendarEvent>), stream, provider: "simulated" }),
      );
    const minutes = new Map<number, CalendarEvent[]>();
    for (const row of [...rows("primary"), ...rows("secondary")]) {
      minutes.set(row.timeMs, [...(minutes.get(row.timeMs) ?? []), row]);
    }
    const twins = [...minutes.values()].flatMap(matchTwins);
    for (const { primary, secondary } of twins) expect(secondary.key).toBe(primary.key);
    const shared = worldReleases.filter(({ primary, secondary }) => primary !== null && secondary !== null);
    const paired = new Set(twins.map(({ primary }) => primary.key?.split(":")[0]));
    expect(paired.size).toBeGreaterThan(shared.length * 0.8);
  });
});
