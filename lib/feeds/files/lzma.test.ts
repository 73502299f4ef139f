import { describe, expect, test } from "vitest";
import { decodeLzma } from "@/lib/feeds/files/lzma";

const TEXT =
  "The same price, the same price, a higher price; the same price, aaaaaaaaaaaaaaaaaaaaaaaaaaaa, the same price.";
/** Packed by liblzma. */
const samples: readonly (readonly [string, string, string])[] = [
  [
    "was packed with its size",
    "XQAAAQBtAAAAAAAAAAAqGgiiAzWEpY16WmJE7gvjNWnvWfgeL4qnnDRRmEMjZyB22sYGM6iQ7Gl++ohGAA==",
    TEXT,
  ],
  [
    "was packed with an end marker",
    "XQAAAQD//////////wAqGgiiAzWEpY16WmJE7gvjNWnvWfgeL4qnnDRRmEMjZyB22sYGM6iQ7Gl++ohGAA==",
    TEXT,
  ],
  [
    "was packed with other properties",
    "EwAAAQD//////////wAqGtnUdFpqEhob5x475wljvkTvE6tMYBtMx40n4vsGgBG1ACX4aHTVTH3j/f+ZwA==",
    TEXT,
  ],
  [
    "repeats itself over some distance",
    "XQAAAQD//////////wAYDEKSame8DtEzLOTMQinAnEqPfv+2ElX1HBcXH63Y1V5yfckvylokCqkOjaPcboteuBfYAX7GJMXCBaj/H4R5Ooqev//nOsgA",
    `${"0123456789abcdef".repeat(40)}${TEXT}${"0123456789abcdef".repeat(20)}`,
  ],
  ["is empty", "XQAAAQD//////////wCD//v//8AAAAA=", ""],
];

describe("decodeLzma", () => {
  test.each(samples)("unpacks data that %s", (_, base64, text) => {
    expect(Buffer.from(decodeLzma(Buffer.from(base64, "base64"))).toString("latin1")).toBe(text);
  });

  test("refuses a truncated file and any other format", () => {
    for (const [, base64] of samples) {
      const whole = Buffer.from(base64, "base64");
      for (let length = 0; length < whole.length - 6; length++) {
        expect(() => decodeLzma(whole.subarray(0, length))).toThrow(/LZMA/);
      }
    }
    expect(() => decodeLzma(Buffer.from("time,bid,ask\n1546383600078,1.1,1.2"))).toThrow(/LZMA/);
    expect(() => decodeLzma(new Uint8Array(40).fill(255))).toThrow("not an LZMA file");
  });
});
