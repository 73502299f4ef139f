import { join } from "node:path";
import { expect, test } from "vitest";
import { openPriceFiles } from "@/lib/feeds/files/open-price-file";
import type { TextOptions } from "@/lib/feeds/files/text-layout";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";

/** The first row and what is told of a text. */
function read(text: string, options: TextOptions & { readonly clock?: string } = {}) {
  const { clock, ...said } = options;
  const [file] = openPriceFiles(join(writeFiles({ "x.csv": text }), "x.csv"), said).files;
  if (file === undefined) throw new Error("There is no file.");
  const { rows } = file.open(clock ?? file.zone ?? "UTC", clock !== undefined);
  const found: unknown[] = [];
  while (rows.next()) {
    const { fault, timeMs, bid, ask, open, high, low, close, volume } = rows;
    const time = new Date(timeMs).toISOString().slice(0, 19);
    found.push(fault ?? (file.kind === "ticks" ? [time, bid, ask] : [time, open, high, low, close, volume]));
  }
  return {
    first: found[0],
    last: found.at(-1),
    count: found.length,
    zone: file.zone,
    text: file.text,
    columns: file.columns,
  };
}

const FIVE = "2024-01-31T17:00:00";
const TICK = [FIVE, 1.1, 1.1001];
const BAR = [FIVE, 1.1, 1.3, 1, 1.2];
const lines = (heading: string, ...rows: readonly string[]) => [heading, ...rows].join("\n");

test.each([
  ["a compact time with an offset", "20240131 120000-0500"],
  ["one number with an offset", "20240131120000-0500"],
  ["an offset of hours", "2024-01-31 19:00+02"],
  ["an offset and the name of a zone, as Go writes it", "2024-01-31 19:00:00 +0200 EET"],
  ["a date of JavaScript", "Wed Jan 31 2024 19:00:00 GMT+0200 (Eastern European Standard Time)"],
  ["an offset that is named", "31.01.2024 18:00:00 GMT+0100"],
  ["an abbreviation with one meaning", "2024-01-31 12:00:00 EST"],
  ["a zone behind the offset", "2024-01-31T19:00:00+02:00[Europe/Athens]"],
  ["seconds", "1706720400"],
  ["seconds as a decimal", "1706720400.0"],
  ["milliseconds as a decimal", "1706720400000.0"],
  ["microseconds", "1706720400000000"],
  ["nanoseconds", "1706720400000000000"],
  ["an exponent as Java writes it", "1.7067204E12"],
  ["an exponent with all digits", "1.706720400000000000e+12"],
])("A time is read that is written as %s.", (_, time) => {
  const { first, text } = read(lines("time,bid,ask", `${time},1.1,1.1001`));
  expect(first).toEqual(TICK);
  expect(text?.hasOffsets).toBe(true);
});

test.each(["983786400", "983786400000", "983786400000000", "983786400000000000"])(
  "Unix time of 2001 has a digit less: %s",
  (time) => {
    expect(read(lines("time,bid,ask", `${time},1.1,1.1001`)).first).toEqual(["2001-03-05T10:00:00", 1.1, 1.1001]);
  },
);

test.each(["31JAN2024:17:00:00", "2024-Jan-31 17:00", "January 31, 2024 5:00 PM", "2024.01.31D17:00:00.000000000"])(
  "The time %s of another program is read.",
  (time) => {
    expect(read(lines("time;bid;ask", `${time};1.1;1.1001`)).first).toEqual(TICK);
  },
);

test.each([
  "31 marraskuu 2024 17:00",
  "2024-01-31 17:00 1",
  "2024-01-31 17:00:00 CST",
  "20240131 120000 0500",
  "1.70672E+12",
  "2024-01-31 24:00",
])("The time %s is not guessed.", (time) => {
  expect(read(lines("time,bid,ask", `${time},1.1,1.1001`)).first).toBe("a time like 2024-01-31 23:59:58.123");
});

