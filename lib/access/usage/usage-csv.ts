import type { UsageLine } from "@/lib/access/usage/usage-lines";
import { formatCsv } from "@/lib/text/csv";

const COLUMNS = ["hour", "key_id", "key", "endpoint", "status", "calls", "credits"];

/** Hours of use as CSV. `labels` names the keys by their ids. */
export function formatUsageCsv(lines: readonly UsageLine[], labels: ReadonlyMap<string, string>): string {
  const rows = lines.map(({ hourMs, keyId, endpoint, status, calls, credits }) => [
    new Date(hourMs).toISOString(),
    keyId,
    labels.get(keyId) ?? "",
    endpoint,
    status,
    calls,
    credits,
  ]);
  return formatCsv(COLUMNS, rows);
}
