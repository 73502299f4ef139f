import {
  type Clock,
  createRandom,
  drawSeries,
  pad,
  pick,
  type Random,
  type Row,
  type Series,
  showLocal,
  spellPlain,
  toClock,
  toRow,
  type WrittenFile,
} from "@/lib/history/import/written-series.fixture";
import { encode, ENCODINGS, pack, PACKINGS } from "@/lib/history/import/written-texts.fixture";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * Odd files whose rows are known: some kinds that were misread once, and files that are put together at random from
 * delimiters, signs, spellings of times, statements of a zone, languages, orders, encodings, archives and noise.
 */

type Odd = Pick<WrittenFile, "rows" | "options" | "refusal" | "mayBeRead"> & {
  readonly name: string;
  readonly text: string;
  readonly ending?: string;
};

/** Headings of a date and time, a date, a time of day, bid, ask, open, high, low, close and volume. */
const LANGUAGES: Readonly<Record<string, string>> = {
  english: "Time|Date|Time|Bid|Ask|Open|High|Low|Close|Volume",
  german: "Zeit|Datum|Uhrzeit|Geld|Brief|Eröffnung|Hoch|Tief|Schluss|Volumen",
  spanish: "Fecha|Fecha|Hora|Bid|Ask|Apertura|Máximo|Mínimo|Cierre|Volumen",
  french: "Horodatage|Date|Heure|Bid|Ask|Ouverture|Plus haut|Plus bas|Clôture|Volume",
  portuguese: "Data|Data|Hora|Bid|Ask|Abertura|Máxima|Mínima|Fechamento|Volume",
  italian: "Data e ora|Data|Ora|Denaro|Lettera|Apertura|Massimo|Minimo|Chiusura|Volume",
  russian: "Время|Дата|Время|Бид|Аск|Открытие|Максимум|Минимум|Закрытие|Объём",
  chinese: "时间|日期|时间|买价|卖价|开盘价|最高价|最低价|收盘价|成交量",
  japanese: "日時|日付|時刻|売値|買値|始値|高値|安値|終値|出来高",
  turkish: "Zaman|Tarih|Saat|Alış|Satış|Açılış|Yüksek|Düşük|Kapanış|Hacim",
  polish: "Czas|Data|Godzina|Kupno|Sprzedaż|Otwarcie|Najwyższy|Najniższy|Zamknięcie|Wolumen",
};

const clock = (c: Clock) => `${c.hour}:${c.minute}:${c.second}`;
const twelve = (c: Clock) => `${Number(c.hour) % 12 || 12}:${c.minute}:${c.second}`;
const half = (c: Clock) => (Number(c.hour) < 12 ? "AM" : "PM");
/** A bar divides the date from the time of day. */
const SPELLINGS: Readonly<Record<string, (c: Clock) => string>> = {
  iso: (c) => `${c.year}-${c.month}-${c.day} ${clock(c)}`,
  german: (c) => `${c.day}.${c.month}.${c.year} ${clock(c)}`,
  "two digits": (c) => `${c.day}.${c.month}.${c.year.slice(2)} ${clock(c)}`,
  "two digits first": (c) => `${c.year.slice(2)}-${c.month}-${c.day} ${clock(c)}`,
  browser: (c) => `${Number(c.month)}/${Number(c.day)}/${c.year}, ${twelve(c)}\u202f${half(c)}`,
  "no-break": (c) => `${c.year}-${c.month}-${c.day}\u00a0${clock(c)}`,
  compact: (c) => `${c.year}${c.month}${c.day} ${c.hour}${c.minute}${c.second}`,
  pair: (c) => `${c.year}.${c.month}.${c.day}|${clock(c)}`,
  "pair of six": (c) => `${c.day}${c.month}${c.year.slice(2)}|${clock(c)}`,
};

/** How a file states a zone, and whether what it states is clear. */
const STATEMENTS: Readonly<
  Record<string, { zone: string; time?: string; name?: string; above?: string; behind?: string; isUnclear?: boolean }>