test.each([
  ["31/01/24 17:00"],
  ["01/31/24 5:00 PM"],
  ["24-01-31 17:00"],
  ["31.01.24 17:00:00"],
  ["240131 170000"],
  ["1/31/2024, 5:00:00\u202fPM"],
  ["2024-01-31\u00a017:00"],
  ["31/01/2024 5:00 p.\u00a0m."],
])("The time %s is read.", (time) => {
  expect(read(lines("time;bid;ask", `${time};1.1;1.1001`)).first).toEqual(TICK);
});

test("The order of two digits of the year is that in which dates lie close together, or it is asked for.", () => {
  const DAY = ["2021-02-03T17:00:00", 1.1, 1.1001];
  const row = (date: string) => `${date} 17:00,1.1,1.1001`;
  expect(() => read(lines("time,bid,ask", row("03/02/21")))).toThrow("like 03/02/21, do not tell the day");
  expect(read(lines("time,bid,ask", row("03/02/21")), { dateOrder: "day-month" }).first).toEqual(DAY);
  const found = (...dates: string[]) => read(lines("time,bid,ask", ...dates.map(row))).first;
  expect(found("03/02/21", "04/02/21")).toEqual(DAY);
  expect(found("02/03/21", "02/04/21")).toEqual(DAY);
  expect(found("21/02/03", "21/02/04")).toEqual(DAY);
  const split = read(lines("date,time,bid,ask", "310124,17:00,1.1,1.1001"));
  expect(split.first).toEqual(TICK);
});

test.each([
  ["638423136000000000", "of 2024 as ticks of .NET"],
  ["133511904000000000", "of 2024 as a FILETIME of Windows"],
  ["728413200", "of 2024 as seconds since 2001"],
  ["760035600000000", "of 2024 as a time since 2000"],
])("The number %s is no Unix time: it would be %s.", (time, sentence) => {
  expect(() => read(lines("time,bid,ask", `${time},1.1,1.1001`))).toThrow(sentence);
});

test.each([
  ["x.csv", "Time GMT-3,bid,ask\n2024-01-31 14:00,1.1,1.1001", "UTC-3"],
  ["x.csv", "Time (UTC+2),bid,ask\n2024-01-31 19:00,1.1,1.1001", "UTC+2"],
  ["x_GMT+2_US-DST.csv", "time,bid,ask\n2024-01-31 19:00,1.1,1.1001", "America/New_York+7"],
  ["x_UTC+3.csv", "2024.01.31,20:00,1.1,1.1,1.1,1.1,5", "UTC+3"],
  ["x.csv", "# timezone: Asia/Tokyo\ntime,bid,ask\n2024-02-01 02:00,1.1,1.1001", "Asia/Tokyo"],
  ["x.csv", "time,bid,ask\n20240131 12:00:00 US/Eastern,1.1,1.1001", "US/Eastern"],
  ["x.csv", "date,time,bid,ask\n20240131,12:00:00 ET,1.1,1.1001", "America/New_York"],
  ["x.csv", "time,timezone,bid,ask\n2024-01-31 19:00,Europe/Athens,1.1,1.1001", "Europe/Athens"],
])("The zone that %s with %j states is read: %s.", (name, text, zone) => {
  const [file] = openPriceFiles(join(writeFiles({ [name]: text }), name)).files;
  const { rows } = file!.open(file!.zone ?? "UTC");
  rows.next();
  expect([file!.zone, new Date(rows.timeMs).toISOString().slice(0, 19)]).toEqual([zone, FIVE]);
});

