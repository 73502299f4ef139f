import type { NotedRequest } from "@/lib/access/requests/request-buffer";
import { toPlainText } from "@/lib/text/plain-text";

const MAX_LISTED = 3;
const MAX_NAME_LENGTH = 24;

/**
 * The symbols that a call names in its path, query or body, as the caller spells them: "EURUSD", or
 * "EURUSD, GBPUSD, USDJPY and 7 more". Null if it names none.
 */
export function listSymbols({
  segment,
  search,
  body,
}: Pick<NotedRequest, "segment" | "search" | "body">): string | null {
  const names = findNames(segment, search, body);
  if (names.length === 0) return null;
  const listed = names.slice(0, MAX_LISTED).map((name) => toPlainText(name, MAX_NAME_LENGTH));
  const others = names.length - listed.length;
  return `${listed.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

function findNames(segment: string, search: string, body: unknown): string[] {
  if (segment !== "") return [decode(segment)];
  const query = search === "" ? null : new URLSearchParams(search);
  const text = query?.get("symbol") ?? query?.get("symbols") ?? "";
  if (text !== "") return text.split(",").filter((name) => name.trim() !== "");
  const list = body !== null && typeof body === "object" && "symbols" in body ? body.symbols : null;
  return Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
