import { expect, test } from "vitest";
import { listApiRequests } from "@/features/calendar/calendar-view";
import { readChoice } from "@/features/calendar/url";
import { parseTime } from "@/lib/time/iso-time";
import { DAY_MS } from "@/lib/time/units";

const TODAY = Date.UTC(2026, 9, 25);
const listFor = (search: string) => listApiRequests(readChoice(search, "UTC"), TODAY);

test("A call has the days of the choice, from midnight to midnight of its zone, also across a clock change", () => {
  expect(listFor("range=today&zone=Europe/Berlin")).toEqual([
    { path: "/v1/calendar", query: { from: "2026-10-24T22:00:00Z", to: "2026-10-25T22:59:59Z", limit: 500 } },
  ]);
});

test("Each impact and 29 days have a call, because the API takes no more", () => {
  const requests = listFor("range=month&impact=high,low&currencies=EUR,USD&q=cpi&zone=Europe/Berlin");
  expect(requests.map(({ query }) => query)).toMatchObject([
    { from: "2026-09-30T22:00:00Z", impact: "high", currencies: "EUR,USD", q: "cpi" },
    { from: "2026-09-30T22:00:00Z", impact: "low", currencies: "EUR,USD", q: "cpi" },
    { from: "2026-10-29T23:00:00Z", to: "2026-10-31T22:59:59Z", impact: "high" },
    { from: "2026-10-29T23:00:00Z", to: "2026-10-31T22:59:59Z", impact: "low" },
  ]);
  for (const { query } of listFor("range=month&zone=Europe/Berlin")) {
    const [from, to] = [query?.from, query?.to].map((time) => parseTime(String(time)) ?? 0);
    expect((to ?? 0) - (from ?? 0)).toBeLessThanOrEqual(30 * DAY_MS);
  }
});
