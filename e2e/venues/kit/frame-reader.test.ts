import { expect, test } from "vitest";
import { completeFix, createFixSession } from "@/e2e/venues/kit/fix-text";
import { createFrameReader } from "@/e2e/venues/kit/frame-reader";

const FIX = completeFix("35=A|58=8=9 10=1", createFixSession(), Date.UTC(2026, 10, 22));

/** The messages in a stream that comes in pieces of `length` bytes. */
function read(stream: string, length: number): string[] {
  const messages: string[] = [];
  const reader = createFrameReader((text) => messages.push(text));
  const bytes = Buffer.from(stream);
  for (let at = 0; at < bytes.length; at += length) reader.push(bytes.subarray(at, at + length));
  return messages;
}

test.each([
  ["FIX messages", [FIX, FIX]],
  ["JSON objects with braces and quotes in strings", ['{"a":"}{\\"\\\\"}', '{"b":[{"c":"é"}]}', "[1]"]],
])("%s are found at every size of pieces", (_, messages) => {
  const stream = messages.join("");
  for (let length = 1; length <= Buffer.byteLength(stream); length++) expect(read(stream, length)).toEqual(messages);
});

test("lines end with a line break, and may follow anything", () => {
  expect(read(`hello\r\n${FIX}\n{"a":1}\nbye\nunfinished`, 3)).toEqual(["hello", FIX, '{"a":1}', "bye"]);
});