> = {
  none: { zone: "UTC" },
  brackets: { zone: "UTC+2", time: " (UTC+2)" },
  bare: { zone: "UTC+3", time: " GMT+3" },
  west: { zone: "America/Phoenix", time: " GMT-7" },
  underscore: { zone: "UTC", time: "_utc" },
  "summer time": { zone: "America/New_York+7", name: "_GMT+2_US-DST" },
  "in its name": { zone: "UTC+3", name: "_UTC+3" },
  comment: { zone: "Asia/Tokyo", above: "# timezone: Asia/Tokyo" },
  cells: { zone: "America/New_York", behind: " US/Eastern" },
  est: { zone: "America/New_York", time: "_est", isUnclear: true },
  local: { zone: "Europe/Athens", time: "_local", isUnclear: true },
  "comment of a server": { zone: "Europe/Athens", above: "# times are server time", isUnclear: true },
};

const PRICE_NAMES = ["bid", "ask", "open", "high", "low", "close"];

/** What `showLocal` takes for a zone of the statements. */
const toKnown = (zone: string) => zone.replace(/^UTC$/, "UTC+0");

function draw(random: Random, symbols: readonly string[], isTicks?: boolean): Series {
  for (;;) {
    const series = drawSeries(random, null, {
      symbol: pick(random, symbols),
      ...(isTicks === undefined ? {} : { isTicks }),
    });
    if (!series.hasJump) return series;
  }
}

function compose(random: Random): Odd {
  const series = draw(random, ["EURUSD", "USDJPY", "XAUUSD", "BTCUSD"]);
  const language = pick(random, Object.keys(LANGUAGES));
  const spelling = pick(random, Object.keys(SPELLINGS));
  const statement = STATEMENTS[pick(random, Object.keys(STATEMENTS))] as (typeof STATEMENTS)[string];
  const delimiter = pick(random, [",", ";", ";", "\t", "|"]);
  const decimal = delimiter === "," ? "." : pick(random, [".", ","]);
  const sign = series.symbol === "XAUUSD" && random() < 0.4 ? "$" : "";
  const names = (LANGUAGES[language] as string).split("|");
  const isPair = spelling.startsWith("pair");
  const prices = series.isTicks ? ["bid", "ask"] : ["open", "high", "low", "close"];
  const hasVolume = !series.isTicks && random() < 0.5;
  const fields = [...(isPair ? ["date", "clock"] : ["time"]), ...prices, ...(hasVolume ? ["volume"] : [])];
  if (random() < 0.4) fields.sort(() => random() - 0.5);
  if (random() < 0.3) fields.splice(Math.floor(random() * fields.length), 0, "note");
  const label = (field: string) => {
    if (field === "note") return "note";
    const at = ["time", "date", "clock", ...PRICE_NAMES, "volume"].indexOf(field);
    const isStated = field === (isPair ? "clock" : "time") && statement.time !== undefined;
    return `${names[at] as string}${isStated ? (statement.time as string) : ""}`;
  };
  const spell = SPELLINGS[spelling] as (c: Clock) => string;
  const toNumber = (points: number) => `${sign}${spellPlain(points, series.digits).replace(".", decimal)}`;
  const quote = (cell: string) => (cell.includes(delimiter) ? `"${cell}"` : cell);
  const lines = series.rows.map((row) => {
    const [date = "", time] = spell(toClock(row.ms, showLocal(toKnown(statement.zone), row.ms), "")).split("|");
    const behind = statement.behind ?? "";
    const cell = (field: string) => {
      if (field === "time") return `${date}${behind}`;
      if (field === "date") return date;
      if (field === "clock") return `${time ?? ""}${behind}`;
      if (field === "volume") return String(row.volume);
      return field === "note" ? "x" : toNumber(row.points[prices.indexOf(field)] as number);
    };
    return fields.map((field) => quote(cell(field))).join(delimiter);
  });
  if (random() < 0.3) lines.reverse();
  const noise = pick(random, [[], [], ["# prices of a vendor"], ["Symbol: X", ""]]);
  const above = [...noise, ...(statement.above === undefined ? [] : [statement.above])];
  const isSaid = statement.isUnclear === true && random() < 0.5;
  return {
    name: `${series.symbol}${statement.name ?? ""}`,
    text: [...above, fields.map(label).join(delimiter), ...lines, ""].join(pick(random, ["\n", "\r\n"])),
    rows: series.rows.map((row) => toRow(series, row, hasVolume ? row.volume : 0)),
    options: isSaid ? { zone: statement.zone } : {},
    refusal: statement.isUnclear === true && !isSaid ? /zone|--dates/ : /./,
    mayBeRead: statement.isUnclear !== true || isSaid,
  };
}

