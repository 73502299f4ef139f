import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import {
  CHANGES,
  type Clock,
  createRandom,
  drawSeries,
  MARKETS,
  OTHER,
  pad,
  pick,
  type Random,
  type Row,
  ROWS,
  type Series,
  showLocal,
  spellPlain,
  toClock,
  toRow,
  type WrittenFile,
} from "@/lib/history/import/written-series.fixture";
import { writeZip } from "@/lib/history/import/written-zip.fixture";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** Writes prices as text, as people and programs do: each property of a file is drawn by its seed. */

const ZONES = [
  "UTC",
  "UTC",
  "America/New_York",
  "UTC+7",
  "Europe/Athens",
  "America/New_York+7",
  "Australia/Sydney",
  "Asia/Kolkata",
];

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const fullName = ({ month }: Clock) => MONTHS[Number(month) - 1] as string;
const name = (c: Clock) => fullName(c).slice(0, 3);
const twelve = ({ hour }: Clock) => (Number(hour) % 12 === 0 ? 12 : Number(hour) % 12);
const half = ({ hour }: Clock) => (Number(hour) < 12 ? "AM" : "PM");
const time = (c: Clock) => `${c.hour}:${c.minute}:${c.second}${c.fraction}`;
const iso = (c: Clock) => `${c.year}-${c.month}-${c.day}`;

type Spell = (clock: Clock) => string;

/** How dates and times of day are written; "pair" is split into two fields at its bar. */
const LOCAL: Readonly<Record<string, Spell>> = {
  iso: (c) => `${iso(c)}T${time(c)}`,
  blank: (c) => `${iso(c)} ${time(c)}`,
  dots: (c) => `${c.year}.${c.month}.${c.day} ${time(c)}`,
  slashes: (c) => `${c.year}/${c.month}/${c.day} ${time(c)}`,
  german: (c) => `${c.day}.${c.month}.${c.year} ${time(c)}`,
  american: (c) => `${c.month}/${c.day}/${c.year} ${time(c)}`,
  british: (c) => `${c.day}/${c.month}/${c.year} ${time(c)}`,
  dashed: (c) => `${c.day}-${c.month}-${c.year} ${time(c)}`,
  short: (c) =>
    `${Number(c.month)}/${Number(c.day)}/${c.year} ${twelve(c)}:${c.minute}:${c.second}${c.fraction} ${half(c)}`,
  lower: (c) => `${iso(c)} ${pad(twelve(c))}:${c.minute}:${c.second}${c.fraction} ${half(c).toLowerCase()}`,
  bare: (c) => `${c.year}-${Number(c.month)}-${Number(c.day)} ${Number(c.hour)}:${c.minute}:${c.second}${c.fraction}`,
  compact: (c) => `${c.year}${c.month}${c.day} ${c.hour}${c.minute}${c.second}${c.fraction}`,
  fix: (c) => `${c.year}${c.month}${c.day}-${time(c)}`,
  compactColons: (c) => `${c.year}${c.month}${c.day} ${time(c)}`,
  compactT: (c) => `${c.year}${c.month}${c.day}T${c.hour}${c.minute}${c.second}${c.fraction}`,
  number: (c) => `${c.year}${c.month}${c.day}${c.hour}${c.minute}${c.second}${c.fraction}`,
  words: (c) => `${c.day} ${name(c)} ${c.year} ${time(c)}`,
  dashes: (c) => `${c.day}-${name(c)}-${c.year} ${time(c)}`,
  upper: (c) => `${c.day}-${name(c).toUpperCase()}-${c.year} ${time(c)}`,
  english: (c) => `${fullName(c)} ${Number(c.day)} ${c.year} ${time(c)}`,
  pair: (c) => `${iso(c)}|${time(c)}`,
  pairDots: (c) => `${c.year}.${c.month}.${c.day}|${time(c)}`,
  pairCompact: (c) => `${c.year}${c.month}${c.day}|${c.hour}${c.minute}${c.second}`,
  pairColons: (c) => `${c.year}${c.month}${c.day}|${time(c)}`,
  pairGerman: (c) => `${c.day}.${c.month}.${c.year}|${time(c)}`,
};
/** Without seconds: for bars only. */
const MINUTES: Readonly<Record<string, Spell>> = {
  minutes: (c) => `${iso(c)} ${c.hour}:${c.minute}`,
  minutesDots: (c) => `${c.year}.${c.month}.${c.day} ${c.hour}:${c.minute}`,
  minutesGerman: (c) => `${c.day}.${c.month}.${c.year} ${c.hour}:${c.minute}`,
  minutesNumber: (c) => `${c.year}${c.month}${c.day}${c.hour}${c.minute}`,
  minutesCompact: (c) => `${c.year}${c.month}${c.day} ${c.hour}${c.minute}`,
  pairMinutes: (c) => `${c.year}.${c.month}.${c.day}|${c.hour}:${c.minute}`,
  pairFour: (c) => `${c.year}${c.month}${c.day}|${c.hour}${c.minute}`,
};
const OPEN_DATES: ReadonlySet<string> = new Set(["american", "british", "dashed", "short"]);
const NO_FRACTION: ReadonlySet<string> = new Set(["pairCompact"]);

