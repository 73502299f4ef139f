import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatMt5Value, mt5Push, readMt5Push } from "@/lib/calendar/mt5-push";

const UNSET = "-9223372036854775808";
const pmi = { id: "999500001", name: "Manufacturing PMI", currency: "EUR", importance: 3, digits: 1 };
/** The rows of MetaQuotes' documentation, and a speech. */
const documented = {
  ...{ id: "144520", event_id: pmi.id, time: "2021.01.04 12:00:00", period: "2020.12.01 00:00:00", revision: 3 },
  ...{ actual_value: "55200000", prev_value: "55500000", revised_prev_value: UNSET, forecast_value: "55500000" },
};
const speech = {
  ...{ id: "9", event_id: "7", time: 1_609_761_600, period: "1970.01.01 00:00:00" },
  ...{ actual_value: UNSET, prev_value: UNSET, revised_prev_value: UNSET, forecast_value: UNSET },
};

function read(values: unknown[], offsetS = 7200) {
  const speechEvent = { id: "7", name: "President speaks", currency: "EUR", importance: "1", time_mode: 3 };
  const push = { server: "Broker-Live", utc_offset_s: offsetS, events: [pmi, speechEvent], values };
  return readMt5Push(mt5Push.parse(push));
}

describe("readMt5Push", () => {
  test("divides figures by a million, and converts the trade server's time by its offset", () => {
    expect(read([documented]).events).toEqual([
      {
        ...{ key: "144520", seriesId: "999500001", currency: "EUR", title: "Manufacturing PMI" },
        ...{ timeMs: Date.UTC(2021, 0, 4, 10), zone: "Etc/GMT-2", certainty: "exact", impact: "high" },
        ...{ forecast: "55.5", previous: "55.5", revised: null, actual: "55.2" },
      },
    ]);
    expect(read([documented], 10_800).events[0]?.timeMs).toBe(Date.UTC(2021, 0, 4, 9));
  });

  test("reads how often a series is released and its publisher's page, if that is a web address", () => {
    const about = (change: object) => {
      const push = { server: "Broker-Live", utc_offset_s: 0, events: [{ ...pmi, ...change }], values: [documented] };
      return readMt5Push(mt5Push.parse(push)).events[0]?.about;
    };
    expect(about({ frequency: 2, source_url: "https://www.spglobal.com" })).toEqual({
      frequency: "monthly",
      sourceUrl: "https://www.spglobal.com/",
    });
    expect(about({ frequency: 0, source_url: "javascript:alert(1)" })).toBeUndefined();
  });

  test("reads the least 64-bit integer as not set", () => {
    expect(read([speech]).events[0]).toMatchObject({
      ...{ forecast: "", previous: "", actual: null, certainty: "tentative", impact: "low" },
      timeMs: Date.UTC(2021, 0, 4, 10),
    });
  });

  test("refuses a value without its event or without a time, and reads the others", () => {
    const { events, refused } = read([
      documented,
      { ...documented, id: "1", event_id: "8" },
      { ...documented, time: "soon" },
    ]);
    expect([events.length, refused.map(({ id }) => id)]).toEqual([1, ["1", "144520"]]);
  });

  test("formats figures exactly, with their digits, letter and percent sign", () => {
    expect(formatMt5Value("115000000", { unit: 4, multiplier: 1, digits: 0 })).toBe("115K");
    expect(formatMt5Value("-300000", { unit: 1, multiplier: 0, digits: 1 })).toBe("-0.3%");
    expect(formatMt5Value("-40000", { unit: 1, multiplier: 0, digits: 1 })).toBe("0.0%");
    expect(formatMt5Value("9223372036854775807", { unit: 0, multiplier: 0, digits: 6 })).toBe("9223372036854.775807");
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }), (value, digits) => {
        const text = formatMt5Value(String(value), { unit: 0, multiplier: 0, digits });
        expect(Math.abs(Number(text) - value / 1e6)).toBeLessThanOrEqual(0.5 * 10 ** -digits + 1e-9);
      }),
    );
  });
});
