import type { Case } from "@/bench/case";
import { type StoredEvents, storeEvents } from "@/bench/stored-events";
import type { Spotline } from "@/e2e/support/spotline";
import { DAY_MS } from "@/lib/time/units";

/** Creates the cases of the calendar: a hundred events of a fixed window, and of one that moves every second. */
export function createCalendarCases(spotline: Spotline, headers: Record<string, string>): Case[] {
  const today = new Date().toISOString().slice(0, 10);
  const next = { provider: "bench", releases: 120, days: 29, endsInDays: 29 };
  const fiveYears = { provider: "past", releases: 100_000, days: 5 * 365, endsInDays: -40 };
  const store = (events: StoredEvents) => () => storeEvents(spotline, headers, events);
  const [fixed, rolling] = [`from=${today}&to=${addDays(today, 30)}`, "next_hours=720"];
  const page = (window: string) => ({
    target: 0.35,
    request: { method: "GET", path: `/v1/calendar?source=primary&${window}`, headers } as const,
  });
  const few = "GET /v1/calendar";
  const many = `${few}, 200,000 rows`;
  const compare = (name: string) => ({ baseline: { name, factor: 1.5 } });
  return [
    { name: few, ...page(fixed), prepare: store(next) },
    { name: `${few} (rolling)`, ...page(rolling) },
    { name: many, ...page(fixed), ...compare(few), prepare: store(fiveYears) },
    { name: `${many} (rolling)`, ...page(rolling), ...compare(`${few} (rolling)`) },
  ];
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
