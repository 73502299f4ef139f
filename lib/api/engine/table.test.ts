import { expect, test } from "vitest";
import type { Row } from "@/lib/api/engine/answer";
import { createEtag } from "@/lib/api/engine/etag";
import { defineTable, writeTable } from "@/lib/api/engine/table";
import { formatCsv } from "@/lib/text/csv";

interface Data {
  readonly rows: readonly object[];
}
const table = defineTable<Data>(["name", "value"], ({ rows }) => rows.map((row) => ({ ...row })));
const write = (rows: readonly object[], envelope = true) => {
  const data = { rows };
  return writeTable({ body: JSON.stringify(envelope ? { success: true, data } : data) }, table, "/v1/spread/compare");
};
const writeText = async (rows: readonly object[]) => (await write(rows)).body.toString();

test("Numbers stay numbers, and texts that begin like a formula do not", async () => {
  const text = await writeText([
    { name: "=1+1", value: -1.5 },
    { name: '@a,"b"', value: 2 },
    { name: "+x\ny", value: null },
  ]);
  expect(text).toBe(`name,value\r\n'=1+1,-1.5\r\n"'@a,""b""",2\r\n"'+x\ny",\r\n`);
});

test("The columns are those of the rows, without lists and objects", async () => {
  const rows = [
    { a: 1, list: [1], object: {} },
    { b: true, a: null },
  ];
  expect(await writeText(rows)).toBe("a,b\r\n1,\r\n,true\r\n");
  expect(await writeText([])).toBe("name,value\r\n");
});

test("An answer without envelope is a table as well, with the name of its endpoint and a tag of its own", async () => {
  const handled = await write([{ name: "a" }], false);
  expect(handled.headers).toBe('Content-Disposition: attachment; filename="spread-compare.csv"\r\n');
  expect(handled.etag).toBeUndefined();
  const tagged = await writeTable({ body: '{"rows":[]}', etag: '"json"' }, table, "/v1/x");
  expect(tagged.etag).toBe(createEtag("name,value\r\n"));
});

test("A long table is written over many turns of the event loop, and is the same as one written at once", async () => {
  const count = 5_000;
  const columns = ["at", ...Array.from({ length: 40 }, (_, column) => `column ${column}`)];
  let readInTurn = 0;
  let mostInTurn = 0;
  const rows = Array.from({ length: count }, (_, at): Row => {
    const cells = columns.slice(1).map((name, column) => [name, column % 7 === 0 ? `=${at},${column}` : at / column]);
    const readAt = () => {
      mostInTurn = Math.max(mostInTurn, ++readInTurn);
      return at;
    };
    return Object.defineProperty({ at, ...(Object.fromEntries(cells) as Row) }, "at", { get: readAt });
  });
  let isDone = false;
  const startTurn = () => {
    readInTurn = 0;
    if (!isDone) setImmediate(startTurn);
  };
  startTurn();
  const { body } = await writeTable({ body: "", rows }, table, "/v1/x");
  isDone = true;
  // Each row is read once for its columns and once for its cells.
  expect(mostInTurn).toBeLessThan((2 * count) / 4);
  const cells = rows.map((row) => columns.map((column) => row[column] as string | number));
  expect(body.toString() === formatCsv(columns, cells)).toBe(true);
});
