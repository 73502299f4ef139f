import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { readFileTable } from "@/lib/feeds/files/file-table";
import { writeParquet } from "@/lib/feeds/files/parquet.fixture";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";

function read(name: string, content: string | Uint8Array, member?: string) {
  const path = join(writeFiles({ [name]: content }), name);
  const table = readFileTable(path, member === undefined ? path : join(path, member), {});
  return table === null ? null : [table.columns.map((column) => `${column.name}: ${column.field}`), table.rows];
}

test("A file that cannot be imported has its columns, what each looks like, and its first rows.", () => {
  const rows = ["31.01.2024;17:00:00;1,1;1,1001", "31.01.2024;17:00:01;1,1;1,1002"];
  expect(read("x.csv", ["Tag des Kurses;Zeit;Geld;Kurs B", ...rows].join("\n"))).toEqual([
    ["Tag des Kurses: -", "Zeit: time", "Geld: bid", "Kurs B: -"],
    rows.map((row) => row.split(";")),
  ]);
  expect(read("x.csv", "1,2,3\n4,5,6\n")?.[0]).toEqual(["column 1: -", "column 2: -", "column 3: -"]);
  expect(read("x.csv", "no table")).toBeNull();
  expect(read("x.csv", "")).toBeNull();
});

test("A file whose columns are known has those, also in an archive and as Parquet.", () => {
  // Without a name that tells its symbol it is refused, and still read.
  const text = "bidopen,time,open,high,low,close\n1,2024-01-31T17:00:00Z,1,1,1,1\n";
  const columns = ["bidopen: open", "time: time", "open: -", "high: high", "low: low", "close: close"];
  expect(read("x.csv", text)?.[0]).toEqual(columns);
  const archive = zipSync({ "readme.txt": strToU8("nothing"), "a/EURUSD.csv": strToU8("time,bid,ask\n1,1,1\n") });
  expect(read("x.zip", archive, "a/EURUSD.csv")?.[0]).toEqual(["time: time", "bid: bid", "ask: ask"]);
  const parquet = writeParquet([
    { name: "when", data: [new Date(Date.UTC(2024, 0, 31))], type: "TIMESTAMP" },
    { name: "symbol", data: ["EURUSD"], type: "STRING" },
    { name: "bid", data: [1.1], type: "DOUBLE" },
  ]);
  expect(read("x.parquet", parquet)).toEqual([
    ["when: -", "symbol: symbol", "bid: bid"],
    [[expect.stringMatching(/^1706659200/), "EURUSD", "1.1"]],
  ]);
});
