import { StampReader } from "@/lib/feeds/files/stamp-reader";
import { DATE_ORDERS } from "@/lib/time/iso-time";
import { splitStatedZone } from "@/lib/time/stated-zone";
import { MINUTE_MS } from "@/lib/time/units";

/** What the headings of a csv file, or the names of a Parquet file's columns, say about their values. */

const FIELDS = ["symbol", "date", "time", "bid", "ask", "open", "high", "low", "close", "volume"] as const;
export type Field = (typeof FIELDS)[number];

/** Headings that name each value, in lower case and with letters and digits alone; the best first. */
const ENGLISH: Readonly<Record<Field, readonly string[]>> = {
  symbol: ["symbol", "pair", "instrument", "ticker", "currencypair", "symbolname"],
  date: ["date", "dtyyyymmdd", "day", "tradedate", "gmtdate", "utcdate", "dateutc", "dategmt", "localdate"],
  time: [
    // A terminal's ticks have it beside a less precise time.
    "timemsc",
    "timestamp",
    "time",
    "datetime",
    "dateandtime",
    "ts",
    "tsutc",
    "tsevent",
    "gmttime",
    "localtime",
    "utctime",
    "timeutc",
    "timegmt",
    "datetimeutc",
    "timestamputc",
    "timestampms",
    // When the market made a quote comes before when a tape had it.
    "participanttimestamp",
    "siptimestamp",
    "opentime",
    "starttime",
    "candlestart",
    "unix",
    "unixtime",
    "unixtimestamp",
    "epoch",
    "windowstart",
    "timeperiodstart",
    "ratedatetime",
    "timem",
    "t",
    // The index of a pandas table, if it has no name.
    "indexlevel0",
  ],
  bid: ["bid", "bidprice", "bestbid", "bidpx", "ratebid"],
  ask: ["ask", "askprice", "offer", "bestask", "askpx", "ofr", "rateask"],
  open: ["bidopen", "openbid", "bido", "open", "o", "openprice", "priceopen"],
  high: ["bidhigh", "highbid", "bidh", "high", "h", "max", "highprice", "pricehigh"],
  low: ["bidlow", "lowbid", "bidl", "low", "l", "min", "lowprice", "pricelow"],
  close: ["bidclose", "closebid", "bidc", "close", "c", "closeprice", "priceclose", "last", "price"],
  volume: ["tickvol", "tickvolume", "tickqty", "volume", "vol", "v", "bidvolume", "volumebid", "volumetraded"],
};
/** In German, Spanish, French, Portuguese, Italian, Russian, Chinese, Japanese, Turkish and Polish, without blanks. */
const OTHER_LANGUAGES: Readonly<Record<Field, string>> = {
  symbol:
    "währungspaar handelsinstrument símbolo par instrumento paire symbole coppia strumento simbolo инструмент символ тикер пара 品种 货币对 代码 銘柄 通貨ペア sembol parite para walutowa instrument",
  date: "datum fecha data дата 日期 日付 日付け 年月日 tarih",
  time:
    "zeit uhrzeit zeitstempel datumzeit datumundzeit datumuhrzeit hora fechahora fechayhora heure horodatage dateheure dateetheure ora orario dataora dataeora datahora dataehora " +
    "время датавремя датаивремя 时间 日期时间 時間 時刻 日時 saat zaman tarihsaat godzina czas dataiczas ortszeit",
  bid: "geld geldkurs kaufkurs denaro acheteur compra бид спрос 买价 买入价 売値 alış kupno",
  ask: "brief briefkurs verkaufskurs lettera vendeur venta venda аск предложение 卖价 卖出价 買値 satış sprzedaż",
  open: "eröffnung eröffnungskurs eröffn erster apertura ouverture ouv abertura открытие откр ценаоткрытия 开盘 开盘价 開盤 開盤價 始値 açılış otwarcie",
  high: "hoch höchst höchstkurs tageshoch máximo máxima maximum massimo plushaut haut alto макс максимум максимальная 最高 最高价 高 高値 yüksek enyüksek najwyższy maks",
  low: "tief tiefst tiefstkurs tagestief mínimo mínima minimum minimo plusbas bas bajo baixo мин минимум минимальная 最低 最低价 低 安値 düşük endüşük najniższy",
  close:
    "schluss schlusskurs schliessung zuletzt cierre último clôture dernier fermeture chiusura fechamento fecho закрытие закр ценазакрытия цена " +
    "收盘 收盘价 收盤 收盤價 終値 kapanış şimdi zamknięcie ostatnio",
  volume: "volumen umsatz tickvolumen volumes объём тиковыйобъём 成交量 交易量 出来高 hacim hac wolumen wol",
};
const HEADINGS = Object.fromEntries(
  FIELDS.map((field) => [field, [...ENGLISH[field], ...OTHER_LANGUAGES[field].split(" ").map(toPlain)]]),
) as unknown as Readonly<Record<Field, readonly string[]>>;
/** Volume in a unit, such as "Volume BTC". */
const OTHER_VOLUME = /^(?:volume|vol)(?!ma)[a-z]{3,5}$/;
const PRICES = { ticks: ["bid", "ask"], bars: ["open", "high", "low", "close"] } as const;

