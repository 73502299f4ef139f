import { expect, test } from "vitest";
import { formatTraceparent, readCallerId } from "@/lib/api/engine/http/caller-ids";

test.each(["a", "order-17", "0b8f3c2e-7d1a-4f6b-9c55-2f1e8a7d6c41", "svc:job.3_7", "x".repeat(64)])(
  "The id %s of a caller is repeated",
  (text) => expect(readCallerId(text)).toBe(text),
);

test.each([undefined, "", "x".repeat(65), "a b", "a, b", 'a"b', "a\\b", "é", "-a", "a\u0000", "a\r\nX-Injected: 1"])(
  "%j is no id",
  (text) => expect(readCallerId(text)).toBeNull(),
);

const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

test("A valid traceparent is repeated, any other text is not", () => {
  expect(formatTraceparent(TRACE)).toBe(`traceparent: ${TRACE}\r\n`);
  const wrong = [
    undefined,
    "",
    TRACE.toUpperCase(),
    `${TRACE}\r\nX-Injected: 1`,
    TRACE.replace("00-", "ff-"),
    TRACE.replace(/4bf9\w+/, "0".repeat(32)),
    TRACE.replace("00f067aa0ba902b7", "0".repeat(16)),
  ];
  for (const text of wrong) expect(formatTraceparent(text)).toBe("");
});
