import { expect, test } from "vitest";
import { createEtag } from "@/lib/api/engine/http/etag";
import { defineTable, writeTable } from "@/lib/api/engine/table";

interface Data {
  readonly rows: readonly object[];
}
const table = defineTable<Data>(["name", "value"], ({ rows }) => rows.map((row) => ({ ...row })));
const write = (rows: readonly object[], envelope = true) => {
  const data = { rows };
  return writeTable({ body: JSON.stringify(envelope ? { success: true, data } : data) }, table, "/v1/spread/compare");
};

test("Numbers stay numbers, and texts that begin like a formula do not", () => {
  const { body } = write([
    { name: "=1+1", value: -1.5 },
    { name: '@a,"b"', value: 2 },
    { name: "+x\ny", value: null },
  ]);
  expect(body).toBe(`name,value\r\n'=1+1,-1.5\r\n"'@a,""b""",2\r\n"'+x\ny",\r\n`);
});

test("The columns are those of the rows, without lists and objects", () => {
  const rows = [
    { a: 1, list: [1], object: {} },
    { b: true, a: null },
  ];
  expect(write(rows).body).toBe("a,b\r\n1,\r\n,true\r\n");
  expect(write([]).body).toBe("name,value\r\n");
});

test("An answer without envelope is a table as well, with the name of its endpoint and a tag of its own", () => {
  const handled = write([{ name: "a" }], false);
  expect(handled.headers).toBe('Content-Disposition: attachment; filename="spread-compare.csv"\r\n');
  expect(handled.etag).toBeUndefined();
  const tagged = writeTable({ body: '{"rows":[]}', etag: '"json"' }, table, "/v1/x");
  expect(tagged.etag).toBe(createEtag("name,value\r\n"));
});