/** Offsets behind a time, by how far the clock is ahead. */
const OFFSETS: Readonly<Record<string, readonly [hours: number, text: string]>> = {
  z: [0, "Z"],
  utc: [0, " UTC"],
  zero: [0, "+00:00"],
  east: [2, "+02:00"],
  eastCompact: [2, "+0200"],
  eastHours: [2, "+02"],
  half: [5.5, "+05:30"],
  west: [-5, "-05:00"],
  westCompact: [-5, "-0500"],
  blank: [-5, " -0500"],
  gmt: [2, " GMT+2"],
  gmtLong: [2, " GMT+0200"],
  est: [-5, " EST"],
  named: [2, "+02:00[Europe/Athens]"],
  go: [0, " +0000 UTC"],
};
/** Spellings behind which an offset may stand. */
const OFFSET_OF = ["iso", "blank", "german", "compact", "compactT", "number", "dots", "words"] as const;

/** Unix time. */
const UNIX: Readonly<Record<string, (ms: number) => string>> = {
  seconds: (ms) => String(ms / 1_000),
  milliseconds: String,
  microseconds: (ms) => `${ms}000`,
  nanoseconds: (ms) => `${ms}000000`,
  secondsFloat: (ms) => (ms / 1_000).toFixed(1),
  secondsLong: (ms) => `${Math.floor(ms / 1_000)}.${String(ms % 1_000).padStart(3, "0")}000`,
  millisecondsFloat: (ms) => `${ms}.0`,
  java: (ms) => String(ms).replace(/^(\d)(\d+?)0*$/, "$1.$2E12"),
  python: (ms) => `${String(ms).replace(/^(\d)/, "$1.")}000000e+12`,
};

