import type { UsageLine } from "@/lib/access/usage/usage-report";

const columns = ["hour", "key_id", "key", "endpoint", "status", "calls", "credits"];

/** Hours of use as RFC 4180 writes them, with a header line. `labels` names the keys by their ids. */
export function usageCsv(lines: readonly UsageLine[], labels: ReadonlyMap<string, string>): string {
  const rows = lines.map(({ hourMs, keyId, endpoint, status, calls, credits }) => [
    new Date(hourMs).toISOString(),
    keyId,
    asText(labels.get(keyId) ?? ""),
    endpoint,
    String(status),
    String(calls),
    String(credits),
  ]);
  return [columns, ...rows].map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}

/** A label is its owner's words, which a sheet must not take for a formula. */
function asText(label: string): string {
  return /^[=+\-@\t\r]/.test(label) ? `'${label}` : label;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
