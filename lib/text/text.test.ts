import { expect, test } from "vitest";
import {
  formatBytes,
  formatCompactCount,
  formatCount,
  formatDecimal,
  toNameText,
  toTerminalText,
} from "@/lib/text/text";

test("A count has commas, and a decimal number has at most one decimal place.", () => {
  expect([0, 999, 1_234_567].map(formatCount)).toEqual(["0", "999", "1,234,567"]);
  expect([0, 1.25, 12_345].map(formatDecimal)).toEqual(["0", "1.3", "12,345"]);
  expect([999, 12_345].map(formatCompactCount)).toEqual(["999", "12K"]);
});

test.each([
  [0, "0 KB"],
  [512_000, "512 KB"],
  [999_600, "1.0 MB"],
  [1_449_000_000, "1.4 GB"],
  [9_960_000, "10 MB"],
  [2.5e15, "2500 TB"],
])("%d bytes are written %j.", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test("A text for a terminal cannot clear it, and the JSON of a name stays what it is.", () => {
  const name = "EURUSD\u001b[2J\u009b1A\r\u202e.csv";
  expect(toTerminalText(`${name}\n\tπ`)).toBe("EURUSD\\u001b[2J\\u009b1A\\u000d\\u202e.csv\n\tπ");
  expect(JSON.parse(toTerminalText(JSON.stringify({ name })))).toEqual({ name });
  expect(toNameText("a\nb.csv")).toBe("a\\u000ab.csv");
});