test.each([
  ["x.csv", "time_est,bid,ask\n2024-01-31 17:00,1,2", "its heading time_est has several meanings"],
  ["x.csv", "local_time,bid,ask\n2024-01-31 17:00,1,2", "its times are local ones"],
  ["x_EST.csv", "time,bid,ask\n2024-01-31 17:00,1,2", "its name has several meanings"],
  [
    "x_UTC+3.csv",
    "Time (UTC+2),bid,ask\n2024-01-31 17:00,1,2",
    "its heading Time (UTC+2) says UTC+2, and its name says UTC+3",
  ],
  [
    "x.csv",
    "# timezone: Middle-earth\ntime,bid,ask\n2024-01-31 17:00,1,2",
    "line 1, # timezone: Middle-earth, has several",
  ],
])("The zone of %s with %j is asked for: %s.", (name, text, reason) => {
  const [file] = openPriceFiles(join(writeFiles({ [name]: text }), name)).files;
  expect([file?.zone, file?.text?.zoneReason]).toEqual([null, expect.stringContaining(reason)]);
});

test("Rows of several zones are refused.", () => {
  const text = lines("time,bid,ask", "20240131 12:00:00 US/Eastern,1,2", "20240131 12:00:00 Europe/Athens,1,2");
  expect(() => read(text)).toThrow("several zones, US/Eastern, Europe/Athens");
});

const bars = (...rows: readonly string[]) => rows.join("\n");

test("Rows of MetaTrader 4 with seconds need a zone as those without do, and so do those of NinjaTrader, which end bars.", () => {
  const open = (name: string, text: string) => openPriceFiles(join(writeFiles({ [name]: text }), name)).files[0];
  const seconds = open("x.csv", "2024.01.31,17:00:00,1.1,1.1,1.1,1.1,5");
  expect([seconds?.format, seconds?.zone]).toEqual(["metatrader 4", null]);
  const ninja = open("EURUSD.Last.txt", "20240131 170100;1.1;1.1;1.1;1.1;5");
  expect([ninja?.zone, ninja?.text?.endsReason]).toEqual([null, expect.stringContaining("stamps bars at their ends")]);
  const renamed = open("x.txt", "20240131 170100;1.1;1.1;1.1;1.1;5");
  expect(renamed?.zone).toBeNull();
  const histData = open("x.txt", "20240131 170100;1.1;1.1;1.1;1.1;0");
  expect([histData?.format, histData?.zone, histData?.text?.endsReason]).toEqual([
    "histdata",
    "America/New_York",
    null,
  ]);
});

test("Bars without a heading whose close comes first are refused, in both orders of time.", () => {
  const rows = [0, 1, 2, 3, 4, 5].map((i) => `2024-01-31 17:0${i},1.10${i + 1},1.109,1.099,1.10${i}`);
  expect(() => read(bars(...rows))).toThrow("its first like a close");
  expect(() => read(bars(...rows.reverse()))).toThrow("its first like a close");
  const right = [0, 1, 2, 3, 4, 5].map((i) => `2024-01-31 17:0${i},1.10${i},1.109,1.099,1.10${i + 1},1.1015`);
  expect(read(bars(...right)).columns?.at(-1)).toEqual({ name: "column 6", field: "-" });
  expect(read(bars(...right.reverse())).count).toBe(6);
});

test("Prices with the sign of a currency are read, those in 32nds refused, and a file without readable rows says what is there.", () => {
  const dollars = read(lines("time,bid,ask", '2024-01-31 17:00,"$2,034.00","$2,034.50"'));
  expect(dollars.first).toEqual([FIVE, 2034, 2034.5]);
  expect(read(lines("time;bid;ask", "2024-01-31 17:00;2.034,00 €;2.034,50 €")).first).toEqual([FIVE, 2034, 2034.5]);
  for (const price of ["110'08", "110-08+", "110'085"])
    expect(() => read(lines("time,bid,ask", `2024-01-31 17:00,${price},${price}`))).toThrow("are in 32nds");
  expect(read(lines("time,bid,ask", "2024-01-31 17:00,110'089,110'094")).first).toEqual([FIVE, 110089, 110094]);
  expect(() => read(lines("time,bid,ask", "2024-01-31 17:00,one,two"))).toThrow("line 2 is 2024-01-31 17:00,one,two");
});

