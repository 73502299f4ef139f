import { join } from "node:path";
import { gzipSync, zipSync } from "fflate";
import { expect, test } from "vitest";
import { openPriceFiles } from "@/lib/feeds/files/open-price-file";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** The same rows, written in thousands of ways. Whatever is read must be these rows. */

const FILES = 2_000;
const ROWS = 16;

type Random = () => number;

function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const pick = <Value>(random: Random, values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;

/** A time as a clock shows it. */
interface Clock {
  readonly ms: number;
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
}

const pad = (value: number) => String(value).padStart(2, "0");

function toClock(ms: number): Clock {
  const date = new Date(ms);
  return {
    ms,
    year: String(date.getUTCFullYear()),
    month: pad(date.getUTCMonth() + 1),
    day: pad(date.getUTCDate()),
    hour: pad(date.getUTCHours()),
    minute: pad(date.getUTCMinutes()),
    second: pad(date.getUTCSeconds()),
  };
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const name = ({ month }: Clock) => MONTHS[Number(month) - 1] as string;
const half = ({ hour, minute, second }: Clock) =>
  `${Number(hour) % 12 === 0 ? 12 : Number(hour) % 12}:${minute}:${second} ${Number(hour) < 12 ? "AM" : "PM"}`;

type Spell = (clock: Clock) => string;

/** Times without an offset. */
const LOCAL: Readonly<Record<string, Spell>> = {
  iso: (c) => `${c.year}-${c.month}-${c.day}T${c.hour}:${c.minute}:${c.second}`,
  blank: (c) => `${c.year}-${c.month}-${c.day} ${c.hour}:${c.minute}:${c.second}`,
  dots: (c) => `${c.year}.${c.month}.${c.day} ${c.hour}:${c.minute}:${c.second}.000`,
  slashes: (c) => `${c.year}/${c.month}/${c.day} ${c.hour}:${c.minute}:${c.second}`,
  german: (c) => `${c.day}.${c.month}.${c.year} ${c.hour}:${c.minute}:${c.second}`,
  american: (c) => `${c.month}/${c.day}/${c.year} ${c.hour}:${c.minute}:${c.second}`,
  british: (c) => `${c.day}/${c.month}/${c.year} ${c.hour}:${c.minute}:${c.second}`,
  short: (c) => `${Number(c.month)}/${Number(c.day)}/${c.year} ${half(c)}`,
  compact: (c) => `${c.year}${c.month}${c.day} ${c.hour}${c.minute}${c.second}`,
  milliseconds: (c) => `${c.year}${c.month}${c.day} ${c.hour}${c.minute}${c.second}000`,
  number: (c) => `${c.year}${c.month}${c.day}${c.hour}${c.minute}${c.second}`,
  words: (c) => `${c.day} ${name(c)} ${c.year} ${c.hour}:${c.minute}:${c.second}`,
  dashes: (c) => `${c.day}-${name(c)}-${c.year} ${c.hour}:${c.minute}:${c.second}`,
};

const toZ = ({ ms }: Clock) => new Date(ms).toISOString();

/** Times that tell a moment; the clock is UTC's. */
const FIXED: Readonly<Record<string, Spell>> = {
  z: toZ,
  ahead: (c) => `${LOCAL["blank"]?.(toClock(c.ms + 3 * HOUR_MS)) ?? ""}+03:00`,
  behind: (c) => `${LOCAL["compact"]?.(toClock(c.ms - 5 * HOUR_MS)) ?? ""}-0500`,
  short: (c) => `${LOCAL["iso"]?.(toClock(c.ms - 5 * HOUR_MS)) ?? ""}-05`,
  gmt: (c) => `${LOCAL["german"]?.(toClock(c.ms + HOUR_MS)) ?? ""} GMT+0100`,
  zone: (c) => `${LOCAL["iso"]?.(toClock(c.ms + 2 * HOUR_MS)) ?? ""}+02:00[Europe/Athens]`,
  seconds: ({ ms }) => String(ms / 1_000),
  milliseconds: ({ ms }) => String(ms),
  microseconds: ({ ms }) => `${ms}000`,
  nanoseconds: ({ ms }) => `${ms}000000`,
  float: ({ ms }) => `${ms / 1_000}.0`,
  floatMilliseconds: ({ ms }) => `${ms}.0`,
  java: ({ ms }) => String(ms).replace(/^(\d)(\d+?)0*$/, "$1.$2E12"),
};

const ZONES = { UTC: 0, "Europe/Athens": 2, "America/New_York": -5, "UTC+3": 3 } as const;

interface Case {
  readonly bytes: Uint8Array;
  readonly path: string;
  readonly zone: string;
  readonly expected: readonly (readonly number[])[];
  readonly text: string;
  readonly isOpen: boolean;
}

const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  time: ["time", "Timestamp", "DateTime", "TIME", "date", "Open time"],
  bid: ["bid", "Bid", "BidPrice", "<BID>"],
  ask: ["ask", "Ask", "ask_price", "<ASK>"],
  open: ["open", "Open", "BidOpen", "<OPEN>", "o"],
  high: ["high", "High", "BidHigh", "<HIGH>", "h"],
  low: ["low", "Low", "BidLow", "<LOW>", "l"],
  close: ["close", "Close", "BidClose", "<CLOSE>", "c"],
  volume: ["volume", "Volume", "Vol", "tick_volume", "<TICKVOL>"],
  note: ["note", "average", "Größe"],
};

/** Prices in points of the digits, with the sign before decimals and maybe signs between thousands. */
function spellPrice(points: number, digits: number, decimal: string, thousands: string): string {
  const [whole = "", fraction = ""] = (points / 10 ** digits).toFixed(digits).split(".");
  const grouped = thousands === "" ? whole : whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  return `${grouped}${decimal}${fraction}`;
}

function writeCase(number: number): Case {
  const random = createRandom(number * 7_919 + 1);
  for (let i = 0; i < 5; i++) random();
  const isTicks = random() < 0.5;
  const stepMs = isTicks ? 7 * SECOND_MS : pick(random, [1, 5, 15, 30, 60]) * MINUTE_MS;
  // The days tell their order, but for those of a few files.
  const day = random() < 0.04 ? 5 : 17 + Math.floor(random() * 8);
  const startMs = Math.floor(Date.UTC(2024, 0, day, Math.floor(random() * 20)) / stepMs) * stepMs;
  const hasOffset = random() < 0.5;
  const zone = pick(random, Object.keys(ZONES) as (keyof typeof ZONES)[]);
  const spelling = pick(random, Object.keys(hasOffset ? FIXED : LOCAL));
  const spellTime = ((hasOffset ? FIXED : LOCAL) as Record<string, Spell>)[spelling] as Spell;
  const aheadMs = hasOffset ? 0 : ZONES[zone] * HOUR_MS;

  const delimiter = pick(random, [",", ",", ";", "\t", "|"]);
  const decimal = pick(random, [".", ".", ","]);
  const hasThousands = random() < 0.2;
  const thousands = hasThousands ? (decimal === "." ? pick(random, [",", " ", "'"]) : pick(random, [".", " "])) : "";
  const [base, digits] = hasThousands
    ? [203_450, 2]
    : pick(random, [
        [108_123, 5],
        [151_234, 3],
        [3_400_056, 2],
      ] as const);
  const isQuoted = random() < 0.3 || decimal === delimiter || thousands === delimiter;
  const volume = pick(random, ["none", "number", "number", "-1", "", "NaN"]);

  const points = (row: number) => {
    const bid = base + Math.round(random() * 40) + row;
    return isTicks ? [bid, bid + 3] : [bid, bid + 9, bid - 8, bid + Math.round(random() * 8)];
  };
  const rows = Array.from({ length: ROWS }, (_, row) => ({
    ms: startMs + row * stepMs,
    points: points(row),
    volume: row * 3 + 1,
  }));
  const fields = isTicks ? ["time", "bid", "ask"] : ["time", "open", "high", "low", "close"];
  if (volume !== "none" && !isTicks) fields.push("volume");
  const isHeaded = random() < 0.8;
  if (isHeaded && random() < 0.3) fields.push("note");
  const order = isHeaded && random() < 0.5 ? [...fields].sort(() => random() - 0.5) : fields;
  // Without a heading, three decimals after a comma may be thousands.
  const isOpenNumber = decimal === "," && digits === 3 && delimiter !== ";" && !hasThousands;
  const isOpenDate = day === 5 && ["american", "british", "short"].includes(spelling);

  const prices = isTicks ? ["bid", "ask"] : ["open", "high", "low", "close"];
  const spell = (field: string, row: (typeof rows)[number]): string => {
    if (field === "time") return spellTime(toClock(row.ms + aheadMs));
    if (field === "volume") return volume === "number" ? String(row.volume) : volume;
    if (field === "note") return "é, ü".replace(delimiter, "");
    return spellPrice(row.points[prices.indexOf(field)] as number, digits, decimal, thousands);
  };
  const join2 = (cells: readonly string[]) =>
    cells.map((cell) => (isQuoted || cell.includes(delimiter) ? `"${cell}"` : cell)).join(delimiter);
  const style = Math.floor(random() * 3);
  const heading = order.map((field) => {
    const names = HEADINGS[field] as readonly string[];
    return names[Math.min(style, names.length - 1)] as string;
  });
  const isIndexed = isHeaded && random() < 0.15;
  const written = (random() < 0.2 ? [...rows].reverse() : rows).map((row, i) =>
    join2([...(isIndexed ? [String(i)] : []), ...order.map((field) => spell(field, row))]),
  );
  const preamble =
    isHeaded && random() < 0.15
      ? ["https://example.com", `sep=${delimiter}`].slice(0, 1 + Math.floor(random() * 2))
      : [];
  const lines = [...preamble, ...(isHeaded ? [join2([...(isIndexed ? [""] : []), ...heading])] : []), ...written];
  const end = pick(random, ["\n", "\n", "\r\n", "\r"]);
  const text = lines.join(end) + (random() < 0.7 ? end : "");
  const encoding = pick(random, ["utf8", "utf8", "mark", "utf16le", "utf16be", "latin1"]);
  const plain = encode(text, encoding);
  const [path, bytes] = pack(plain, pick(random, ["plain", "plain", "gz", "zip", "two"]));
  const expected = rows.map((row) => {
    const own = row.points.map((value) => Number((value / 10 ** digits).toFixed(digits)));
    return [row.ms, ...own, ...(isTicks ? [] : [volume === "number" ? row.volume : 0])];
  });
  return { bytes, path, zone, expected, text: lines.slice(0, 4).join("\n"), isOpen: isOpenNumber || isOpenDate };
}

function encode(text: string, encoding: string): Uint8Array {
  if (encoding === "utf8") return Buffer.from(text);
  if (encoding === "latin1") return Buffer.from(text, "latin1");
  if (encoding === "mark") return Buffer.from(`\ufeff${text}`);
  const wide = Buffer.from(`\ufeff${text}`, "utf16le");
  return encoding === "utf16le" ? wide : wide.swap16();
}

function pack(bytes: Uint8Array, form: string): readonly [string, Uint8Array] {
  if (form === "gz") return ["prices.csv.gz", gzipSync(bytes, { level: 1 })];
  if (form === "zip") return ["prices.zip", zipSync({ "a.csv": bytes }, { level: 1 })];
  if (form === "two")
    return ["prices.zip", zipSync({ "readme.txt": Buffer.from("about"), "b.txt": bytes }, { level: 0 })];
  return ["prices.csv", bytes];
}

function readCase({ path, zone }: Case, dir: string): readonly (readonly number[])[] {
  const { files } = openPriceFiles(join(dir, path));
  return files.flatMap((file) => {
    const { rows } = file.open(zone);
    const read: number[][] = [];
    while (rows.next()) {
      if (rows.fault !== null) throw new Error(`${rows.describe()}: expected ${rows.fault}`);
      const { bid, ask, open, high, low, close, volume } = rows;
      read.push(
        file.kind === "ticks"
          ? [rows.timeMs, bid, ask]
          : [rows.timeMs, open, high, low, close, Math.max(0, volume || 0)],
      );
    }
    return read;
  });
}

test("Rows that are written in thousands of ways are read as they are, or refused where they have two meanings.", () => {
  const cases = Array.from({ length: FILES }, (_, number) => writeCase(number));
  const dir = writeFiles(Object.fromEntries(cases.map(({ path, bytes }, number) => [`${number}/${path}`, bytes])));
  const wrong: unknown[] = [];
  let refused = 0;
  cases.forEach((each, number) => {
    let read: readonly (readonly number[])[];
    try {
      read = readCase(each, join(dir, String(number)));
    } catch (error) {
      if (each.isOpen) refused++;
      else wrong.push([number, (error as Error).message, each.text]);
      return;
    }
    const sorted = [...read].sort((a, b) => (a[0] as number) - (b[0] as number));
    if (JSON.stringify(sorted) !== JSON.stringify(each.expected))
      wrong.push([number, sorted[0], each.expected[0], each.text]);
  });
  expect(wrong.slice(0, 5)).toEqual([]);
  // Only dates and numbers that have two meanings may be refused.
  expect(refused).toBeLessThan(FILES / 10);
});