const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  time: [
    "time",
    "Timestamp",
    "DateTime",
    "TIME",
    "Date",
    "Open time",
    "timestamp",
    "Time (UTC)",
    "datetime",
    "ts",
    "Date & Time",
    "# time",
    "Gmt time",
    "open_time",
    "OpenTime",
    "utc_time",
    "Date_Time",
    "time_utc",
    "t",
  ],
  date: ["date", "Date", "DATE", "<DATE>", "<DTYYYYMMDD>", "Day", "Trade Date"],
  clock: ["time", "Time", "TIME", "<TIME>", "Timestamp", "time"],
  bid: ["bid", "Bid", "BidPrice", "<BID>", "BID", "bid_price", "Best Bid", "Bid (USD)"],
  ask: ["ask", "Ask", "AskPrice", "<ASK>", "ASK", "ask_price", "Best Ask", "Ask (USD)"],
  open: ["open", "Open", "BidOpen", "<OPEN>", "OPEN", "o", "open_price", "Open (USD)", "Open(Bid)"],
  high: ["high", "High", "BidHigh", "<HIGH>", "HIGH", "h", "high_price", "High (USD)", "High(Bid)"],
  low: ["low", "Low", "BidLow", "<LOW>", "LOW", "l", "low_price", "Low (USD)", "Low(Bid)"],
  close: ["close", "Close", "BidClose", "<CLOSE>", "CLOSE", "c", "close_price", "Close (USD)", "Close(Bid)"],
  volume: [
    "volume",
    "Volume",
    "Vol",
    "tick_volume",
    "<TICKVOL>",
    "VOL",
    "Vol.",
    "Volume (units)",
    "TickVolume",
    "Volume ",
  ],
  note: [
    "note",
    "average",
    "Größe",
    "spread",
    "Adj Close",
    "trades",
    "Примечание",
    "<OPENINT>",
    "weighted_price",
    "close_time",
  ],
  symbol: ["symbol", "Symbol", "pair", "Ticker", "<TICKER>", "instrument"],
};

/** Volumes as they are written, and what they mean. */
const VOLUMES: Readonly<Record<string, (volume: number, decimal: string) => readonly [string, number]>> = {
  whole: (volume) => [String(volume), volume],
  "-1": () => ["-1", 0],
  empty: () => ["", 0],
  NaN: () => ["NaN", 0],
  null: () => ["null", 0],
  "n/a": () => ["n/a", 0],
  dash: () => ["-", 0],
  float: (volume, decimal) => [`${volume}${decimal}25`, volume],
  zeros: (volume, decimal) => [`${volume}${decimal}0`, volume],
  exponent: (volume, decimal) => [`${volume}${decimal}0E2`, volume * 100],
  thousands: (volume, decimal) => [`1${decimal === "." ? "," : "."}${100 + volume}`, 1_100 + volume],
  short: (volume, decimal) => [`${volume}${decimal}5K`, volume * 1_000 + 500],
  huge: () => ["1000000000000", 0],
  zero: () => ["0", 0],
};

/** How a number is written, with a point before decimals. */
const NUMBERS: Readonly<Record<string, (points: number, digits: number) => string>> = {
  plain: spellPlain,
  trimmed: (points, digits) =>
    String(Number(spellPlain(points, digits))).replace(/^(\d(?:\.\d+)?)e-(\d+)$/, () => spellPlain(points, digits)),
  padded: (points, digits) => `${spellPlain(points, digits)}${digits === 0 ? ".000" : "000"}`,
  plus: (points, digits) => `+${spellPlain(points, digits)}`,
  exponent: (points, digits) => (points / 10 ** digits).toExponential().replace("e", "E").replace("+", ""),
  exponentLong: (points, digits) => (points / 10 ** digits).toExponential(12).replace(/e([+-])(\d)$/, "e$10$2"),
  noise: (points, digits) => `${spellPlain(points, digits)}${digits === 0 ? "." : ""}00000000000001`.slice(0, 19),
  noZero: (points, digits) => spellPlain(points, digits).replace(/^0\./, "."),
};

/** A text of rows, and what it means. */
interface Text extends Pick<WrittenFile, "rows" | "refused" | "options" | "refusal" | "drawn"> {
  readonly symbol: string;
  readonly text: string;
  /** Whether the name of the file has to tell the symbol. */
  readonly needsName: boolean;
  readonly hasRest: boolean;
  readonly mayDoubt: boolean;
}

