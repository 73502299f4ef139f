import { expect, test } from "vitest";
import { createEtag, matchesEtag, weakenEtag } from "@/lib/api/engine/http/etag";

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

test("Text and its bytes have the same tag, and other bodies other ones", () => {
  expect(createEtag(Buffer.from("a body"))).toBe(ETAG);
  expect(createEtag("another body")).not.toBe(ETAG);
});
