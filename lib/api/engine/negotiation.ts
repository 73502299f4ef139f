import { z } from "zod";

/** The format of an answer: the parameter `format`, else the preference of the Accept header, else JSON. */
export type Format = "json" | "csv";

export const formatParam = z.enum(["json", "csv"], { error: "must be json or csv" }).meta({
  description: "How the answer is written. Without it the Accept header decides; JSON is the default.",
});

/** Chooses the format of an answer. If the Accept header prefers CSV and JSON equally, it is JSON. */
export function chooseFormat(format: Format | undefined, accept: () => string | undefined): Format {
  if (format !== undefined) return format;
  const header = accept();
  if (header === undefined || !/csv/i.test(header)) return "json";
  return findQuality(header, "text", "csv") > findQuality(header, "application", "json") ? "csv" : "json";
}

/** Whether an Accept-Encoding header allows gzip. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  for (const coding of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = coding.split(";");
    if (name.trim() === "gzip" || name.trim() === "x-gzip") return parseQuality(parameters) > 0;
  }
  return false;
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
