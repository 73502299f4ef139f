import * as z from "zod";
import { ApiError } from "@/lib/api/engine/errors";

/** The way to other formats, for errors. */
const FILES = "For Parquet: POST /v1/export";

/** The format of an answer: the parameter `format`, else the preference of the Accept header, else JSON. */
export type Format = "json" | "csv";

export const formatParam = z.enum(["json", "csv"], { error: `must be json or csv. ${FILES}` }).meta({
  description: "How the answer is written. Without it the Accept header decides; JSON is the default.",
});

/** Chooses the format of an answer. If the Accept header prefers CSV and JSON equally, it is JSON. */
export function chooseFormat(format: Format | undefined, accept: string | undefined): Format {
  if (format !== undefined) return format;
  if (accept === undefined || !/csv/i.test(accept)) return "json";
  return findQuality(accept, "text", "csv") > findQuality(accept, "application", "json") ? "csv" : "json";
}

/** Formats of data that programs ask for, and that need another reader than JSON. */
const DATA_TYPE =
  /arrow|parquet|ndjson|jsonl|json-?seq|stream\+json|csv|xml|yaml|avro|msgpack|protobuf|excel|spreadsheet/i;

/**
 * Throws 406 NOT_ACCEPTABLE if an Accept header asks for a format of data that an endpoint does not have, and for none that
 * it has: a program would read JSON as the format that it requested.
 *
 * @param types the media types of the endpoint's answers
 */
export function requireAcceptable(accept: string | undefined, types: readonly string[]): void {
  if (accept === undefined || !DATA_TYPE.test(accept)) return;
  const isCovered = types.some((each) => {
    const [type = "", subtype = ""] = each.split(/[/;]/);
    return findQuality(accept, type, subtype) > 0;
  });
  if (isCovered) return;
  throw new ApiError("NOT_ACCEPTABLE", `This endpoint answers ${types.join(" or ")}. ${FILES}.`, { accepted: types });
}

/** The compression of an answer. */
export type Coding = "br" | "gzip";

/** Whether an Accept-Encoding header allows gzip. */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && (parseCodings(header).gzip ?? 0) > 0;
}

/** Chooses the compression that an Accept-Encoding header prefers, Brotli among equal ones; null for none. */
export function chooseCoding(header: string | undefined): Coding | null {
  if (header === undefined) return null;
  const { br = 0, gzip = 0 } = parseCodings(header);
  if (br === 0 && gzip === 0) return null;
  return br >= gzip ? "br" : "gzip";
}

/** The qualities of both codings, 0 to 1; absent if the header does not name them, not even as `*` (RFC 9110, 12.5.3). */
function parseCodings(header: string): Partial<Record<Coding, number>> {
  const qualities = new Map<string, number>();
  for (const coding of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = coding.split(";");
    qualities.set(name.trim(), parseQuality(parameters));
  }
  const other = qualities.get("*");
  const br = qualities.get("br") ?? other;
  const gzip = qualities.get("gzip") ?? qualities.get("x-gzip") ?? other;
  return { ...(br === undefined ? {} : { br }), ...(gzip === undefined ? {} : { gzip }) };
}

/** The quality of a media type, 0 to 1, from the most specific range that covers it (RFC 9110, 12.5.1). */
function findQuality(accept: string, type: string, subtype: string): number {
  let best = { specificity: 0, quality: 0 };
  for (const range of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";");
    const [rangeType = "", rangeSubtype = ""] = name.trim().split("/");
    const specificity =
      rangeType === type && rangeSubtype === subtype
        ? 3
        : rangeType === type && rangeSubtype === "*"
          ? 2
          : rangeType === "*" && rangeSubtype === "*"
            ? 1
            : 0;
    if (specificity > best.specificity) best = { specificity, quality: parseQuality(parameters) };
  }
  return best.quality;
}

function parseQuality(parameters: readonly string[]): number {
  const text = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
  return text === undefined ? 1 : Number(text);
}