function drawText(random: Random): Text {
  const isFixed = random() < 0.5;
  const zone = isFixed ? "UTC" : pick(random, ZONES);
  const series = drawSeries(random, isFixed ? null : zone);
  const { isTicks, digits, stepMs } = series;

  // Numbers.
  const delimiter = pick(random, [",", ",", ",", ";", "\t", "|", " "]);
  const decimal = digits === 0 ? "." : pick(random, [".", ".", ".", ","] as const);
  const drawnForm = pick(random, ["plain", "plain", "plain", ...Object.keys(NUMBERS)]);
  const form = drawnForm === "noZero" && decimal === "," ? "plain" : drawnForm;
  const isLong = digits > 0 && digits < 6 && (series.rows[0]?.points[0] ?? 0) / 10 ** digits >= 1_000;
  const hasThousands = isLong && (form === "plain" || form === "padded") && random() < 0.5;
  const groups = !hasThousands
    ? ""
    : pick(random, decimal === "." ? [",", " ", "'", "\u00a0", "\u202f", "\u2019"] : [".", " ", "\u00a0"]);
  const spellNumber = (points: number) => {
    const [whole = "", ...rest] = (NUMBERS[form] as (typeof NUMBERS)[string])(points, digits).split(".");
    const grouped = groups === "" ? whole : whole.replace(/\B(?=(\d{3})+$)/g, groups);
    return [grouped, ...rest].join(decimal);
  };
  const volumes = isTicks ? "none" : pick(random, ["none", "whole", "whole", "whole", ...Object.keys(VOLUMES)]);

  // Times.
  const precision = isTicks ? pick(random, [0, 0, 1, 2, 3, 6, 7, 9]) : 0;
  const offset = pick(random, Object.keys(OFFSETS));
  const kind = isFixed ? pick(random, ["unix", "offset"]) : isTicks || random() < 0.7 ? "local" : "minutes";
  const spelling =
    kind === "unix"
      ? pick(random, Object.keys(UNIX))
      : kind === "offset"
        ? pick(random, OFFSET_OF)
        : pick(random, Object.keys(kind === "local" ? LOCAL : MINUTES));
  const isWhole =
    NO_FRACTION.has(spelling) ||
    (kind === "unix" && ["seconds", "secondsFloat"].includes(spelling)) ||
    kind === "minutes";
  const comma = kind !== "unix" && decimal === "," && delimiter !== "," && random() < 0.3 ? "," : ".";
  const fractions = series.rows.map(() => {
    if (precision === 0 || isWhole) return "";
    return String(Math.floor(random() * 10 ** Math.min(precision, 9))).padStart(precision, "0");
  });
  const toMs = (fraction: string) => (fraction === "" ? 0 : Math.floor(Number(fraction) / 10 ** (fraction.length - 3)));
  const isPair = spelling.startsWith("pair");
  const spellTime = (ms: number, fraction: string): string => {
    const sign = fraction === "" ? "" : `${comma}${fraction}`;
    if (kind === "unix") return (UNIX[spelling] as (typeof UNIX)[string])(ms);
    if (kind === "offset") {
      const [hours, text] = OFFSETS[offset] as (typeof OFFSETS)[string];
      return `${(LOCAL[spelling] as Spell)(toClock(ms, ms + hours * HOUR_MS, sign))}${text}`;
    }
    const spell = (kind === "local" ? LOCAL : MINUTES)[spelling] as Spell;
    return spell(toClock(ms, showLocal(zone, ms), sign));
  };
  // Lines that are no rows, or rows that have to be refused.
  const drawnBad = pick(random, [
    "none",
    "none",
    "none",
    "spike",
    "zero",
    "negative",
    "comment",
    "blank",
    "blanks",
    "cells",
    "NaN",
    "no prices",
    "two symbols",
    "weekend",
  ]);
  const isAlways = MARKETS.some((each) => each.symbol === series.symbol && each.isAlways === true);
  const isClosable = !isTicks && volumes === "whole" && stepMs >= 5 * MINUTE_MS && !isAlways && !series.hasJump;
  const bad = drawnBad === "weekend" && !isClosable ? "none" : drawnBad;
  const dated = series.rows.map(({ ms }) => new Date(showLocal(zone, ms)).getUTCDate());
  const isOpenDate =
    OPEN_DATES.has(spelling) && dated.every((each) => each <= 12) && bad !== "weekend" && kind === "local";
  const saysDates = isOpenDate && random() < 0.5;

  // Columns.
  const isHeaded = random() < 0.8;
  const prices = isTicks ? ["bid", "ask"] : ["open", "high", "low", "close"];
  const fields = [...(isPair ? ["date", "clock"] : ["time"]), ...prices];
  if (volumes !== "none") fields.push("volume");
  if (isHeaded && random() < 0.25) fields.push("note");
  const hasSymbol = random() < 0.25;
  if (hasSymbol) fields.unshift("symbol");
  const order = isHeaded && random() < 0.4 ? [...fields].sort(() => random() - 0.5) : fields;
  const isIndexed = isHeaded && random() < 0.15;
  const styles = Object.fromEntries(order.map((field) => [field, pick(random, HEADINGS[field] as readonly string[])]));
  // Their first letters only stand together.
  if (Object.values(styles).some((each) => each.length === 1 || each.startsWith("# ")) || styles["time"] === "t") {
    const style = random() < 0.3 && order[0] === "time" ? "letters" : "words";
    for (const field of order) {
      const names = HEADINGS[field] as readonly string[];
      if (style === "words" || field === "note") styles[field] = names[0] as string;
      else if (prices.includes(field) && !isTicks) styles[field] = names[5] as string;
      else if (field === "time") styles[field] = "t";
    }
  }
  // A heading of UTC contradicts another zone.
  const named = styles["time"] ?? styles["date"] ?? "";
  if (/utc|gmt/i.test(named) && !isFixed && zone !== "UTC") styles["time"] = "time";
  const spellings: Readonly<Record<string, readonly string[]>> = {
    EURUSD: ["EURUSD", "EUR/USD", "EURUSD.m", "EUR_USD", "EURUSD=X", "eurusd", "EURUSDpro", "FX:EURUSD"],
    XAUUSD: ["XAUUSD", "GOLD", "XAU/USD"],
    BTCUSD: ["BTCUSD", "BTC/USD", "BTC-USD"],
  };
  const symbol = pick(random, spellings[series.symbol] ?? [series.symbol]);

  // Lines.
  const quotes = pick(random, ["need", "need", "need", "all", "texts"]);
  const trailing = random() < 0.1 ? delimiter : "";
  const after = delimiter !== " " && delimiter !== "\t" && random() < 0.1 ? " " : "";
  const join = (cells: readonly string[]) =>
    cells
      .map((cell) => {
        const isText = !/^[-+\d.,]*$/.test(cell);
        const isQuoted =
          quotes === "all" ||
          cell.includes(delimiter) ||
          cell.includes('"') ||
          (quotes === "texts" && isText) ||
          (delimiter === " " && cell === "");
        return isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell;
      })
      .join(`${delimiter}${after}`) + (delimiter === " " ? "" : trailing);
  const written = series.rows.map((row, i) => {
    const fraction = fractions[i] as string;
    const ms = row.ms + toMs(fraction);
    const [spelled, volume] =
      volumes === "none" ? ["", 0] : (VOLUMES[volumes] as (typeof VOLUMES)[string])(row.volume, decimal);
    const pair = spellTime(ms, fraction).split("|");
    const cells = order.map((field) => {
      if (field === "symbol") return symbol;
      if (field === "time" || field === "date") return pair[0] as string;
      if (field === "clock") return pair[1] as string;
      if (field === "volume") return spelled;
      if (field === "note") return pick(random, ["é", "a b", 'say "x"', "1", "", "x, y; z"]);
      return spellNumber(row.points[prices.indexOf(field)] as number);
    });
    return { cells: isIndexed ? [String(i), ...cells] : cells, row: toRow(series, { ...row, ms }, volume) };
  });
  const sorting = pick(random, ["up", "up", "up", "down", "mixed"]);
  const isDoubled = !isFixed && CHANGES[zone] !== undefined && isAlways;
  if (sorting === "down") written.reverse();
  else if (sorting === "mixed" && !isDoubled && !series.hasJump) written.sort(() => random() - 0.5);
  const repeated =
    random() < 0.1 && !isDoubled && !series.hasJump ? [...written, written[3] as (typeof written)[number]] : written;
  const lines = repeated.map(({ cells }) => join(cells));
  const refused: Record<string, number> = {};
  const others: Row[] = [];
  const broken = (change: (cell: string, field: string) => string) => {
    const cells = (written[5] as (typeof written)[number]).cells;
    const from = isIndexed ? 1 : 0;
    return join(cells.map((cell, i) => (i < from ? cell : change(cell, order[i - from] as string))));
  };
  const isPrice = (field: string) => prices.includes(field);
  if (bad === "spike") {
    refused["far_off"] = 1;
    const points = (written[5] as (typeof written)[number]).row;
    lines.splice(
      6,
      0,
      broken((cell, field) =>
        isPrice(field) ? spellNumber(Math.round(Number(points[prices.indexOf(field) + 2]) * 10 ** (digits + 1))) : cell,
      ),
    );
  } else if (bad === "zero" || bad === "negative") {
    refused["non_positive"] = 1;
    lines.splice(
      6,
      0,
      broken((cell, field) => (isPrice(field) ? (bad === "zero" ? "0" : `-${cell.replace(/^\+/, "")}`) : cell)),
    );
  } else if (bad === "NaN" || bad === "no prices") {
    refused["malformed"] = 1;
    lines.splice(
      6,
      0,
      broken((cell, field) => (isPrice(field) ? (bad === "NaN" ? "NaN" : "") : cell)),
    );
  } else if (bad === "two symbols" && hasSymbol && ["EURUSD", "GBPUSD"].includes(series.symbol) && !series.hasJump) {
    for (const { cells, row } of repeated.slice(0, 9)) {
      others.push([OTHER, ...row.slice(1)]);
      lines.push(join(cells.map((cell, i) => (order[i - (isIndexed ? 1 : 0)] === "symbol" ? OTHER : cell))));
    }
  } else if (bad === "weekend") {
    refused["closed_hours"] = 3;
    const last = series.rows.at(-1) as Series["rows"][number];
    const closed = Date.UTC(2024, new Date(last.ms).getUTCMonth(), 13, 12);
    for (let i = 0; i < 3; i++) {
      const ms = closed + i * stepMs;
      const pair = spellTime(ms, "").split("|");
      const price = spellNumber(last.points[3] as number);
      const cells = order.map(
        (field) =>
          (field === "symbol"
            ? symbol
            : field === "time" || field === "date"
              ? pair[0]
              : field === "clock"
                ? pair[1]
                : field === "note"
                  ? "1"
                  : field === "volume"
                    ? "0"
                    : price) as string,
      );
      lines.push(join(isIndexed ? [String(ROWS + i), ...cells] : cells));
    }
  } else if (bad === "comment") {
    refused["malformed"] = 1;
    lines.splice(6, 0, pick(random, ["# a gap", "// a gap", "; a gap", "Page 2"]));
  } else if (bad === "blank") lines.splice(6, 0, "", "");
  else if (bad === "blanks") lines.splice(6, 0, "   ");
  else if (bad === "cells") lines.splice(6, 0, delimiter.repeat(order.length));
  const heading = [
    ...(isIndexed ? [pick(random, ["", "index", "Unnamed: 0"])] : []),
    ...order.map((field) => styles[field] as string),
  ];
  const above: string[] = [];
  if (isHeaded && random() < 0.15)
    above.push(
      ...pick(random, [
        ["https://example.com"],
        ["# prices of a vendor", "# made 2024-01-31"],
        ["// x"],
        ["; a comment"],
        [`sep=${delimiter}`],
        ["Symbol: X", "", "Prices"],
      ]),
    );
  if (isHeaded) above.push(join(heading));
  const end = pick(random, ["\n", "\n", "\r\n", "\r", "\r\r\n"]);
  const last = pick(random, ["end", "end", "end", "none", "many", "\u001a"]);
  const all = [...above, ...lines];
  const body =
    random() < 0.05 ? all.map((line, i) => line + (i % 2 === 0 ? "\n" : "\r\n")).join("") : all.join(end) + end;
  const text =
    last === "none"
      ? body.replace(/[\r\n]+$/, "")
      : last === "many"
        ? `${body}${end}${end}`
        : last === "\u001a"
          ? `${body}\u001a`
          : body;

  const isOpenNumber =
    decimal === "," &&
    delimiter !== ";" &&
    !hasThousands &&
    (digits === 3 || form === "trimmed") &&
    !form.startsWith("exponent");
  const saysDecimal = (isOpenNumber && random() < 0.5) || random() < 0.05;
  const needs: string[] = [];
  if (isOpenDate && !saysDates) needs.push("--dates");
  if (isOpenNumber && !saysDecimal) needs.push("--decimal");
  // These forms are those of terminals, which have the server's time.
  const hasDate = isHeaded && /^<date>$/i.test(heading[0] ?? "");
  const isTerminal = hasDate || (!isHeaded && !hasSymbol && ["pairMinutes", "compact"].includes(spelling));
  // A terminal leaves out prices that did not change.
  if (hasDate && isTicks && bad === "no prices") delete refused["malformed"];
  const isUsual = !isTerminal && (isFixed || zone === "UTC");
  return {
    symbol: series.symbol,
    text,
    needsName: !hasSymbol,
    rows: [...written.map(({ row }) => row), ...others],
    refused,
    options: {
      ...(isUsual ? {} : { zone }),
      // These may be NinjaTrader's, which stamps bars at their ends.
      ...(!isHeaded && !isTicks && spelling === "compact" ? { stamps: "begin" as const } : {}),
      ...(saysDates ? { dateOrder: spelling === "american" || spelling === "short" ? "month-day" : "day-month" } : {}),
      ...(saysDecimal ? { decimal } : {}),
    },
    refusal: needs.length === 0 ? null : new RegExp(needs.join("|")),
    hasRest: last === "none",
    mayDoubt: isDoubled,
    drawn: {
      zone,
      market: series.symbol,
      isTicks,
      stepMs,
      delimiter,
      decimal,
      form,
      groups,
      volumes,
      kind,
      spelling,
      offset: kind === "offset" ? offset : "",
      precision,
      isHeaded,
      order: order.join(),
      isIndexed,
      quotes,
      trailing,
      after,
      sorting,
      bad,
      end,
      last,
    },
  };
}

