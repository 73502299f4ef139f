import { limitToAccount } from "@/features/audit/data";
import { answerCsv } from "@/features/session/csv-answer";
import { getCurrentAccount } from "@/features/session/session";
import { formatAuditCsv } from "@/lib/access/audit/audit-csv";
import { getRuntime } from "@/lib/runtime";

/** The operator's command line exports without a limit. */
const MOST_EVENTS = 10_000;

/** The newest events of the audit log that the visitor may see. */
export async function GET(): Promise<Response> {
  const account = await getCurrentAccount();
  if (account === null) return new Response("Sign in first.\n", { status: 401 });
  const { audit } = await getRuntime();
  const accountId = account.role === "operator" ? undefined : account.id;
  const events = await audit.list({ accountId, limit: MOST_EVENTS });
  return answerCsv("audit", formatAuditCsv(limitToAccount(events.toReversed(), account)));
}
