import { z } from "zod";

/** How an answer is to be written: what `format` says, else what the Accept header prefers, else JSON. */
export type Format = "json" | "csv";

export const formatParam = z.enum(["json", "csv"], { error: "must be json or csv" }).meta({
  description: "How the answer is written. Without it the Accept header decides; JSON is the default.",
});

/** The format to answer in. `accept` is asked for only where `format` is undefined. */
export function chooseFormat(format: Format | undefined, accept: () => string | undefined): Format {
  if (format !== undefined) return format;
  const header = accept();
  if (header === undefined || !/csv/i.test(header)) return "json";
  return findQuality(header, "text", "csv") > findQuality(header, "application", "json") ? "csv" : "json";
}

/** Whether a caller takes gzip, by its Accept-Encoding. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  for (const coding of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = coding.split(";");
    if (name.trim() === "gzip" || name.trim() === "x-gzip") return parseQuality(parameters) > 0;
  }
  return false;
}

/** How much a media type is wanted, from 0 to 1: the word of the most specific range that covers it. */
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
  const given = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
  return given === undefined ? 1 : Number(given);
}