export function encode(text: string, encoding: string): Uint8Array {
  if (encoding === "latin1") return Buffer.from(text, "latin1");
  if (encoding === "mark") return Buffer.from(`\ufeff${text}`);
  if (encoding.startsWith("utf16")) {
    const wide = Buffer.from(`${encoding.endsWith("bare") ? "" : "\ufeff"}${text}`, "utf16le");
    return encoding.startsWith("utf16be") ? wide.swap16() : wide;
  }
  return Buffer.from(text);
}

export const ENCODINGS = [
  "utf8",
  "utf8",
  "utf8",
  "mark",
  "utf16le",
  "utf16be",
  "utf16le-bare",
  "utf16be-bare",
  "latin1",
];
export const PACKINGS = [
  "plain",
  "plain",
  "plain",
  "gz",
  "gz of two",
  "zip",
  "zip stored",
  "zip of several",
  "zip of a Mac",
  "zip64",
  "zip streamed",
];

export function pack(bytes: Uint8Array, name: string, packing: string): readonly [string, Uint8Array] {
  const csv = `${name}.csv`;
  switch (packing) {
    case "gz":
      return [`${csv}.gz`, gzipSync(bytes)];
    case "gz of two": {
      const middle = Math.floor(bytes.length / 2);
      return [`${csv}.gz`, Buffer.concat([gzipSync(bytes.subarray(0, middle)), gzipSync(bytes.subarray(middle))])];
    }
    case "zip":
      return [`${name}.zip`, zipSync({ [csv]: bytes })];
    case "zip stored":
      return [`${name}.zip`, zipSync({ [`a/b/${csv}`]: bytes }, { level: 0 })];
    case "zip of several":
      return [`${name}.zip`, zipSync({ "readme.txt": strToU8("about"), [csv]: bytes })];
    case "zip of a Mac":
      return [
        `${name}.zip`,
        zipSync({
          [csv]: bytes,
          [`__MACOSX/._${csv}`]: new Uint8Array([0, 5, 22, 7, 0, 2, 0, 0, 77]),
          ".DS_Store": new Uint8Array([0, 0, 0, 1, 66]),
        }),
      ];
    case "zip64":
      return [`${name}.zip`, writeZip(csv, bytes, { isWide: true, isStreamed: false })];
    case "zip streamed":
      return [`${name}.zip`, writeZip(csv, bytes, { isWide: false, isStreamed: true })];
    default:
      return [csv, bytes];
  }
}

