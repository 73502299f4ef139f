import { describe, expect, test } from "vitest";
import { followOffset, followTime, splitHours, toMs } from "./pages.js";

const MINUTE_MS = 60 * 1_000;
const START_MS = Date.UTC(2026, 0, 5);
const rows = Array.from({ length: 7 }, (_, at) => ({ time: new Date(START_MS + at * MINUTE_MS).toISOString() }));

/** Reads rows as a server would: the first of those from a moment. */
const readFrom = (from: string, limit: number) => rows.filter(({ time }) => toMs(time) >= toMs(from)).slice(0, limit);

async function collect<Row>(sequence: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of sequence) all.push(row);
  return all;
}

describe("Rows by time", () => {
  test.each([1, 2, 3, 6, 7, 8])(
    "come once each, %d on a page, where the server does not name the next page",
    async (limit) => {
      const sequence = followTime(START_MS, limit, (from) =>
        Promise.resolve({ rows: readFrom(from, limit), nextFrom: undefined }),
      );
      expect(await collect(sequence)).toEqual(rows);
    },
  );

  test.each([1, 2, 7])("come once each, %d on a page, where the server names it", async (limit) => {
    const sequence = followTime(new Date(START_MS), limit, (from) => {
      const page = readFrom(from, limit);
      const next = rows[rows.indexOf(page.at(-1) as (typeof rows)[0]) + 1];
      return Promise.resolve({ rows: page, nextFrom: next?.time ?? null });
    });
    expect(await collect(sequence)).toEqual(rows);
  });

  test("end if the next page is the same one", async () => {
    const same = () => Promise.resolve({ rows: rows.slice(0, 1), nextFrom: rows[0]?.time ?? null });
    expect(await collect(followTime(START_MS, 1, same))).toHaveLength(1);
  });
});

test("Rows of a list come once each, and no page after the last is read", async () => {
  const offsets: number[] = [];
  const sequence = followOffset(3, (offset) => {
    offsets.push(offset);
    return Promise.resolve({ rows: rows.slice(offset, offset + 3), hasMore: offset + 3 < rows.length });
  });
  expect(await collect(sequence)).toEqual(rows);
  expect(offsets).toEqual([0, 3, 6]);
});

test("A range is split at whole hours", () => {
  expect([...splitHours("2026-01-05T09:30:00Z", "2026-01-05T11:10:00Z")]).toEqual([
    { from: "2026-01-05T09:30:00.000Z", to: "2026-01-05T10:00:00.000Z" },
    { from: "2026-01-05T10:00:00.000Z", to: "2026-01-05T11:00:00.000Z" },
    { from: "2026-01-05T11:00:00.000Z", to: "2026-01-05T11:10:00.000Z" },
  ]);
  expect([...splitHours("2026-01-05", "2026-01-05")]).toEqual([]);
});
