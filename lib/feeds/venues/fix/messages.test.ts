import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { decode, encode, format } from "@/lib/feeds/venues/fix/fix.fixture";
import { FixReader, formatFixTime, readEntryTime, readFixTime, writeMessage } from "@/lib/feeds/venues/fix/messages";

/** Whole messages whose length and checksum were computed by another program. */
const VECTORS = [
  "8=FIX.4.4|9=93|35=A|49=SPOTLINE|56=LMXBDM|34=1|52=20261122-00:50:00.000|98=0|108=30|141=Y|553=demo|554=demo|10=071|",
  "8=FIX.4.4|9=125|35=V|49=SPOTLINE|56=LMXBDM|34=2|52=20261122-00:50:01.000|262=EURUSD-1|263=1|264=1|265=0|267=2|269=0|269=1|146=1|48=4001|22=8|10=242|",
  "8=FIX.4.4|9=169|35=W|49=LMXBDM|56=SPOTLINE|34=2|52=20261122-00:50:01.120|262=EURUSD-1|48=4001|22=8|268=2|269=0|270=1.14667|271=10|272=20261122|273=00:50:01.119|269=1|270=1.14684|271=10|10=104|",
  "8=FIX.4.4|9=89|35=Y|49=LMXBDM|56=SPOTLINE|34=3|52=20261122-00:50:02.000|262=X-1|281=0|58=UNKNOWN_SYMBOL|10=200|",
];
const toBytes = (text: string) => Buffer.from(text.replaceAll("|", "\x01"));
const toBody = (text: string) => text.replace(/^8=[^|]*\|9=\d+\|/, "").replace(/\|10=\d+\|$/, "");
const heartbeat = encode("35=0|34=2");

describe("messages", () => {
  test.each(VECTORS)("%s is read and written alike", (vector) => {
    expect(decode(toBytes(vector))).toEqual({ messages: [toBody(vector)], garbled: 0 });
    const fields = toBody(vector)
      .split("|")
      .map((field) => [Number(field.split("=")[0]), field.split("=")[1] ?? ""] as const);
    expect(writeMessage(fields).toString().replaceAll("\x01", "|")).toBe(vector);
  });

  test("are the same wherever the bytes are split", () => {
    const bytes = Buffer.concat([...VECTORS.map(toBytes), Buffer.from("noise 8=FIX"), ...VECTORS.map(toBytes)]);
    const whole = decode(bytes);
    expect(whole).toEqual({ messages: [...VECTORS, ...VECTORS].map(toBody), garbled: 1 });
    for (let at = 0; at <= bytes.length; at++) {
      expect(decode(bytes.subarray(0, at), bytes.subarray(at)).messages).toEqual(whole.messages);
    }
    expect(decode(...Array.from(bytes, (byte) => Buffer.of(byte))).messages).toEqual(whole.messages);
  });

  test.each([
    ["a wrong checksum", encode("35=0|34=1|10=000")],
    ["a checksum of two digits", encode("35=0|34=1|10=12")],
    ["a length that is too small", encode("9=5|35=0|34=1")],
    ["a length that is too great", encode("9=20|35=0|34=1")],
    ["a length that reaches far beyond the next message", encode("9=5000|35=0|34=1")],
    ["a length that is no number", encode("9=1x|35=0|34=1")],
    ["a length of nothing", encode("9=|35=0|34=1")],
    ["no length", encode("35=0|34=1").subarray(0, 10)],
    ["a type that is not its first field", encode("34=1|35=0")],
    ["no fields", encode("")],
    ["no end", Buffer.from("8=FIX.4.4\x019=169\x0135=W\x0149=LMX")],
    ["no end of its first field", Buffer.from(`8=FIX${"x".repeat(100)}`)],
  ])("with %s are left out, and the next one is read", (_, bytes) => {
    expect(decode(bytes, heartbeat).messages).toEqual(["35=0|34=2"]);
    expect(decode(Buffer.concat([bytes, heartbeat])).messages).toEqual(["35=0|34=2"]);
  });

  test("that are longer than any of a venue end the connection", () => {
    expect(() => decode(Buffer.from("8=FIX.4.4\x019=99999999\x0135=W\x01"))).toThrow("more than");
  });

  test("of any bytes never take more memory than one message, nor break the reader", () => {
    const reader = new FixReader();
    let seed = 1;
    for (let chunk = 0; chunk < 500; chunk++) {
      const bytes = Buffer.from("8=FIX.4.4|9=12|35=0|34=2|10=1".repeat(4).replaceAll("|", "\x01"));
      for (let at = 0; at < 6; at++) {
        seed = (seed * 48_271) % 2_147_483_647;
        bytes[seed % bytes.length] = seed % 251;
      }
      reader.read(bytes, () => {});
    }
    const messages: string[] = [];
    reader.read(Buffer.concat([Buffer.alloc(32), heartbeat]), (message) => messages.push(format(message)));
    expect(messages).toEqual(["35=0|34=2"]);
  });

  test("may have data with any bytes, as long as a field before says", () => {
    const { messages } = decode(encode("35=5|354=5|355=a\x01b=c|58=x"));
    expect(messages).toEqual(["35=5|354=5|355=a\x01b=c|58=x"]);
  });

  test("that another company's program wrote are read, for samples outside of the project", () => {
    const dir = findRealData();
    if (dir === undefined) return;
    const lines = readFileSync(join(dir, "feeds/fix/xtx_like_fix44_samples.txt"), "utf8").trim().split("\n");
    expect(lines.map((line) => decode(toBytes(line)).messages)).toEqual(lines.map((line) => [toBody(line)]));
  });

  test.each([
    ["an end of a field", "a\x01b"],
    ["nothing", ""],
  ])("cannot be written with %s in a value, which is not shown", (_, value) => {
    expect(() => writeMessage([[554, value]])).toThrow(/^the value of the field 554 cannot be sent$/);
  });
});

