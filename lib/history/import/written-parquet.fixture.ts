import { brotliCompressSync, gzipSync } from "node:zlib";
import { writeParquet } from "@/lib/feeds/files/parquet.fixture";
import {
  createRandom,
  drawSeries,
  OTHER,
  pick,
  showLocal,
  spellPlain,
  toRow,
  type WrittenFile,
} from "@/lib/history/import/written-series.fixture";
import { SECOND_MS } from "@/lib/time/units";

/** A Parquet file, drawn by its seed. */
export function writeParquetCase(seed: number): WrittenFile {
  const random = createRandom(seed);
  const isZoned = random() < 0.3;
  const zone = isZoned ? pick(random, ["Europe/Athens", "America/New_York+7", "Asia/Kolkata"]) : "UTC";
  const series = drawSeries(random, null);
  const { isTicks, digits, rows } = series;
  const hasSymbol = random() < 0.4;
  const unit = pick(random, ["MILLIS", "MICROS", "NANOS"] as const);
  const scale = { MILLIS: 1n, MICROS: 1_000n, NANOS: 1_000_000n }[unit];
  const form = pick(random, isZoned ? ["stamp", "text"] : ["stamp", "utc", "unix", "double", "text", "iso"]);
  const times = rows.map(({ ms }) => {
    const shown = showLocal(zone, ms);
    if (form === "text") return new Date(shown).toISOString().slice(0, 19).replace("T", " ");
    if (form === "iso") return new Date(ms).toISOString();
    return form === "double" ? ms / SECOND_MS : BigInt(shown) * scale;
  });
  const timeTypes: Readonly<Record<string, object>> = {
    stamp: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit } },
    utc: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit } },
    unix: { type: "INT64" },
    double: { type: "DOUBLE" },
  };
  const volumes = isTicks ? "none" : pick(random, ["none", "whole", "double", "null", "NaN"]);
  const price = pick(random, ["DOUBLE", "DOUBLE", "FLOAT", "DECIMAL"]);
  // A FLOAT holds seven digits.
  const isFloat = price === "FLOAT" && String(rows[0]?.points[0]).length < 7;
  const isDecimal = price === "DECIMAL";
  const names = isTicks
    ? ["bid", "ask"]
    : pick(random, [
        ["open", "high", "low", "close"],
        ["Open", "High", "Low", "Close"],
        ["BidOpen", "BidHigh", "BidLow", "BidClose"],
      ]);
  const text = { type: "BYTE_ARRAY", converted_type: "UTF8" };
  const encoding = (values: readonly string[]) => (random() < 0.5 ? {} : { encoding: pick(random, values) });
  const columns: { name: string; data: unknown[]; [key: string]: unknown }[] = [
    {
      name: pick(random, ["time", "Timestamp", "datetime", "__index_level_0__", "date"]),
      data: times,
      ...(timeTypes[form] ?? text),
      ...encoding(
        form === "double"
          ? ["PLAIN", "BYTE_STREAM_SPLIT"]
          : form in timeTypes
            ? ["PLAIN", "DELTA_BINARY_PACKED", "RLE_DICTIONARY"]
            : ["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "RLE_DICTIONARY"],
      ),
    },
    ...names.map((each, i) => ({
      name: each,
      data: rows.map(({ points }) =>
        isDecimal ? BigInt(points[i] as number) : Number(spellPlain(points[i] as number, digits)),
      ),
      ...(isDecimal
        ? { type: "INT64", converted_type: "DECIMAL", scale: digits, precision: 18 }
        : { type: isFloat ? "FLOAT" : "DOUBLE" }),
      ...encoding(isDecimal ? ["PLAIN", "DELTA_BINARY_PACKED"] : ["PLAIN", "BYTE_STREAM_SPLIT", "RLE_DICTIONARY"]),
    })),
  ];
  const values: Readonly<Record<string, (volume: number) => unknown>> = {
    whole: (volume) => BigInt(volume),
    double: (volume) => volume + 0.25,
    null: () => null,
    NaN: () => NaN,
  };
  const spellVolume = values[volumes];
  if (spellVolume !== undefined)
    columns.push({
      name: "volume",
      data: rows.map(({ volume }) => spellVolume(volume)),
      type: volumes === "whole" ? "INT64" : "DOUBLE",
      repetition_type: "OPTIONAL",
    });
  const symbols = hasSymbol && ["EURUSD", "GBPUSD"].includes(series.symbol) ? [series.symbol, OTHER] : [series.symbol];
  if (hasSymbol) {
    for (const column of columns) column.data = symbols.flatMap(() => column.data);
    columns.push({
      name: "symbol",
      data: symbols.flatMap((symbol) => rows.map(() => symbol)),
      ...text,
      ...encoding(["PLAIN", "RLE_DICTIONARY"]),
    });
  }
  if (random() < 0.3)
    columns.unshift({ name: "note", data: (columns[0]?.data ?? []).map((_, i) => `é ${i}`), ...text });
  const elements = columns.map(({ data: _, encoding: __, ...element }) => ({
    repetition_type: "REQUIRED",
    ...element,
  }));
  const codec = pick(random, ["UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI"] as const);
  const compressors = {
    GZIP: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)),
    BROTLI: (bytes: Uint8Array) => new Uint8Array(brotliCompressSync(bytes)),
  };
  const bytes = writeParquet(
    columns.map(({ name: column, data, encoding: own }) => ({
      name: column,
      data,
      ...(own === undefined ? {} : { encoding: own }),
    })) as Parameters<typeof writeParquet>[0],
    {
      codec,
      compressors,
      rowGroupSize: pick(random, [5, 16, 1_000]),
      pageSize: pick(random, [64, 100_000]),
      schema: [{ name: "root", num_children: columns.length }, ...elements] as never,
    },
  );
  const volume = (own: number) => (volumes === "whole" || volumes === "double" ? own : 0);
  return {
    path: hasSymbol ? "prices.parquet" : `${series.symbol}.parquet`,
    bytes,
    options: isZoned ? { zone } : {},
    rows: symbols.flatMap((symbol) => rows.map((row) => toRow({ ...series, symbol }, row, volume(row.volume)))),
    ...{ refused: {}, refusal: null, mayBeRead: false, mayDoubt: false, isDamaged: false },
    drawn: {
      seed,
      market: series.symbol,
      isTicks,
      form,
      unit,
      price,
      isFloat,
      volumes,
      codec,
      columns: columns.map((each) => `${each.name} ${String(each["type"])} ${String(each["encoding"])}`).join(),
    },
  };
}
