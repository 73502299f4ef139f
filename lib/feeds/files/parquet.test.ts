import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { gzipSync } from "fflate";
import { parquetMetadata, type SchemaElement } from "hyparquet";
import { describe, expect, test } from "vitest";
import { findTimeframe } from "@/lib/feeds/files/bar-timeframe";
import { unpackLz4 } from "@/lib/feeds/files/lz4";
import { openPriceFiles } from "@/lib/feeds/files/open-price-file";
import { toTickColumns, writeParquet } from "@/lib/feeds/files/parquet.fixture";
import { type PriceFile, splitModes } from "@/lib/feeds/files/price-rows";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";
import { MINUTE_MS } from "@/lib/time/units";

const START = Date.UTC(2024, 6, 1, 6);
const TIMES = [START, START + 1, START + 999];
const BIDS = [1.08001, 1.08002, 1.08003];
const ASKS = [1.08004, 1.08004, 1.08004];
const ROWS = TIMES.map((timeMs, i) => [timeMs, BIDS[i], ASKS[i]]);
const MICROS = { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS" } as const;

function open(content: Uint8Array, name = "EURUSD.parquet"): PriceFile {
  const [file] = openPriceFiles(`${writeFiles({ [name]: content })}/${name}`).files;
  if (file === undefined) throw new Error("There is no file.");
  return file;
}

test("A file of an export tells the mode of each row, and is refused if that cannot be read", () => {
  const write = (about: object) =>
    writeParquet(toTickColumns(TIMES.map((timeMs, i) => [timeMs, 108_001 + i, 108_004])), {
      kvMetadata: Object.entries(about).map(([key, value]) => ({ key: `spotline.${key}`, value: String(value) })),
    });
  expect(open(write({ symbol: "EURUSD" })).modes).toBeUndefined();
  expect(open(write({ mode: "simulated" })).modes).toEqual(["simulated"]);
  const modes = [
    { from: new Date(START).toISOString(), mode: "simulated" },
    { from: new Date(START + 1).toISOString(), mode: "live" },
  ];
  const file = open(write({ mode: "mixed", modes: JSON.stringify(modes) }));
  expect(splitModes(file).map((each) => [each.mode, readTicks(each).length])).toEqual([
    ["simulated", 1],
    ["live", 2],
  ]);
  for (const wrong of [{ mode: "mixed" }, { mode: "mixed", modes: "[" }, { mode: "mixed", modes: '[{"from":"x"}]' }])
    expect(() => open(write(wrong))).toThrow("its metadata does not tell which of its rows are live");
});

function readTicks(file: PriceFile, zone = file.zone ?? "UTC") {
  const { rows, bytesRead } = file.open(zone);
  const read: unknown[] = [];
  while (rows.next()) read.push(rows.fault === null ? [rows.timeMs, rows.bid, rows.ask] : [rows.at, rows.fault]);
  expect(bytesRead()).toBe(file.bytes);
  return read;
}

/** A file whose time, bid and ask have the given types. */
function writeTyped(
  types: readonly (Partial<SchemaElement> & Pick<SchemaElement, "type">)[],
  values: readonly (readonly unknown[])[],
): Uint8Array {
  const columns = ["time", "bid", "ask"].map((name, i) => ({ ...types[i], name, data: [...(values[i] ?? [])] }));
  const elements = columns.map(({ data: _, ...element }) => ({ repetition_type: "REQUIRED" as const, ...element }));
  const schema: SchemaElement[] = [{ name: "root", num_children: columns.length }, ...elements];
  return writeParquet(
    columns.map(({ name, data }) => ({ name, data })),
    { schema },
  );
}

const DOUBLES = [{ type: "DOUBLE" }, { type: "DOUBLE" }] as const;
const micros = TIMES.map((timeMs) => BigInt(timeMs) * 1_000n + 999n);
const stamp = (unit: "MILLIS" | "MICROS" | "NANOS", isAdjustedToUTC: boolean) =>
  ({ type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC, unit } }) as const;

