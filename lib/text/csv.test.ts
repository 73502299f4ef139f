import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCsv } from "@/lib/text/csv";

test("Cells with commas, quotes and line ends are quoted.", () => {
  const csv = formatCsv(
    ["a", "b"],
    [
      ["x,y", 'say "no"'],
      ["line\nend", ""],
      ["", -1.5],
    ],
  );
  expect(csv).toBe('a,b\r\n"x,y","say ""no"""\r\n"line\nend",\r\n,-1.5\r\n');
});

test("Texts that a spreadsheet would read as formulas get an apostrophe.", () => {
  const cells = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "a=b"];
  expect(
    formatCsv(
      ["text"],
      cells.map((cell) => [cell]),
    ).split("\r\n"),
  ).toEqual(["text", "'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx", "a=b", ""]);
});

test("Every table of plain texts is read back as it was.", () => {
  const cell = fc.string().filter((text) => !/^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20\uFEFF]/.test(text));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, fc.constant("end"))), (rows) => {
      const options = { from_line: 1, record_delimiter: "\r\n" };
      expect(parse(formatCsv(["one", "two", "three"], rows), options)).toEqual([["one", "two", "three"], ...rows]);
    }),
  );
});

test("A small number has no exponent", () => {
  expect(formatCsv(["a", "b", "c"], [[0.0000004, -1e-10, 0]])).toBe("a,b,c\r\n0.0000004,-0.0000000001,0\r\n");
});
