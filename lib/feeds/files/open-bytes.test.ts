import { join } from "node:path";
import { gzipSync, strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { openPriceFiles } from "@/lib/feeds/files/open-price-file";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";

const listRows = (from: number, count = 20) =>
  Array.from({ length: count }, (_, i) => `2024-01-31T17:${String(from + i).padStart(2, "0")}:00Z,1.1,1.1001`).join(
    "\n",
  );
const TICKS = `time,bid,ask\n${listRows(0)}\n`;

/** The number of rows of each file, and the reasons of what is left out. */
function open(name: string, content: string | Uint8Array) {
  const path = join(writeFiles({ [name]: content }), name);
  const { files, leftOut } = openPriceFiles(path);
  const counts = files.map((file) => {
    const { rows } = file.open("UTC");
    let count = 0;
    while (rows.next()) count += rows.fault === null ? 1 : 0;
    return [file.path.slice(path.length + 1), count];
  });
  return { counts, leftOut: leftOut.map(({ reason, hasPrices }) => [reason.slice(path.length + 1), hasPrices]) };
}

const zip = (files: Readonly<Record<string, string | Uint8Array>>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, typeof text === "string" ? strToU8(text) : text]),
    ),
  );

test("All files of an archive are read, and those without prices are named.", () => {
  const content = { "a/01.csv": TICKS, "02.txt": TICKS, "03.csv.gz": gzipSync(strToU8(TICKS)), "about.txt": "hello" };
  expect(open("EURUSD.zip", zip(content))).toEqual({
    counts: [
      ["a/01.csv", 20],
      ["02.txt", 20],
      ["03.csv.gz", 20],
    ],
    leftOut: [
      ["about.txt: line 1 has no tab, semicolon or comma between fields: expected a csv of ticks or bars", false],
    ],
  });
});

test("A file of an archive that looks like prices and cannot be read is told apart from a text about them.", () => {
  const inner = zip({ "x.csv": TICKS });
  const { counts, leftOut } = open("EURUSD.zip", zip({ "a.csv": TICKS, "b.csv": "hello", "c.zip": inner }));
  expect(counts).toEqual([["a.csv", 20]]);
  expect(leftOut.map(([, hasPrices]) => hasPrices)).toEqual([true, true]);
  expect(leftOut[1]?.[0]).toContain("an archive inside of an archive");
});

test("Files that were compressed one after the other are read whole, as are those that were joined with their headings.", () => {
  const parts = [`time,bid,ask\n${listRows(0)}\n`, `${listRows(20)}\n`].map((text) => gzipSync(strToU8(text)));
  expect(open("EURUSD.csv.gz", Buffer.concat(parts)).counts).toEqual([["", 40]]);
  expect(open("EURUSD.csv", `${TICKS}${TICKS.replaceAll("17:", "18:")}`).counts).toEqual([["", 40]]);
  expect(() => open("EURUSD.csv", `${TICKS}time,ask,bid\n2024-01-31T18:00:00Z,1.1001,1.1\n`)).toThrow(
    "line 22 is another heading",
  );
});

test.each([
  ["UTF-16 with its mark", Buffer.from(`\ufeff${TICKS}`, "utf16le")],
  ["UTF-16 without one", Buffer.from(TICKS, "utf16le")],
  ["UTF-16 in the other order", Buffer.from(`\ufeff${TICKS}`, "utf16le").swap16()],
  ["returns alone", Buffer.from(TICKS.replaceAll("\n", "\r"))],
  ["two returns in each line end", Buffer.from(TICKS.replaceAll("\n", "\r\r\n"))],
  ["a mark of its end behind it", Buffer.from(`${TICKS}\u001a`)],
  ["UTF-16 without its mark, with other letters above", Buffer.from(`Котировки\n${TICKS}`, "utf16le")],
  ["a comment above", Buffer.from(`# exported by a program\nhttps://example.com\n${TICKS}`)],
])("A text in %s is read.", (_, bytes) => {
  expect(open("EURUSD.csv", bytes).counts).toEqual([["", 20]]);
  expect(open("EURUSD.csv.gz", gzipSync(bytes)).counts).toEqual([["", 20]]);
});

test.each([
  ["", "the file is empty"],
  ["\n\n", "the file has no rows"],
  ["time,bid,ask\n", "a heading and no rows"],
  ["<!DOCTYPE html><html></html>", "a web page or XML"],
  ['{"error":"too many requests"}', "JSON"],
  [Buffer.from([0x42, 0x5a, 0x68, 0x39]), "bzip2"],
  [Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8]), "no text"],
  [gzipSync(strToU8("")), "the file has no rows"],
  [gzipSync(strToU8(TICKS)).subarray(0, 60), "ends too early"],
  [zip({ "a.csv": TICKS }).subarray(0, 90), "ends too early"],
  [zip({}), "the archive"],
])("A file that holds %j is refused in a sentence.", (content, sentence) => {
  expect(() => open("EURUSD.csv", content)).toThrow(sentence);
});

test("What a system adds to an archive and hides is neither read nor named.", () => {
  const added = { "__MACOSX/._a.csv": new Uint8Array([0, 5, 22, 7, 0]), ".DS_Store": "x", "b/Thumbs.db": "x" };
  expect(open("EURUSD.zip", zip({ "a.csv": TICKS, ...added }))).toEqual({ counts: [["", 20]], leftOut: [] });
});

test("A damaged archive is refused, also where only its checksum shows it.", () => {
  const packed = Buffer.concat([gzipSync(strToU8(TICKS), { level: 0 }), gzipSync(strToU8(listRows(20)))]);
  packed.write("2", packed.indexOf("1.1001"));
  expect(() => open("EURUSD.csv.gz", packed)).toThrow("checksum");
  const named = zip({ "EURUSD.csv": TICKS, "b.csv": TICKS });
  Buffer.from(named.buffer).write("GBP", Buffer.from(named).lastIndexOf("EURUSD"));
  expect(open("x.zip", named).leftOut).toMatchObject([[expect.stringContaining("two names for one file"), true]]);
  const bytes = zipSync({ "a.csv": [strToU8(TICKS), { level: 0 }] });
  const at = Buffer.from(bytes).indexOf("1.1001");
  bytes[at] = "2".charCodeAt(0);
  expect(() => open("EURUSD.zip", bytes)).toThrow("checksum");
});

test("The last row of a text that is cut inside of it is refused.", () => {
  const cut = (characters: number) => open("EURUSD.csv", TICKS.slice(0, -characters)).counts;
  expect(cut(1)).toEqual([["", 20]]);
  for (const characters of [2, 3, 4, 9]) expect(cut(characters)).toEqual([["", 19]]);
});