describe("Times of a Parquet file", () => {
  test.each([
    ["milliseconds of UTC", stamp("MILLIS", true), TIMES.map(BigInt), true],
    ["microseconds of UTC", stamp("MICROS", true), micros, true],
    ["nanoseconds of UTC", stamp("NANOS", true), TIMES.map((ms) => BigInt(ms) * 1_000_000n + 999_999n), true],
    ["local milliseconds", stamp("MILLIS", false), TIMES.map(BigInt), false],
    ["local nanoseconds", stamp("NANOS", false), TIMES.map((ms) => BigInt(ms) * 1_000_000n), false],
    ["milliseconds of older writers", { type: "INT64", converted_type: "TIMESTAMP_MILLIS" }, TIMES.map(BigInt), false],
    ["microseconds of older writers", { type: "INT64", converted_type: "TIMESTAMP_MICROS" }, micros, false],
    ["Unix milliseconds", { type: "INT64" }, TIMES.map(BigInt), true],
    ["Unix nanoseconds", { type: "INT64" }, TIMES.map((ms) => BigInt(ms) * 1_000_000n), true],
    ["Unix seconds in fractions", { type: "DOUBLE" }, TIMES.map((ms) => ms / 1_000), true],
    ["Unix milliseconds in doubles", { type: "DOUBLE" }, TIMES, true],
    ["Unix nanoseconds in doubles", { type: "DOUBLE" }, TIMES.map((ms) => ms * 1e6), true],
    ["text", { type: "BYTE_ARRAY", converted_type: "UTF8" }, TIMES.map((ms) => new Date(ms).toISOString()), false],
  ] as const)("are read as %s", (_, type, times, isUtc) => {
    const file = open(writeTyped([type, ...DOUBLES], [times, BIDS, ASKS]));
    expect([file.format, file.kind, file.zone, file.hasFixedZone]).toEqual(["parquet", "ticks", "UTC", isUtc]);
    expect(readTicks(file)).toEqual(ROWS);
  });

  test("in Unix seconds of nine digits are those before September 2001, and no time is made of a date in digits", () => {
    const file = open(
      writeTyped([{ type: "INT64" }, ...DOUBLES], [[981_173_106n, 202_401_311_200n, 20_240_131n], BIDS, ASKS]),
    );
    expect(readTicks(file)).toEqual([
      [Date.UTC(2001, 1, 3, 4, 5, 6), BIDS[0], ASKS[0]],
      [2, "a time like 2024-01-31 23:59:58.123"],
      [3, "a time like 2024-01-31 23:59:58.123"],
    ]);
  });

  test("without a zone are in the zone of the import", () => {
    const file = open(writeTyped([{ type: "INT64", logical_type: MICROS }, ...DOUBLES], [micros, BIDS, ASKS]));
    expect(readTicks(file, "America/New_York")).toEqual(
      ROWS.map(([timeMs = 0, ...rest]) => [timeMs + 4 * 3_600_000, ...rest]),
    );
  });

  test("as INT96, of a file that pyarrow wrote, are read", () => {
    const base64 =
      "UEFSMRUAFTwVPCwVBBUAFQYVBhwAAAACAAAABAHAlKgrpRMAAB2LJQAAiu5fpRMAAB2LJQAVABUsFSwsFQQVABUGFQYcAAAAAgAAAAQBSOF6FK5H8T+5" +
      "jQbwFkjxPxUAFSwVLCwVBBUAFQYVBhwAAAACAAAABAEqOpLLf0jxP5vmHafoSPE/FQQZTDUAGAZzY2hlbWEVBgAVBiUCGAR0aW1lABUKJQIYA2JpZAAV" +
      "CiUCGANhc2sAFgQZHBk8JgAcFQYZJQYAGRgEdGltZRUAFgQWYhZiJghJHBUAFQAVAgA8KQYZJgAEAAAAJgAcFQoZJQYAGRgDYmlkFQAWBBZSFlImakkc" +
      "FQAVABUCADwpBhkmAAQAAAAmABwVChklBgAZGANhc2sVABYEFlIWUia8AUkcFQAVABUCADwpBhkmAAQAAAAWhgIWBCYIFoYCACggcGFycXVldC1jcHAt" +
      "YXJyb3cgdmVyc2lvbiAyNS4wLjEZPBwAABwAABwAAAD1AAAAUEFSMQ==";
    expect(readTicks(open(Buffer.from(base64, "base64")))).toEqual([
      [Date.UTC(2024, 4, 14, 6, 0, 0, 123), 1.08, 1.0802],
      [Date.UTC(2024, 4, 14, 6, 0, 1), 1.0801, 1.0803],
    ]);
  });
});

