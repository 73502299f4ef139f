import type { LoggedRequest } from "@/lib/access/requests/request-report";
import { formatCsv } from "@/lib/text/csv";

const COLUMNS = [
  "time",
  "request_id",
  "key_id",
  "key",
  "method",
  "endpoint",
  "symbols",
  "status",
  "code",
  "message",
  "credits",
  "address",
  "ms",
  "more",
];

/** Calls as CSV. `labels` names the keys by their ids. */
export function formatRequestsCsv(requests: readonly LoggedRequest[], labels: ReadonlyMap<string, string>): string {
  const rows = requests.map(({ atMs, requestId, keyId, method, endpoint, status, credits, ms, more, ...texts }) => [
    new Date(atMs).toISOString(),
    requestId,
    keyId,
    labels.get(keyId) ?? "",
    method,
    endpoint,
    texts.symbols ?? "",
    status,
    texts.code ?? "",
    texts.message ?? "",
    credits,
    texts.address ?? "",
    ms,
    more,
  ]);
  return formatCsv(COLUMNS, rows);
}