/** The column that only our own exports of quotes have. */
const QUOTES_ONLY = "staleafterms";

/** A column of a file. */
export interface FileColumn {
  /** Its heading, or its number. */
  readonly name: string;
  /** What it is read as, in the words of `--columns`. */
  readonly field: Field | typeof UNUSED;
}

/** A column that is not read. */
export const UNUSED = "-";

/** What the columns of a table mean. */
export interface ColumnMeaning {
  readonly kind: "ticks" | "bars";
  /** Index of each value's column; -1 if there is none. */
  readonly at: Readonly<Record<Field, number>>;
  /** The columns of prices. */
  readonly prices: readonly number[];
  /** What was assumed. */
  readonly notes: readonly string[];
}

export function placeFields(
  kind: "ticks" | "bars",
  known: Partial<Record<Field, number>>,
  notes: readonly string[] = [],
): ColumnMeaning {
  const at = Object.fromEntries(FIELDS.map((field) => [field, known[field] ?? -1])) as Record<Field, number>;
  return { kind, at, prices: PRICES[kind].map((field) => at[field]), notes };
}

/** The columns of a table, each with what it is read as. */
export function describeColumns({ at }: ColumnMeaning, names: readonly string[]): FileColumn[] {
  return names.map((name, index) => ({ name, field: FIELDS.find((field) => at[field] === index) ?? UNUSED }));
}

/** In small letters and digits, without accents. */
function toPlain(name: string): string {
  const small = name
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
  return small.replace(/[ıłß]/g, (letter) => ({ ı: "i", ł: "l" })[letter] ?? "ss").replace(/[^\p{L}\p{N}]/gu, "");
}
/** "Time (EET)" and "time_est" as "time"; "[DATE]" as "date". */
function toShort(name: string): string {
  const short = toPlain(name.replace(/[([（].*?[)\]）]/g, "")) || toPlain(name);
  return TIMES.has(short) ? short : toPlain(splitStatedZone(name).name.replace(/[([].*?[)\]]/g, "")) || short;
}

/** What each column is by its own name alone: of a file whose columns do not make ticks or bars. */
export function guessColumns(names: readonly string[]): FileColumn[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const own = [toPlain(name), toShort(name)];
    const field = FIELDS.find((each) => !taken.has(each) && own.some((word) => HEADINGS[each].includes(word)));
    if (field !== undefined) taken.add(field);
    return { name, field: field ?? UNUSED };
  });
}

/**
 * Finds the values of ticks or bars by their names. Throws an Error that starts with `missing`, if one has no name, and
 * lists the names after `listed`.
 */
export function findFields(
  names: readonly string[],
  missing: string,
  listed: string,
  shown: readonly string[] = names,
): ColumnMeaning {
  const whole = names.map(toPlain);
  // An export of quotes would be read as ticks, with those of all brokers mixed.
  if (whole.includes(QUOTES_ONLY)) throw new Error("it has quotes of all sources: expected ticks or bars of one");
  // "Time (EET)" is a time, and "Open (Bid)" a bid's.
  const short = names.map(toShort);
  const find = (field: Field) =>
    HEADINGS[field]
      .map((heading) => (whole.includes(heading) ? whole.indexOf(heading) : short.indexOf(heading)))
      .find((index) => index !== -1) ?? -1;
  const at = Object.fromEntries(FIELDS.map((field) => [field, find(field)])) as Record<Field, number>;
  if (at.volume === -1) at.volume = whole.findIndex((name) => OTHER_VOLUME.test(name));
  const isTimed = at.time !== -1 || at.date !== -1;
  const isTicks = at.bid !== -1 && at.ask !== -1;
  const isBars = at.open !== -1 && at.high !== -1 && at.low !== -1 && at.close !== -1;
  if (!isTimed || (!isTicks && !isBars)) {
    const expected = isTimed ? '"bid" and "ask", or "open", "high", "low" and "close"' : '"time"';
    throw new Error(`${missing} ${expected}: ${listed} ${shown.join(", ").slice(0, 120)}`);
  }
  const others = names.filter((_, index) => index !== at.time && HEADINGS.time.includes(whole[index] as string));
  const notes = at.time === -1 || others.length === 0 ? [] : [noteTime(names[at.time] as string, others)];
  const meaning = placeFields(isTicks ? "ticks" : "bars", at, notes);
  const [twice] = meaning.prices.filter((column) => whole.indexOf(whole[column] as string, column + 1) !== -1);
  if (twice !== undefined) throw new Error(`${listed} ${names[twice] ?? ""} twice: tell them apart with --columns`);
  return meaning;
}