test.each([
  ["FLOAT", { type: "FLOAT" }],
  ["DECIMAL in 32 bits", { type: "INT32", converted_type: "DECIMAL", scale: 5, precision: 9 }],
  ["DECIMAL in 64 bits", { type: "INT64", converted_type: "DECIMAL", scale: 5, precision: 18 }],
  [
    "DECIMAL in bytes",
    { type: "FIXED_LEN_BYTE_ARRAY", type_length: 9, converted_type: "DECIMAL", scale: 5, precision: 20 },
  ],
] as const)("Prices are read as %s", (_, type) => {
  const file = open(writeTyped([{ type: "INT64" }, type, type], [TIMES.map(BigInt), BIDS, ASKS]));
  const points = (readTicks(file) as number[][]).map(([, ...prices]) => prices.map((price) => Math.round(price * 1e5)));
  expect(points).toEqual([108_001, 108_002, 108_003].map((bid) => [bid, 108_004]));
});

const many = Array.from(
  { length: 7_000 },
  (_, i) => [START + i * 137, 108_000 + (i % 40), 108_050 + (i % 40)] as const,
);
const manyRows = many.map(([timeMs, bid, ask]) => [timeMs, bid / 1e5, ask / 1e5]);

/** A block of LZ4 with literals only. */
function packLz4(bytes: Uint8Array): Uint8Array {
  const rest = bytes.length - 15;
  const head =
    rest < 0 ? [bytes.length << 4] : [0xf0, ...new Array<number>(Math.floor(rest / 255)).fill(255), rest % 255];
  return Uint8Array.from([...head, ...bytes]);
}

/** Two blocks, each behind its lengths. */
function packHadoopLz4(bytes: Uint8Array): Uint8Array {
  const half = Math.ceil(bytes.length / 2);
  return Buffer.concat(
    [bytes.subarray(0, half), bytes.subarray(half)].map((part) => {
      const [packed, lengths] = [packLz4(part), Buffer.alloc(8)];
      lengths.writeUInt32BE(part.length, 0);
      lengths.writeUInt32BE(packed.length, 4);
      return Buffer.concat([lengths, packed]);
    }),
  );
}

/** A Zstandard frame with one block of stored bytes. */
function packZstd(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes.length, 5);
  head.writeUIntLE((bytes.length << 3) | 1, 9, 3);
  return Buffer.concat([head, bytes]);
}

test("LZ4 repeats what it unpacked, also where the repetition overlaps itself, and refuses a damaged block", () => {
  const block = Uint8Array.from([0x35, 97, 98, 99, 3, 0, 0x10, 100]);
  expect(new TextDecoder().decode(unpackLz4(block, 13))).toBe("abcabcabcabcd");
  for (const [damaged, length] of [
    [block, 12],
    [block.subarray(0, 5), 13],
    [Uint8Array.from([0x35, 97, 98, 99, 4, 0, 0x10, 100]), 13],
  ] as const) {
    expect(() => unpackLz4(damaged, length)).toThrow("LZ4: ");
  }
});

test.each([
  ["a dictionary, snappy and row groups", { rowGroupSize: [1_500], pageSize: 900 }, "RLE_DICTIONARY"],
  ["no compression", { codec: "UNCOMPRESSED", rowGroupSize: [1, 10_000] }, "PLAIN"],
  ["LZ4 in plain blocks", { codec: "LZ4_RAW", compressors: { LZ4_RAW: packLz4 }, rowGroupSize: [10_000] }, "PLAIN"],
  [
    "LZ4 as Hadoop writes it",
    { codec: "LZ4", compressors: { LZ4: packHadoopLz4 }, rowGroupSize: [2_000] },
    "RLE_DICTIONARY",
  ],
  ["zstd", { codec: "ZSTD", compressors: { ZSTD: packZstd }, rowGroupSize: [2_000] }, "PLAIN"],
  ["brotli", { codec: "BROTLI", compressors: { BROTLI: brotliCompressSync }, rowGroupSize: [10_000] }, "PLAIN"],
  ["gzip", { codec: "GZIP", compressors: { GZIP: gzipSync }, rowGroupSize: [10_000] }, "BYTE_STREAM_SPLIT"],
] as const)("Pages with %s are read in order", (_, { rowGroupSize, ...options }, encoding) => {
  const columns = toTickColumns(many).map((each, at) => ({
    ...each,
    encoding: at === 0 ? ("DELTA_BINARY_PACKED" as const) : encoding,
  }));
  expect(readTicks(open(writeParquet(columns, { ...options, rowGroupSize: Array.from(rowGroupSize) })))).toEqual(
    manyRows,
  );
});

