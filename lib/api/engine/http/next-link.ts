import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import { formatTime } from "@/lib/time/iso-time";

/** Formats the header Link to the call that answers the rest of a range: the same call with another `from`. */
export function formatNextLink({ path, search }: Pick<Call, "path" | "search">, fromMs: number): string {
  const query = new URLSearchParams(search);
  query.set("from", formatTime(fromMs));
  return formatHeaderLine("Link", `<${path}?${query.toString()}>; rel="next"`);
}