/**
 * Like `findFields`, for a table whose first rows show which columns are times: of several, the one whose times have an
 * offset, and of a time and a date the two together. A column of times without a name is found by its values.
 */
export function readNames(
  names: readonly string[],
  cells: readonly (readonly string[])[],
  missing: string,
  listed: string,
): ColumnMeaning {
  const plain = names.map(toShort);
  const kinds = names.map((_, index) => {
    const column = cells.map((row) => row[index] ?? "");
    // Six digits are a time of day, but in a column of dates.
    const isDate = HEADINGS.date.includes(plain[index] as string) && column.every((cell) => /^\d{6}$/.test(cell));
    return isDate ? "date" : classifyTimes(column);
  });
  const isNamed = (index: number) =>
    [toPlain(names[index] as string), plain[index] as string].some((name) => TIMES.has(name));
  const rank = (index: number) => TIME_ORDER.indexOf(plain[index] as string);
  const named = names.flatMap((_, index) => (isNamed(index) ? [index] : [])).sort((a, b) => rank(a) - rank(b));
  const unnamed = names.flatMap((_, index) =>
    NAMELESS.test(plain[index] as string) && !isNamed(index) ? [index] : [],
  );
  const whole = (["offset", "full"] as const).flatMap((kind) => named.filter((index) => kinds[index] === kind));
  const byIndex = unnamed.filter((index) => kinds[index] === "offset" || kinds[index] === "full");
  const dateOnly = named.find((index) => kinds[index] === "date") ?? unnamed.find((index) => kinds[index] === "date");
  const clock = named.find((index) => kinds[index] === "clock" || isClockNumber(cells, index));
  const pair =
    dateOnly !== undefined && clock !== undefined && clock !== dateOnly ? { date: dateOnly, time: clock } : null;
  // If a table has no name for its times, only one column may look like them.
  const lookalikes = names.flatMap((_, index) => (isWritten(cells, index, kinds[index] ?? null) ? [index] : []));
  const byValues = named.length + unnamed.length === 0 && lookalikes.length === 1 ? lookalikes : [];
  const [end] = byValues.filter((index) => END.test(plain[index] as string));
  if (end !== undefined) {
    throw new Error(
      `its times, ${names[end] ?? ""}, are those at which bars end: expected those at which they begin; --columns names them`,
    );
  }
  const [chosen] = pair !== null && isClockNumber(cells, pair.time) ? [] : [...whole, ...byIndex, ...byValues];
  const midnights =
    chosen === undefined
      ? []
      : cells.map((row) => /[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?$/.test(row[chosen] ?? ""));
  if (clock !== undefined && cells.length > 1 && midnights.length > 0 && midnights.every(Boolean)) {
    throw new Error(
      `its times of day are in ${names[clock] ?? ""}, but ${names[chosen as number] ?? ""} has one too: expected dates alone there`,
    );
  }
  const times = chosen !== undefined ? { time: chosen } : (pair ?? (dateOnly === undefined ? {} : { time: dateOnly }));
  const others = names.map((name, index) =>
    named.includes(index) || unnamed.includes(index) || index === chosen ? "" : name,
  );
  // Without rows, or with times in no known form, the names decide.
  if (Object.keys(times).length === 0) return findFields(names, missing, listed);
  const found = findFields([...others, "time"], missing, listed, names);
  const notes = [];
  const left = whole.filter((index) => index !== chosen);
  if (chosen !== undefined && left.length > 0) {
    notes.push(
      noteTime(
        names[chosen] ?? "",
        left.map((index) => names[index] ?? ""),
      ),
    );
  }
  if (chosen !== undefined && !isNamed(chosen))
    notes.push(`column ${chosen + 1}, ${names[chosen] || "which has no name"}, has the times`);
  return placeFields(found.kind, { ...found.at, time: -1, date: -1, ...times }, notes);
}

const noteTime = (read: string, others: readonly string[]) =>
  `times are read from ${read}, not from ${others.join(", ")}`;

/** Whether a column has times that are no plain numbers. */
function isWritten(cells: readonly (readonly string[])[], index: number, kind: TimeKind | null): boolean {
  return (kind === "full" || kind === "offset") && cells.every((row) => /\d[-./: T]\d/.test(row[index] ?? ""));
}

const TIME_ORDER = [...HEADINGS.time, ...HEADINGS.date];
const TIMES: ReadonlySet<string> = new Set(TIME_ORDER);
/** The end of a bar. */
const END =
  /^(?:(?:close|end|stop|(?:bar|candle|period)(?:close|end))(?:time|date|at|stamp|utc|ms)+|time(?:period)?(?:close|end))$/;
/** The index of a table, as pandas and R write it. */
const NAMELESS = /^(?:|unnamed\d+|index|indexlevel0|x)$/;

/** Whether the cells are times of day to the millisecond, which look like Unix time. */
function isClockNumber(cells: readonly (readonly string[])[], index: number): boolean {
  return cells.length > 0 && cells.every((row) => /^[0-2]\d[0-5]\d[0-5]\d{4}$/.test(row[index] ?? ""));
}

/** What the cells of a column say of time. */
type TimeKind = "offset" | "full" | "date" | "clock";

const CLOCK = /^\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[ap]\.?m\.?)?(?: ?(?:Z|[+-]\d\d:?\d\d|ET|[A-Z]+\/[\w/+-]+))?$/i;
const readers = DATE_ORDERS.map((dateOrder) => new StampReader({ dateOrder, clockDigits: null, shortYear: dateOrder }));
readers.push(new StampReader({ dateOrder: null, clockDigits: null, shortYear: "year-month" }));