test("Rows without a value say what was expected, also among values of a dictionary", () => {
  const bids = many.map(([, bid], i) => (i % 1_000 === 7 ? null : bid / 1e5));
  const [time, bid, ask] = toTickColumns(many);
  const times = many.map(([timeMs], i) => (i === 9 ? null : new Date(timeMs)));
  const content = writeParquet([
    { ...time, data: times },
    { ...bid, data: bids, encoding: "RLE_DICTIONARY" },
    ask,
  ] as never);
  const expected: unknown[] = [...manyRows];
  for (let i = 7; i < many.length; i += 1_000) expected[i] = [i + 1, "a bid and an ask"];
  expected[9] = [10, "a time like 2024-01-31 23:59:58.123"];
  expect(readTicks(open(content))).toEqual(expected);
  const { rows } = open(content).open("UTC");
  for (let i = 0; i < 8; i++) rows.next();
  expect(rows.describe()).toBe("2024-07-01T06:00:00.959Z,null,1.08057");
});

test("Bars have their timeframe, and volumes if there are any", () => {
  const times = [0, 1, 2].map((i) => new Date(START + i * 5 * MINUTE_MS));
  const price = (name: string, value: number) => ({ name, data: [value, value, value], type: "DOUBLE" as const });
  const columns = [
    { name: "Open Time", data: times, type: "TIMESTAMP" as const },
    price("Open", 1.1),
    price("High", 1.4),
    price("Low", 1),
    price("Close", 1.2),
  ];
  const volume = { name: "tick_volume", data: [7n, 8n, 9n], type: "INT64" as const };
  const lacking = { name: "volume", data: [null, NaN, 9.2], type: "DOUBLE" as const };
  const read = [columns, [...columns, volume], [...columns, lacking]].map((each) => {
    const file = open(writeParquet(each));
    const { rows } = file.open("UTC");
    rows.next();
    const { timeMs, open: first, high, low, close } = rows;
    return [file.kind, findTimeframe(file, "UTC").timeframe, timeMs, first, high, low, close, rows.volume];
  });
  expect(read).toEqual([0, 7, 0].map((units) => ["bars", "M5", START, 1.1, 1.4, 1, 1.2, units]));
  expect(() => open(writeParquet(columns), "eurusd-ask.parquet")).toThrow("bars of the ask");
});

test.each([
  ["time_est", "eurusd.parquet", null],
  ["local_time", "eurusd.parquet", null],
  ["time", "EURUSD_UTC+3.parquet", "UTC+3"],
  ["Time (UTC+2)", "eurusd.parquet", "UTC+2"],
  ["time", "eurusd.parquet", "UTC"],
])("Times without an offset in the column %s of %s are of the zone %s", (name, file, zone) => {
  const [, ...prices] = toTickColumns([[START, 110_000, 110_003]]);
  const times = { name, data: [new Date(START)], type: "TIMESTAMP" as const };
  expect(open(writeParquet([times, ...prices]), file).zone).toBe(zone);
});

test("Numbers of other epochs are no Unix time", () => {
  const [, ...prices] = toTickColumns([[START, 110_000, 110_003]]);
  for (const time of [638_423_136_000_000_000n, 133_511_904_000_000_000n, 728_413_200n]) {
    const { rows } = open(writeParquet([{ name: "time", data: [time], type: "INT64" as const }, ...prices])).open(
      "UTC",
    );
    rows.next();
    expect(rows.fault).not.toBeNull();
  }
});

