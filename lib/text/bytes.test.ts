import { expect, test } from "vitest";
import { formatBytes } from "@/lib/text/bytes";

test.each([
  [0, "0 KB"],
  [512_000, "512 KB"],
  [999_600, "1.0 MB"],
  [1_449_000_000, "1.4 GB"],
  [9_960_000, "10 MB"],
  [2.5e15, "2500 TB"],
])("%d bytes are written %j.", (bytes, text) => expect(formatBytes(bytes)).toBe(text));