describe("times", () => {
  test.each([
    ["20261122-00:50:01.120", Date.UTC(2026, 10, 22, 0, 50, 1, 120)],
    ["20261122-00:50:01", Date.UTC(2026, 10, 22, 0, 50, 1)],
    ["20261122-00:50:01.1204567", Date.UTC(2026, 10, 22, 0, 50, 1, 120)],
    ["20261122-23:59:60", Date.UTC(2026, 10, 23)],
    ["20240229-12:00:00.5", Date.UTC(2024, 1, 29, 12, 0, 0, 500)],
    ["20260229-12:00:00", null],
    ["20261301-12:00:00", null],
    ["20261122-24:00:00", null],
    ["20261122 12:00:00", null],
    ["20261122-12:00", null],
    ["20261122-12:00:00.", null],
    ["20261122-12:00:00Z", Date.UTC(2026, 10, 22, 12)],
    ["20261122-12:00:00.123456789Z", Date.UTC(2026, 10, 22, 12, 0, 0, 123)],
    ["20261122-12:00:00.Z", null],
    ["20261122-12:00:00ZZ", null],
    ["", null],
    [undefined, null],
  ])("%j is read", (text, expected) => {
    expect(readFixTime(text)).toBe(expected);
  });

  test("are written to the millisecond", () => {
    expect(formatFixTime(Date.UTC(2026, 10, 22, 0, 50, 1, 7))).toBe("20261122-00:50:01.007");
  });

  const sent = Date.UTC(2026, 10, 22, 0, 50, 1, 120);
  test.each([
    ["20261121", "23:59:59.999", sent, Date.UTC(2026, 10, 21, 23, 59, 59, 999)],
    [undefined, "00:50:01.119", sent, sent - 1],
    ["20261122", "00:50:01.119000001Z", sent, sent - 1],
    [undefined, "23:59:59.999", sent, Date.UTC(2026, 10, 21, 23, 59, 59, 999)],
    [undefined, "00:00:00.100", Date.UTC(2026, 10, 21, 23, 59, 59, 900), Date.UTC(2026, 10, 22, 0, 0, 0, 100)],
    [undefined, "20261122-00:50:01.119", sent, sent - 1],
    [undefined, "00:50:01.119", null, null],
    ["2026112", "00:50:01.119", sent, null],
    ["20261122", "x", sent, null],
    ["20261122", undefined, sent, null],
  ])("of an entry: date %j and time %j", (date, time, sentMs, expected) => {
    expect(readEntryTime(date, time, sentMs)).toBe(expected);
  });
});