describe("The symbol of a Parquet file", () => {
  const write = (symbols: string[], statistics = true) =>
    writeParquet([...toTickColumns(many.slice(0, symbols.length)), { name: "symbol", data: symbols, type: "STRING" }], {
      statistics,
    });

  test("is that of its rows", () => {
    expect(open(write(["GBPUSD", "GBPUSD"]), "x.parquet").symbol).toBe("GBPUSD");
  });

  test.each([true, false])("splits a file of several into one for each (with statistics: %s)", (hasStatistics) => {
    const file = open(write(["GBPUSD", "EURUSD", "GBPUSD"], hasStatistics));
    const series = file.series?.map((each) => [each.symbol, readTicks(each)]);
    expect(series).toEqual([
      ["GBPUSD", [manyRows[0], manyRows[2]]],
      ["EURUSD", [manyRows[1]]],
    ]);
  });

  test("is one of a thousand at most", () => {
    const names = Array.from({ length: 1_001 }, (_, at) => `S${at}`);
    expect(open(write(names.slice(1))).series).toHaveLength(1_000);
    expect(() => open(write(names))).toThrow("its rows are of more than 1000 symbols: split the file");
  });

  test("that a row lacks is reported once, and one that is no text is refused", () => {
    const symbols = ["GBPUSD", null, "EURUSD"];
    const columns = toTickColumns(many.slice(0, 3));
    const file = open(writeParquet([...columns, { name: "symbol", data: symbols, type: "STRING" }]));
    expect(file.series?.map((each) => readTicks(each))).toEqual([[manyRows[0], [2, "a symbol"]], [manyRows[2]]]);
    const numbered = writeParquet([...columns, { name: "symbol", data: [1, 2, 2], type: "INT32" }]);
    expect(() => open(numbered)).toThrow('its column "symbol" is INT32: expected symbols as text');
  });
});

describe("--columns names the columns of a Parquet file", () => {
  const [, bid, ask] = toTickColumns(many.slice(0, 2));
  const list = { name: "levels", data: [[1], [2]] };
  const element = (name: string, type: SchemaElement["type"]) => ({ name, type, repetition_type: "REQUIRED" as const });
  const content = writeParquet(
    [
      { name: "b", data: bid?.data ?? [] },
      list,
      { name: "when", data: many.slice(0, 2).map(([timeMs]) => BigInt(timeMs)) },
      { name: "a", data: ask?.data ?? [] },
      { name: "ask", data: [7, 8] },
    ],
    {
      schema: [
        { name: "root", num_children: 5 },
        element("b", "DOUBLE"),
        { name: "levels", num_children: 1, converted_type: "LIST", repetition_type: "OPTIONAL" },
        { name: "list", num_children: 1, repetition_type: "REPEATED" },
        { name: "element", type: "DOUBLE", repetition_type: "OPTIONAL" },
        element("when", "INT64"),
        element("a", "DOUBLE"),
        element("ask", "DOUBLE"),
      ],
    },
  );
  const openAs = (columns: string) => {
    const [file] = openPriceFiles(join(writeFiles({ "EURUSD.parquet": content }), "EURUSD.parquet"), { columns }).files;
    return readTicks(file as PriceFile);
  };

  test("in the order of the schema, in place of their own names", () => {
    expect(openAs("bid,-,time,ask,-")).toEqual(manyRows.slice(0, 2));
    expect(openAs("ask, -, time, bid, -")).toEqual(manyRows.slice(0, 2).map(([at, one, other]) => [at, other, one]));
  });

  test.each([
    ["bid,time,ask", '--columns names 3 columns, and the file has 5: "b", "levels", "when", "a", "ask"'],
    ["bid,-,time,-,-", '--columns lacks "bid" and "ask", or "open"'],
    ["bid,ask,time,-,-", 'its column "levels" holds lists or groups: none are read'],
    ["bid,-,time,ask,ask", "it has ask twice"],
  ])("and %s is refused", (columns, sentence) => {
    expect(() => openAs(columns)).toThrow(sentence);
  });
});