test.each([
  ["a timestamp beside a date", "timestamp,date,bid,ask", "1706720400000,2024-01-31 17:00:00,1.1,1.1001"],
  ["a terminal's two times", "time,bid,ask,time_msc", "1706720400,1.1,1.1001,1706720400000"],
  ["a date and a time", "<DTYYYYMMDD>,<TIME>,<BID>,<ASK>", "20240131,170000,1.1,1.1001"],
  ["a date and a time to the millisecond", "Date,Time,Bid,Ask", "20240131,170000000,1.1,1.1001"],
  ["row numbers", ",time,bid,ask", "0,2024-01-31 17:00,1.1,1.1001"],
  ["row numbers without a heading", "time,bid,ask", "1,2024-01-31 17:00,1.1,1.1001"],
  ["times without a heading", ",bid,ask", "2024-01-31 17:00,1.1,1.1001"],
  ["the ask first", "Time,Ask,Bid", "2024-01-31 17:00,1.1001,1.1"],
  ["blanks between fields", "time bid ask", "2024-01-31T17:00  1.1 1.1001"],
])("Columns are told by their meaning: %s", (_, heading, row) => {
  expect(read(lines(heading, row)).first).toEqual(TICK);
});

test.each([
  ["Time (EET),Open,High,Low,Close,Volume ", "EET", "2024-01-31T15:00:00"],
  ["Time (UTC+2),Open,High,Low,Close,Volume", "UTC+2", "2024-01-31T15:00:00"],
  ["Gmt time,Open,High,Low,Close,Volume", "UTC", FIVE],
])("The heading %s tells the zone %s.", (heading, zone, time) => {
  const found = read(lines(heading, "2024.01.31 17:00:00,1.1,1.3,1.0,1.2,5.5"));
  expect([found.zone, found.first]).toEqual([zone, [time, 1.1, 1.3, 1, 1.2, 6]]);
});

test("A heading that names a clock with several meanings needs a zone.", () => {
  const [file] = openPriceFiles(
    join(writeFiles({ "x.csv": "Time (EST),bid,ask\n2024-01-31 17:00,1,2" }), "x.csv"),
  ).files;
  expect([file?.zone, file?.text?.zoneReason]).toEqual([null, "its heading Time (EST) has several meanings"]);
});

test("A clock is taken in place of the offset that a vendor states.", () => {
  const text = lines("time,bid,ask", "2024-01-31 19:00:00+00:00,1.1,1.1001");
  expect(read(text, { clock: "Europe/Athens" }).first).toEqual(TICK);
});

test.each([
  [
    "thousands in quotes",
    '"2024-01-31 17:00","2,034.50","2,034.84","2,033.4","2,034.7","1,293"',
    [2034.5, 2034.84, 2033.4, 2034.7, 1293],
  ],
  ["a decimal comma", "2024-01-31 17:00;1,1;1,3;1,0;1,2;5", [1.1, 1.3, 1, 1.2, 5]],
  ["points between thousands", "2024-01-31 17:00;2.034,50;2.035;2.033,4;2.034,7;5", [2034.5, 2035, 2033.4, 2034.7, 5]],
  [
    "apostrophes between thousands",
    "2024-01-31 17:00;2'034.50;2'035.0;2'033.4;2'034.7;5",
    [2034.5, 2035, 2033.4, 2034.7, 5],
  ],
  ["thousands of the volume alone", '"2024-01-31 17:00","1.1","1.3","1.0","1.2","1,293"', [1.1, 1.3, 1, 1.2, 1293]],
  ["a shortened volume", "2024-01-31 17:00;1.1;1.3;1.0;1.2;1.5K", [1.1, 1.3, 1, 1.2, 1500]],
])("Numbers are read with %s.", (_, row, values) => {
  const delimiter = row.includes(";") ? ";" : ",";
  expect(read(lines(["time", "open", "high", "low", "close", "volume"].join(delimiter), row)).first).toEqual([
    FIVE,
    ...values,
  ]);
});

