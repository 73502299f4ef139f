import { describe, expect, test } from "vitest";
import { acceptsGzip, chooseCoding, chooseFormat } from "@/lib/api/engine/http/negotiation";

describe("the format of an answer", () => {
  test.each([
    [undefined, undefined, "json"],
    ["csv", "application/json", "csv"],
    ["json", "text/csv", "json"],
    [undefined, "text/csv", "csv"],
    [undefined, "Text/CSV; header=present", "csv"],
    [undefined, "text/csv, */*;q=0.1", "csv"],
    [undefined, "text/csv;q=0.5, application/json", "json"],
    [undefined, "text/csv;q=0, */*", "json"],
    [undefined, "text/csv, application/json", "json"],
    [undefined, "text/html, */*;q=0.8", "json"],
    [undefined, "*/*", "json"],
    [undefined, ",;q=,/", "json"],
  ] as const)("with the parameter %s and the Accept header %s is %s", (format, accept, expected) => {
    expect(chooseFormat(format, accept)).toBe(expected);
  });
});

describe("the compression of an answer", () => {
  test.each([
    [undefined, null],
    ["", null],
    ["identity", null],
    ["br", "br"],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, GZIP;q=0.2", "gzip"],
    ["*", "br"],
    ["*;q=0, gzip", "gzip"],
    ["gzip;q=0, br;q=0", null],
    ["*;q=0", null],
    ["br;q=oops", "br"],
  ])("with Accept-Encoding %s is %s", (header, expected) => expect(chooseCoding(header)).toBe(expected));
});

describe("acceptsGzip", () => {
  test.each([
    [undefined, false],
    ["", false],
    ["br", false],
    ["gzip", true],
    ["gzip, deflate, br", true],
    ["br;q=1, GZIP;q=0.2", true],
    ["gzip;q=0", false],
    ["identity", false],
  ])("with Accept-Encoding %s is %s", (header, expected) => expect(acceptsGzip(header)).toBe(expected));
});