/** A file of which something is lost or changed. Only rows that it means may be read. */
export function writeDamaged(seed: number): WrittenFile {
  const whole = writeCase(seed);
  const random = createRandom(seed + 1_000_000);
  const isPacked = !whole.path.endsWith(".csv");
  const bytes = Buffer.from(whole.bytes);
  const at = Math.floor(random() * bytes.length);
  const how = pick(random, isPacked ? ["cut", "changed"] : ["cut", "lost"]);
  // Without a heading, a part of one row may be a row of another kind.
  const cutAt = whole.drawn["isHeaded"] === true || isPacked ? at : Math.max(at, Math.floor(bytes.length / 4));
  const damaged = how === "cut" ? bytes.subarray(0, cutAt) : bytes;
  if (how === "changed") bytes.writeUInt8(((bytes[at] as number) + 1 + Math.floor(random() * 254)) % 256, at);
  // Blocks of a disk come back as zeros, and text is cut off by bytes of no character.
  if (how === "lost")
    bytes.fill(pick(random, [0, 0xff, 0x1b]), at, Math.min(bytes.length, at + 1 + Math.floor(random() * 40)));
  return { ...whole, bytes: damaged, isDamaged: true, drawn: { how, at: cutAt, ...whole.drawn } };
}

const KNOWN: ReadonlySet<string> = new Set(MARKETS.slice(0, 10).map(({ symbol }) => symbol));

/** One file of a text, drawn by its seed. */
export function writeCase(seed: number): WrittenFile {
  const random = createRandom(seed);
  const { symbol, text, needsName, rows, refused, options, refusal, hasRest, mayDoubt, drawn } = drawText(random);
  const encoding = pick(random, ENCODINGS);
  const packing = pick(random, PACKINGS);
  // One that the catalog lacks has to be spelled by the file.
  const saysSymbol = needsName && KNOWN.has(symbol) && random() < 0.3;
  const name = needsName && !saysSymbol ? pick(random, [symbol, `${symbol}_2024`, `${symbol}/prices`]) : "prices";
  const isWritable = encoding !== "latin1" || !/[^\u0000-\u00ff]/.test(text);
  const [file, bytes] = pack(encode(text, isWritable ? encoding : "utf8"), name, packing);
  return {
    path: file,
    bytes,
    options: saysSymbol ? { ...options, symbol } : options,
    ...{
      rows,
      refused,
      refusal: mayDoubt && refusal === null ? /twice/ : refusal,
      mayBeRead: refusal !== null || mayDoubt,
      mayDoubt,
      isDamaged: false,
    },
    drawn: { seed, ...drawn, hasRest, encoding, packing, file, text },
  };
}
