import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { openLeanRows } from "@/lib/feeds/replay/folders";

function readAll(csv: string, level: 0 | 6 = 6) {
  const rows = openLeanRows(zipSync({ "day.csv": strToU8(csv) }, { level }));
  const read: [number, number, number][] = [];
  while (rows.next()) read.push([rows.ms, rows.bid, rows.ask]);
  return { read, malformed: rows.malformed };
}

describe("openLeanRows", () => {
  test("reads milliseconds, bid and ask, fractions included", () => {
    expect(readAll("292,1.38676,1.38686\r\n46199.2042,1284.065,1284.405").read).toEqual([
      [292, 1.38676, 1.38686],
      [46199.2042, 1284.065, 1284.405],
    ]);
  });

  test("counts malformed rows and continues", () => {
    const bad = ["time,bid,ask", "1,2", "1,2,3,4", "1,,3", "-1,2,3", "1,1e5,2", "1,NaN,2", "86400000,1,2", "1.2.3,1,2"];
    expect(readAll(["5,1,2", ...bad, "", "6,1,2", "\u0000\u00ff"].join("\n"))).toEqual({
      read: [
        [5, 1, 2],
        [6, 1, 2],
      ],
      malformed: bad.length + 1,
    });
  });

  test("reads an uncompressed archive too", () => {
    expect(readAll("1,2,3\n", 0).read).toEqual([[1, 2, 3]]);
  });

  test("reads every number exactly as the decimal it was written as", () => {
    const price = fc.tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 0, max: 6 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(86_399_999), price, price), { maxLength: 300 }), (ticks) => {
        const text = ([points, digits]: [number, number]) => (points / 10 ** digits).toFixed(digits);
        const lines = ticks.map(([ms, bid, ask]) => `${ms},${text(bid)},${text(ask)}`);
        const expected = ticks.map(([ms, bid, ask]) => [ms, Number(text(bid)), Number(text(ask))]);
        expect(readAll(lines.join("\n")).read).toEqual(expected);
      }),
    );
  });

  test("throws on a file that is not an archive, and on a truncated one", () => {
    expect(() => openLeanRows(strToU8("ms,bid,ask")).next()).toThrow("not a zip archive");
    expect(() => openLeanRows(new Uint8Array(0)).next()).toThrow("not a zip archive");
    const whole = zipSync({
      "day.csv": strToU8(Array.from({ length: 9_999 }, (_, i) => `${i * 7},1.${i},2`).join("\n")),
    });
    const rows = openLeanRows(whole.subarray(0, whole.length / 2));
    expect(() => {
      while (rows.next());
    }).toThrow();
  });
});