describe("A Parquet file is refused in a sentence", () => {
  const good = writeParquet(toTickColumns(many));
  const doubles = (name: string) => ({ name, data: [1], type: "DOUBLE" as const });
  const at = { name: "time", data: [new Date(START)], type: "TIMESTAMP" as const };

  test.each([
    ["that is cut off", good.subarray(0, good.length - 100), "the file is damaged or ends too early"],
    ["that has only a head", new TextEncoder().encode("PAR1...."), "the file is damaged or ends too early"],
    ["that is encrypted", new TextEncoder().encode("PARE.........PARE"), "the file is encrypted"],
    ["without rows", writeParquet(toTickColumns([])), "the file has no rows"],
    ["of trades", writeParquet([at, doubles("price")]), 'it has no column "bid" and "ask", or "open", "high"'],
    [
      "without times",
      writeParquet([doubles("bid"), doubles("ask")]),
      'it has no column "time": its columns are bid, ask; name them with --columns, in their order',
    ],
    [
      "with prices in whole numbers",
      writeParquet([at, { name: "bid", data: [1080010000n], type: "INT64" }, doubles("ask")]),
      'its column "bid" is INT64: expected prices as DOUBLE, FLOAT or DECIMAL',
    ],
    [
      "with times of 32 bits in fractions",
      writeParquet([{ name: "time", data: [1], type: "FLOAT" }, doubles("bid"), doubles("ask")]),
      'its column "time" is FLOAT: expected times as TIMESTAMP',
    ],
    [
      "with prices in lists",
      writeParquet(
        [
          { name: "time", data: [BigInt(START)] },
          { name: "ask", data: [[1]] },
        ],
        {
          schema: [
            { name: "root", num_children: 2 },
            { name: "time", type: "INT64", repetition_type: "REQUIRED" },
            { name: "ask", num_children: 1, converted_type: "LIST", repetition_type: "OPTIONAL" },
            { name: "list", num_children: 1, repetition_type: "REPEATED" },
            { name: "element", type: "DOUBLE", repetition_type: "OPTIONAL" },
          ],
        },
      ),
      'its columns are time; lists and groups are not read: "ask"',
    ],
    [
      "with date and time in two columns of text",
      writeParquet([
        { name: "date", data: ["2024-07-01"], type: "STRING" },
        { name: "time", data: ["06:00:00"], type: "STRING" },
        doubles("bid"),
        doubles("ask"),
      ]),
      'its times are in the columns "date" and "time": expected them in one column',
    ],
    [
      "of another codec",
      writeParquet(toTickColumns(many), { codec: "LZO", compressors: { LZO: (bytes) => bytes } }),
      'its column "time" is compressed with LZO, which is not read: write the file with snappy, gzip or zstd',
    ],
  ] as const)("%s", (_, content, sentence) => {
    expect(() => open(content)).toThrow(sentence);
  });

  test("when its pages are damaged, after the rows before them", () => {
    const columns = toTickColumns(many).map((each) => ({ ...each, encoding: "PLAIN" as const }));
    const content = writeParquet(columns, { rowGroupSize: 3_500 });
    const bid = parquetMetadata(content).row_groups[1]?.columns[1]?.meta_data?.data_page_offset;
    const { rows } = open(content.fill(255, Number(bid), Number(bid) + 20)).open("UTC");
    expect(() => {
      while (rows.next());
    }).toThrow(/^the file is damaged: its column "bid" cannot be read in row group 2$/);
    expect(rows.at).toBe(3_501);
  });
});

test("A file of a few bytes that claims millions of rows is refused before they take memory", () => {
  const nulls = new Array<null>(4_300_000).fill(null);
  const write = (data: null[]) =>
    writeParquet(
      [
        { name: "time", data, type: "TIMESTAMP", nullable: true },
        { name: "bid", data, type: "DOUBLE", nullable: true },
        { name: "ask", data, type: "DOUBLE", nullable: true },
      ],
      { rowGroupSize: data.length, pageSize: 1e9 },
    );
  const small = write(nulls.slice(0, 200_000));
  expect(small.length).toBeLessThan(2_000);
  expect(() => open(small)).toThrow("the file is damaged");
  // The same between other bytes, so that the file is large enough for its rows.
  const large = write(nulls);
  const footer = large.length - 8 - new DataView(large.buffer, large.byteOffset).getUint32(large.length - 8, true);
  const padded = Buffer.concat([large.subarray(0, footer), new Uint8Array(100_000), large.subarray(footer)]);
  expect(() => readTicks(open(new Uint8Array(padded)))).toThrow("a page of more than 4 million rows");
});
