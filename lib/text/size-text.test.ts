import { expect, test } from "vitest";
import { durationText, sizeText } from "@/lib/text/size-text";

test.each([
  [0, "0 KB"],
  [512_000, "512 KB"],
  [999_600, "1.0 MB"],
  [1_449_000_000, "1.4 GB"],
  [9_960_000, "10 MB"],
  [2.5e15, "2500 TB"],
])("writes %d bytes as %s", (bytes, text) => expect(sizeText(bytes)).toBe(text));

test.each([
  [0, "0 s"],
  [62, "1 min 2 s"],
  [3_600, "1 h 0 min"],
  [100_000, "1 d 3 h"],
])("writes %d seconds as %s", (seconds, text) => expect(durationText(seconds)).toBe(text));