test("A comma that may stand before decimals or between thousands needs the option.", () => {
  const text = lines("time,bid,ask", '"2024-01-31 17:00","151,234","151,240"');
  expect(() => read(text)).toThrow("give --decimal , or --decimal .");
  expect(read(text, { decimal: "," }).first).toEqual([FIVE, 151.234, 151.24]);
  expect(read(text, { decimal: "." }).first).toEqual([FIVE, 151_234, 151_240]);
});

test("Both signs before decimals in one file contradict each other.", () => {
  expect(() => read(lines("time;bid;ask", "2024-01-31 17:00;1,1;1.1001"))).toThrow("both a point and a comma");
});

test("The order of day and month is told by any date of the file, else by the option.", () => {
  const row = (date: string) => `${date} 17:00,1.1,1.1001`;
  const open = lines("time,bid,ask", ...Array.from({ length: 1_200 }, () => row("02/01/2024")));
  expect(() => read(open)).toThrow("give --dates day-month or --dates month-day");
  expect(read(open, { dateOrder: "day-month" }).first).toEqual(["2024-01-02T17:00:00", 1.1, 1.1001]);
  const told = read(`${open}\n${row("02/13/2024")}`);
  expect([told.first, told.text?.notes]).toEqual([
    ["2024-02-01T17:00:00", 1.1, 1.1001],
    ["line 1202 tells that in its dates the month comes first"],
  ]);
  const dots = read(lines("time,bid,ask", row("02.01.2024")));
  expect([dots.first, dots.text?.notes]).toEqual([
    ["2024-01-02T17:00:00", 1.1, 1.1001],
    ["in its dates with dots the day is taken to come first"],
  ]);
  expect(() => read(lines("time,bid,ask", row("13/02/2024"), row("02/13/2024")))).toThrow("contradict each other");
});

test("Times of day without their leading zeros are read by their longest, or refused.", () => {
  const rows = ["0", "100", "5900", "10000"].map((time) => `20240131,${time},1.1,1.1001`);
  expect(read(lines("date,time,bid,ask", ...rows)).count).toBe(4);
  const hours = ["0", "100", "2300"].flatMap((time) => [`20240131,${time},1,2`, `20240201,${time},1,2`]);
  expect(read(lines("date,time,bid,ask", ...hours)).first).toEqual(["2024-01-31T00:00:00", 1, 2]);
  expect(() => read(lines("date,time,bid,ask", "20240131,0,1,2", "20240131,100,1,2"))).toThrow(
    "500 may be 05:00 or 00:05",
  );
});

test.each([
  ["the lower price is the bid", ["17:00:00,1.1001,1.1,1.5,0.7", "17:00:01,1.1002,1.1,1.5,0.7"], TICK],
  ["values are those of bars", ["17:00:00,1.1,1.3,1.0,1.2,7"], [...BAR, 7]],
])("Without a heading, %s.", (_, rows, first) => {
  const found = read(rows.map((row) => `2024-01-31 ${row}\n`).join(""));
  expect([found.first, found.text?.notes.length]).toEqual([first, 1]);
});

test("Without a heading, rows that do not tell the bid need the option.", () => {
  const text = ["1.1,1.1001", "1.1001,1.1", "1.1,1.1001", "1.1001,1.1"]
    .map((row) => `2024-01-31 17:00,${row}`)
    .join("\n");
  expect(() => read(text)).toThrow("give their order with --columns");
  expect(read(text, { columns: "time,ask,bid" }).first).toEqual([FIVE, 1.1001, 1.1]);
  expect(() => read(text, { columns: "time,ask" })).toThrow("--columns names 2 fields, and its rows have 3");
});