/** The share of cells that must be alike, and the cells that are compared. */
const MOST_ALIKE = 0.8;
const MAX_CLASSIFIED = 60;

/** A time with its offset, a date and a time without one, a date alone or a time of day alone; null for anything else. */
export function classifyTimes(cells: readonly string[]): TimeKind | null {
  const counts = new Map<TimeKind | null, number>();
  const filled = cells.filter((cell) => cell !== "").slice(0, MAX_CLASSIFIED);
  for (const cell of filled) {
    const kind = classifyTime(cell);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const count = (kind: TimeKind) => counts.get(kind) ?? 0;
  const enough = Math.max(1, MOST_ALIKE * filled.length);
  if (count("offset") === filled.length && filled.length > 0) return "offset";
  if (count("offset") + count("full") >= enough) return "full";
  return (["date", "clock"] as const).find((kind) => count(kind) >= enough) ?? null;
}

/** The clock that times with offsets show, such as "UTC+3"; null if their offsets differ. */
export function findOffset(cells: readonly string[]): string | null {
  const found = new Set<number>();
  for (const cell of cells) {
    const bytes = new TextEncoder().encode(cell);
    const reader = readers.find((each) => each.read(bytes, 0, bytes.length, 0, 0));
    if (reader !== undefined) found.add(reader.offsetMs);
  }
  const [offsetMs = NaN] = found;
  if (found.size !== 1) return null;
  const minutes = Math.abs(offsetMs) / MINUTE_MS;
  const rest = minutes % 60 === 0 ? "" : `:${String(minutes % 60).padStart(2, "0")}`;
  return minutes === 0 ? "UTC" : `UTC${offsetMs < 0 ? "-" : "+"}${Math.floor(minutes / 60)}${rest}`;
}

function classifyTime(cell: string): TimeKind | null {
  if (CLOCK.test(cell) || /^\d{1,6}$/.test(cell)) return "clock";
  const bytes = new TextEncoder().encode(cell);
  const reader = readers.find((each) => each.read(bytes, 0, bytes.length, 0, 0));
  if (reader === undefined) return null;
  return !reader.hasClock ? "date" : reader.isUtc ? "offset" : "full";
}

const SOURCE =
  /^(?:source|broker|brokername|exchange|venue|provider|liquidityprovider|lp|dealer|feed|server)(?:name|id)?$/;

/** The columns beside the prices that tell sources of one symbol apart, which was served, and the data mode; -1 for none. */
export function findSourceColumns(names: readonly string[], isUsed: (index: number) => boolean) {
  const find = (pattern: RegExp) =>
    names.findIndex((name, index) => !isUsed(index) && pattern.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")));
  return { source: find(SOURCE), served: find(/^(?:is)?served$/), mode: find(/^(?:data)?mode$/) };
}
