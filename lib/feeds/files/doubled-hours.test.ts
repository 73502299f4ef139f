import { join } from "node:path";
import { expect, test } from "vitest";
import { openPriceFiles } from "@/lib/feeds/files/open-price-file";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";

/** In Athens clocks went from 04:00 back to 03:00 at 2023-10-29 01:00 UTC, and from 03:00 to 04:00 on 2024-03-31. */

function read(times: readonly string[], zone = "Europe/Athens"): string[] {
  const rows = times.map((time) => `${time},34000,34010,33990,34001`);
  const dir = writeFiles({ "BTCUSD.csv": ["time,open,high,low,close", ...rows].join("\n") });
  const [file] = openPriceFiles(join(dir, "BTCUSD.csv")).files;
  const { rows: found } = (file as NonNullable<typeof file>).open(zone);
  const all: string[] = [];
  while (found.next()) all.push(found.doubt ?? new Date(found.timeMs).toISOString().slice(11, 16));
  return all;
}

const dated = (clocks: readonly string[]) => clocks.map((clock) => `2023-10-29 ${clock}`);
const listMinutes = (hour: string, step: number) =>
  Array.from({ length: 60 / step }, (_, i) => `${hour}:${String(i * step).padStart(2, "0")}`);

test.each([
  ["hours", ["02:00", "03:00", "03:00", "04:00"], ["23:00", "00:00", "01:00", "02:00"]],
  [
    "half hours",
    ["02:30", "03:00", "03:30", "03:00", "03:30", "04:00"],
    ["23:30", "00:00", "00:30", "01:00", "01:30", "02:00"],
  ],
  ["some minutes", ["02:59", "03:58", "03:01", "04:00"], ["23:59", "00:58", "01:01", "02:00"]],
  ["hours, the newest first", ["04:00", "03:00", "03:00", "02:00"], ["02:00", "01:00", "00:00", "23:00"]],
  [
    "minutes, the newest first",
    ["04:00", "03:01", "03:00", "03:59", "02:00"],
    ["02:00", "01:01", "01:00", "00:59", "23:00"],
  ],
])("The order of %s tells apart the two hours of a clock change.", (_, clocks, expected) => {
  expect(read(dated(clocks))).toEqual(expected);
});

test("All minutes of both hours are read, each once.", () => {
  const times = dated([
    ...listMinutes("02", 1),
    ...listMinutes("03", 1),
    ...listMinutes("03", 1),
    ...listMinutes("04", 1),
  ]);
  expect(new Set(read(times)).size).toBe(240);
});

test.each([
  ["only one of the hours is there", ["02:00", "03:00", "04:00"]],
  ["there are three", ["02:00", "03:00", "03:00", "03:00", "04:00"]],
  ["times go back more than once", ["02:00", "03:30", "03:10", "03:40", "03:20", "04:00"]],
])("Rows are ambiguous, not duplicates, where %s.", (_, clocks) => {
  const found = read(dated(clocks));
  expect(found.slice(1, -1)).toEqual(clocks.slice(1, -1).map(() => "ambiguous_time"));
  expect([found[0], found.at(-1)]).toEqual(["23:00", "02:00"]);
});

test("A time that the clocks skip is no time.", () => {
  expect(read(["2024-03-31 02:00", "2024-03-31 03:00", "2024-03-31 04:00"])).toEqual([
    "00:00",
    "no_such_time",
    "01:00",
  ]);
});

test("A clock at a fixed distance from New York has its changes at New York's.", () => {
  const times = ["2023-11-05 07:00", "2023-11-05 08:00", "2023-11-05 08:00", "2023-11-05 09:00"];
  expect(read(times, "America/New_York+7")).toEqual(["04:00", "05:00", "06:00", "07:00"]);
});