test("Rows that the end of a text may cut are refused, or noted where only a volume may be cut.", () => {
  const text = (heading: string, ...rows: readonly string[]) => read(lines(heading, ...rows));
  const rows = (count: number, row: string) => Array.from({ length: count }, () => row);
  // Trailing zeros are left out, so that 1.10 may be 1.1001.
  expect(text("time,bid,ask", ...rows(3, `${FIVE},1.1,1.1001`), `${FIVE},1.1,1.10`).last).toContain("a whole row");
  expect(text("bid,ask,time", ...rows(3, "1.1,1.1001,2024-01-31 17:05"), "1.1,1.1001,2024-01-31 17:0").last).toContain(
    "a whole row",
  );
  const symbols = text("time,bid,ask,symbol", ...rows(3, `${FIVE},1.1,1.1001,EURUSD`), `${FIVE},1.1,1.1001,EURUS`);
  expect(symbols.last).toContain("a whole row");
  const bars = text("time,open,high,low,close,volume", ...rows(3, `${FIVE},1,2,1,2,125`), `${FIVE},1,2,1,2,12`);
  expect(bars.last).toEqual([FIVE, 1, 2, 1, 2, 12]);
  expect(bars.text?.notes).toEqual(["the last row is whole: no line break ends it, so that its volume may be cut"]);
});

test("A row without a symbol is of none where a text has several.", () => {
  const rows = ["EURUSD", "", "GBPUSD", "# a note"].map((symbol) => `${symbol},${FIVE},1.1,1.1001\n`).join("");
  const [file] = openPriceFiles(
    join(writeFiles({ "x.csv": `symbol,time,bid,ask\n${rows}; a comment\n` }), "x.csv"),
  ).files;
  const faults = (file?.series ?? []).map((each) => {
    const { rows: found } = each.open("UTC");
    const all: unknown[] = [];
    while (found.next()) all.push(found.fault);
    return [each.symbol, all];
  });
  expect(faults).toEqual([
    ["EURUSD", [null, "a symbol", "a time"]],
    ["GBPUSD", [null]],
    ["# a note", [null]],
  ]);
});

test("A row with more fields than the others is refused, one without its last volume is read.", () => {
  const text = lines(
    "time,bid,ask,volume",
    `${FIVE},1.1,1.1001,5`,
    `${FIVE},1.1,1.1001`,
    `${FIVE},1,1000,1,1001,5`,
    `${FIVE},1.1,1.1001,5`,
  );
  const [file] = openPriceFiles(join(writeFiles({ "x.csv": text }), "x.csv")).files;
  const { rows } = (file as NonNullable<typeof file>).open("UTC");
  const faults: unknown[] = [];
  while (rows.next()) faults.push(rows.fault);
  expect(faults).toEqual([null, null, "4 fields", null]);
});

test.each([
  [
    "dates with a time of day beside times",
    "Date,Time,Bid,Ask\n2024-01-31 00:00:00,17:00,1,2\n2024-01-31 00:00:00,17:01,1,2",
    "times of day are in Time",
  ],
  [
    "a decimal sign that also separates",
    "time,bid,ask\n2024-01-31 17:00,1,1000,1,1001",
    "do not fit its rows of 5 fields",
  ],
  [
    "dates alone",
    "Date,Hour,Bid,Ask\n2024-01-31,17,1,2\n2024-01-31,18,1,2",
    "no column that is known has their time of day",
  ],
  ["the ends of bars", "close_time,open,high,low,close\n2024-01-31T17:01:00Z,1,2,1,2", "at which bars end"],
  [
    "seconds of the day",
    "date,time,bid,ask\n20240131,61200,1,2\n20240131,61261,1,2",
    "like 61261, are no hours, minutes and seconds",
  ],
  ["only asks", "time,askopen,askhigh,asklow,askclose\n2024-01-31 17:00,1,2,1,2", "its headings are time, askopen"],
  ["a price twice", "time,bid,bid,ask\n2024-01-31 17:00,1,1,2", "bid twice"],
])("A text with %s is refused.", (_, text, sentence) => {
  expect(() => read(text)).toThrow(sentence);
});