const bars = (series: Series) => series.rows.map((row) => toRow(series, row, row.volume));
const must = { options: {}, refusal: null, mayBeRead: false };
const refused = (refusal: RegExp) => ({ rows: [], options: {}, refusal, mayBeRead: false });
const price = (series: Series, points: number) => spellPlain(points, series.digits);
const csv = (series: Series, time: (ms: number) => string, heading = "time,open,high,low,close,volume") =>
  [
    heading,
    ...series.rows.map(({ ms, points, volume }) =>
      [time(ms), ...points.map((each) => price(series, each)), volume].join(),
    ),
  ].join("\n");
const drawBars = (random: Random, symbol = "EURUSD") => draw(random, [symbol], false);
const json = (series: Series, toValue: (rows: readonly Record<string, number>[]) => unknown) =>
  JSON.stringify(
    toValue(
      series.rows.map(({ ms, points, volume }) => {
        const [o = 0, h = 0, l = 0, c = 0] = points.map((each) => Number(price(series, each)));
        return { t: ms, o, h, l, c, v: volume };
      }),
    ),
  );

/** Each kind of file that was misread once, with its right value. */
const KINDS: Readonly<Record<string, (random: Random) => Odd>> = {
  "ticks of .NET": (random) => {
    const series = draw(random, ["EURUSD"], true);
    const rows = series.rows.map(({ ms, points }) =>
      [`${BigInt(ms) * 10_000n + 621_355_968_000_000_000n}`, ...points.map((each) => price(series, each))].join(),
    );
    return { name: "EURUSD", text: ["time,bid,ask", ...rows].join("\n"), ...refused(/ticks of \.NET/) };
  },
  FILETIME: (random) => {
    const series = drawBars(random);
    const text = csv(series, (ms) => `${BigInt(ms) * 10_000n + 116_444_736_000_000_000n}`);
    return { name: "EURUSD", text, ...refused(/FILETIME/) };
  },
  "seconds since 2001": (random) => {
    const text = csv(drawBars(random), (ms) => String(ms / 1_000 - 978_307_200));
    return { name: "EURUSD", text, ...refused(/since 2001/) };
  },
  "two timeframes": (random) => {
    const series = drawBars(random);
    const [first] = series.rows;
    const at = (ms: number) => `${new Date(ms).toISOString()},1.1,1.1,1.1,1.1`;
    const start = Math.floor((first?.ms ?? 0) / 3_600_000) * 3_600_000;
    const hours = Array.from({ length: 8 }, (_, i) => at(start + i * 60 * MINUTE_MS));
    const minutes = Array.from({ length: 20 }, (_, i) => at(start + (8 * 60 + i) * MINUTE_MS));
    return {
      name: "EURUSD",
      text: ["time,open,high,low,close", ...hours, ...minutes].join("\n"),
      ...refused(/its bars are of/),
    };
  },
  "MetaTrader 4 with seconds": (random) => {
    const series = drawBars(random);
    const time = (ms: number) => {
      const c = toClock(ms, showLocal("Europe/Athens", ms), "");
      return `${c.year}.${c.month}.${c.day},${clock(c)}`;
    };
    const text = csv(series, time).split("\n").slice(1).join("\n");
    const isSaid = random() < 0.5;
    return isSaid
      ? { name: "EURUSD", text, rows: bars(series), ...must, options: { zone: "Europe/Athens" } }
      : { name: "EURUSD", text, ...refused(/zone/) };
  },
  NinjaTrader: (random) => {
    const series = { ...drawBars(random), stepMs: MINUTE_MS };
    const rows = series.rows.map((row, i) => ({ ...row, ms: (series.rows[0]?.ms ?? 0) + i * MINUTE_MS }));
    const own = { ...series, rows };
    const time = (ms: number) =>
      new Date(ms + MINUTE_MS).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", " ");
    const text = csv(own, time).split("\n").slice(1).join("\n").replaceAll(",", ";");
    const isSaid = random() < 0.5;
    const name = "EURUSD.Last";
    return isSaid
      ? { name, text, ending: ".txt", rows: bars(own), ...must, options: { zone: "UTC", stamps: "end" } }
      : { name, text, ending: ".txt", ...refused(/zone/) };
  },
  "the close first": (random) => {
    const series = drawBars(random);
    const chained: number[][] = [];
    for (const { points } of series.rows) {
      const open = chained.at(-1)?.[3] ?? (points[0] as number);
      const close = open + Math.round((random() - 0.4) * 40) + 1;
      chained.push([open, Math.max(open, close) + 3, Math.min(open, close) - 3, close]);
    }
    const rows = chained.map(([o = 0, h = 0, l = 0, c = 0], i) =>
      [new Date(series.rows[i]?.ms ?? 0).toISOString(), ...[c, h, l, o].map((each) => price(series, each))].join(),
    );
    return { name: "EURUSD", text: rows.join("\n"), ...refused(/like a close/) };
  },
  "32nds": (random) => {
    const row = (i: number) =>
      `2024-01-31 17:${pad(i)},110'${pad(Math.floor(random() * 32))},110'${pad(Math.floor(random() * 32))}`;
    return {
      name: "EURUSD",
      text: ["time,bid,ask", ...Array.from({ length: 9 }, (_, i) => row(i))].join("\n"),
      ...refused(/32nds/),
    };
  },
  "a contract": (random) => {
    const series = drawBars(random, "BTCUSD");
    const symbol = pick(random, ["BTCUSD_PERP", "BTCUSD_240329", "BTC-USD-PERP", "BTCUSD_Z24"]);
    const rows = bars({ ...series, symbol });
    return { name: symbol, text: csv(series, String), rows, ...must };
  },
  "JSON of objects": (random) => {
    const series = drawBars(random);
    const text = json(series, (all) =>
      all.map(({ t, o, h, l, c, v }) => ({ timestamp: t, open: o, high: h, low: l, close: c, volume: v })),
    );
    return { name: "EURUSD", text, ending: ".json", rows: bars(series), ...must };
  },
  "JSON of arrays": (random) => {
    const series = drawBars(random);
    const text = json(series, (all) => all.map(({ t, o, h, l, c, v }) => [t, o, h, l, c, v]));
    return { name: "EURUSD", text, ending: ".json", rows: bars(series), ...must };
  },
  "JSON below a name": (random) => {
    const series = drawBars(random);
    const text = json(series, (results) => ({ ticker: "C:EURUSD", status: "OK", results: [...results].reverse() }));
    return { name: "prices", text, ending: ".json", rows: bars(series), ...must };
  },
  "JSON of columns": (random) => {
    const series = drawBars(random);
    const text = json(series, (all) =>
      Object.fromEntries("tohlcv".split("").map((key) => [key, all.map((row) => row[key])])),
    );
    return { name: "EURUSD", text, ending: ".json", rows: bars(series), ...must };
  },
};

/** One odd file, drawn by its seed: half of them are put together at random. */
export function writeOdd(seed: number): WrittenFile {
  const random = createRandom(seed + 7_000_000);
  const kinds = Object.keys(KINDS);
  const kind = seed % 2 === 0 ? "put together" : (kinds[((seed - 1) / 2) % kinds.length] as string);
  const {
    name,
    text,
    ending = ".csv",
    ...odd
  } = kind === "put together" ? compose(random) : (KINDS[kind] as (random: Random) => Odd)(random);
  const encoding = pick(
    random,
    ENCODINGS.filter((each) => each !== "latin1"),
  );
  const packing = ending === ".csv" ? pick(random, PACKINGS) : "plain";
  const [file, bytes] = pack(encode(text, encoding), name, packing);
  const path = ending === ".csv" ? file : `${name}${ending}`;
  const rows: readonly Row[] = odd.rows;
  return {
    path,
    bytes,
    ...odd,
    rows,
    refused: {},
    mayDoubt: false,
    isDamaged: false,
    drawn: { seed, kind, encoding, packing, path, text },
  };
}
