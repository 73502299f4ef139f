import { expect, test } from "vitest";
import { createEtag, createLongEtag, matchesEtag, weakenEtag } from "@/lib/api/engine/etag";

const ETAG = createEtag("a body");

test.each([
  [ETAG, true],
  [weakenEtag(ETAG), true],
  ["*", true],
  [" * ", true],
  [`"other", ${ETAG}`, true],
  [`W/"other",W/${ETAG} , "more"`, true],
  ['"a,b", "c"', false],
  ['"other"', false],
  ["", false],
  [ETAG.slice(1, -1), false],
  [`"x${ETAG.slice(1)}`, false],
  ['W/"', false],
])("If-None-Match: %s names the tag of the body: %s", (header, expected) => {
  expect(matchesEtag(header, ETAG)).toBe(expected);
});

test.each([0, 1, 512 * 1024, 512 * 1024 + 1, 5_000_000])(
  "A long body of %d bytes has the tag that it has when hashed at once",
  async (length) => {
    const body = Buffer.alloc(length, "figures of a long answer ");
    expect(await createLongEtag(body)).toBe(createEtag(Buffer.from(body)));
  },
);

test("The tag of a long body leaves turns of the event loop to other calls", async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await createLongEtag(Buffer.alloc(16 * 1024 * 1024, "figures of a long answer "));
  isDone = true;
  expect(turns).toBeGreaterThan(1);
});

test("Text and its bytes have the same tag, and other bodies other ones", () => {
  expect(createEtag(Buffer.from("a body"))).toBe(ETAG);
  expect(createEtag("another body")).not.toBe(ETAG);
});