test.each([
  ["Datum;Zeit;Symbol;Geld;Brief", "31.01.2024;17:00;EURUSD;1,1;1,1001"],
  ["Ortszeit (UTC);Bid;Ask", "31.01.2024 17:00;1,1;1,1001"],
  ["Fecha;Hora;Compra;Venta", "31/01/2024;17:00;1,1;1,1001"],
  ["Время (UTC);Бид;Аск", "31.01.2024 17:00;1,1;1,1001"],
  ["日時（UTC）,売値,買値", "2024/01/31 17:00,1.1,1.1001"],
])("Ticks with the headings %s are read.", (heading, row) => {
  expect(read(lines(heading, row)).first).toEqual(TICK);
});

test.each([
  ["Datum;Eröffn.;Hoch;Tief;Zuletzt;Vol.", [0, 1, 2, 3]],
  ["Fecha;Último;Apertura;Máximo;Mínimo;Vol.", [3, 0, 1, 2]],
  ["Date;Dernier;Ouv.; Plus Haut;Plus Bas;Vol.", [3, 0, 1, 2]],
  ["Data;Último;Abertura;Máxima;Mínima;Vol.", [3, 0, 1, 2]],
  ["Data;Ultimo;Apertura;Massimo;Minimo;Vol.", [3, 0, 1, 2]],
  ["Дата;Цена;Откр.;Макс.;Мин.;Объём", [3, 0, 1, 2]],
  ["日期;收盘;开盘;高;低;交易量", [3, 0, 1, 2]],
  ["日付け;終値;始値;高値;安値;出来高", [3, 0, 1, 2]],
  ["Tarih;Şimdi;Açılış;Yüksek;Düşük;Hac.", [3, 0, 1, 2]],
  ["Data;Ostatnio;Otwarcie;Max.;Min.;Wol.", [3, 0, 1, 2]],
] as const)("Bars with the headings %s are read in their order.", (heading, order) => {
  const prices = ["1.1", "1.3", "1.0", "1.2"];
  const row = ["2024-01-31 17:00", ...order.map((at) => prices[at]), "6"].join(";");
  expect(read(lines(heading, row)).first).toEqual([FIVE, 1.1, 1.3, 1, 1.2, 6]);
});

test.each([
  ["Zeit UTC+2", "UTC+2"],
  ["Hora (GMT-3)", "UTC-3"],
  ["Время МСК", "Europe/Moscow"],
  ["Hora local", null],
])("The heading %s in another language states the zone %s.", (heading, zone) => {
  expect(read(lines(`${heading};bid;ask`, "2024-01-31 17:00;1.1;1.1001")).zone).toBe(zone);
});

test("Of two times of a quote, the market's comes before the tape's, and the plan says so.", () => {
  const heading = "sip_timestamp,ask_price,participant_timestamp,bid_price";
  const { first, text } = read(lines(heading, "1706720400005000000,1.1001,1706720400000000000,1.1"));
  expect(first).toEqual(TICK);
  expect(text?.notes).toEqual(["times are read from participant_timestamp, not from sip_timestamp"]);
  expect(read(lines("sip_timestamp,bid_price,ask_price", "1706720400000000000,1.1,1.1001")).first).toEqual(TICK);
});

test("--columns names what columns are, and the heading still tells the zone, the format and the sources.", () => {
  const rows = ["2024-01-31 19:00,1.1001,1.1,broker"];
  const given = { columns: "time,ask,bid,-" };
  const { first, zone, columns } = read(lines("Time GMT+2,Kaufkurs,Verkaufskurs,source", ...rows), given);
  expect([first, zone]).toEqual([["2024-01-31T17:00:00", 1.1, 1.1001], "UTC+2"]);
  expect(columns?.map(({ name, field }) => `${field} ${name}`)).toEqual([
    "time Time GMT+2",
    "ask Kaufkurs",
    "bid Verkaufskurs",
    "- source",
  ]);
  expect(read(lines("Time GMT+2,a,b,c", ...rows), { columns: "Time (UTC+3),ask,bid,-" }).zone).toBe("UTC+3");
  const server = "<DATE>,<TIME>,<BID>,<ASK>";
  expect(read(lines(server, "2024.01.31,17:00:00,1.1,1.1001"), { columns: "date,time,bid,ask" }).zone).toBeNull();
});
