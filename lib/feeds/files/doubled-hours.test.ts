import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openPriceFiles } from "@/lib/feeds/files/open-price-file";
import { writeParquet } from "@/lib/feeds/files/parquet.fixture";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";

/** In Athens clocks went from 04:00 back to 03:00 at 2023-10-29 01:00 UTC, and from 03:00 to 04:00 on 2024-03-31. */

type Format = "csv" | "parquet" | "parquet with text";

const BAR = { open: 34_000, high: 34_010, low: 33_990, close: 34_001 };

function write(times: readonly string[], format: Format): string {
  if (format === "csv") {
    const rows = times.map((time) => `${time},${Object.values(BAR).join()}`);
    return join(writeFiles({ "BTCUSD.csv": [`time,${Object.keys(BAR).join()}`, ...rows].join("\n") }), "BTCUSD.csv");
  }
  const prices = Object.entries(BAR).map(([name, price]) => ({ name, data: times.map(() => price) }));
  const isText = format === "parquet with text";
  const time = isText ? [...times] : times.map((each) => BigInt(Date.parse(`${each.replace(" ", "T")}Z`)));
  const local = { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MILLIS" } as const;
  const content = writeParquet([{ name: "time", data: time }, ...prices], {
    schema: [
      { name: "root", num_children: 5 },
      isText
        ? { name: "time", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" }
        : { name: "time", type: "INT64", logical_type: local, repetition_type: "REQUIRED" },
      ...prices.map(({ name }) => ({ name, type: "DOUBLE" as const, repetition_type: "REQUIRED" as const })),
    ],
  });
  return join(writeFiles({ "BTCUSD.parquet": content }), "BTCUSD.parquet");
}

function read(times: readonly string[], { zone = "Europe/Athens", format = "csv" as Format } = {}): string[] {
  const [file] = openPriceFiles(write(times, format)).files;
  const { rows: found } = (file as NonNullable<typeof file>).open(zone);
  const all: string[] = [];
  while (found.next()) {
    expect(found.fault).toBeNull();
    all.push(found.doubt ?? new Date(found.timeMs).toISOString().slice(11, 16));
  }
  return all;
}

const dated = (clocks: readonly string[]) => clocks.map((clock) => `2023-10-29 ${clock}`);
const listMinutes = (hour: string, step: number) =>
  Array.from({ length: 60 / step }, (_, i) => `${hour}:${String(i * step).padStart(2, "0")}`);

describe.each<Format>(["csv", "parquet", "parquet with text"])("Local times of a file of %s", (format) => {
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
    expect(read(dated(clocks), { format })).toEqual(expected);
  });

  test("All minutes of both hours are read, each once.", () => {
    const times = dated([
      ...listMinutes("02", 1),
      ...listMinutes("03", 1),
      ...listMinutes("03", 1),
      ...listMinutes("04", 1),
    ]);
    expect(new Set(read(times, { format })).size).toBe(240);
  });

  test.each([
    ["only one of the hours is there", ["02:00", "03:00", "04:00"]],
    ["there are three", ["02:00", "03:00", "03:00", "03:00", "04:00"]],
    ["times go back more than once", ["02:00", "03:30", "03:10", "03:40", "03:20", "04:00"]],
  ])("Rows are ambiguous, not duplicates, where %s.", (_, clocks) => {
    const found = read(dated(clocks), { format });
    expect(found.slice(1, -1)).toEqual(clocks.slice(1, -1).map(() => "ambiguous_time"));
    expect([found[0], found.at(-1)]).toEqual(["23:00", "02:00"]);
  });

  test("A time that the clocks skip is no time.", () => {
    expect(read(["2024-03-31 02:00", "2024-03-31 03:00", "2024-03-31 04:00"], { format })).toEqual([
      "00:00",
      "no_such_time",
      "01:00",
    ]);
  });
});

test("A clock at a fixed distance from New York has its changes at New York's.", () => {
  const times = ["2023-11-05 07:00", "2023-11-05 08:00", "2023-11-05 08:00", "2023-11-05 09:00"];
  expect(read(times, { zone: "America/New_York+7" })).toEqual(["04:00", "05:00", "06:00", "07:00"]);
});

test("Times of a Parquet file with an offset are never doubted, beside others without one.", () => {
  const times = ["2023-10-29 02:00", "2023-10-29T00:00:00Z", "2023-10-29 03:00:00+02:00", "2023-10-29 04:00"];
  expect(read(times, { format: "parquet with text" })).toEqual(["23:00", "00:00", "01:00", "02:00"]);
});

test("The doubled hour may be the last of a symbol in a Parquet file, with rows of another one behind it.", () => {
  const times = ["02:00", "03:00", "03:00", "03:00"].map((clock) => new Date(`2023-10-29T${clock}:00Z`));
  const content = writeParquet([
    { name: "time", data: times, type: "TIMESTAMP" },
    { name: "symbol", data: ["BTCUSD", "BTCUSD", "BTCUSD", "ETHUSD"], type: "STRING" },
    ...["bid", "ask"].map((name) => ({ name, data: [1, 1, 1, 1], type: "DOUBLE" as const })),
  ]);
  const [file] = openPriceFiles(join(writeFiles({ "all.parquet": content }), "all.parquet")).files;
  const found = file?.series?.map((each) => {
    const { rows, bytesRead } = each.open("Europe/Athens");
    const all: string[] = [];
    while (rows.next()) all.push(rows.doubt ?? new Date(rows.timeMs).toISOString().slice(11, 16));
    return [...all, bytesRead() === file.bytes];
  });
  expect(found).toEqual([
    ["23:00", "00:00", "01:00", true],
    ["ambiguous_time", true],
  ]);
});
