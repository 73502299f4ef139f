import { limitToAccount, listEvents } from "@/features/audit/data";
import { readAuditView } from "@/features/audit/url";
import { answerCsv, createDataRoute } from "@/features/session/data-route";
import { formatAuditCsv } from "@/lib/access/audit/audit-log";

/** The operator's command line exports without a limit. */
const MOST_EVENTS = 10_000;

/** The newest events of a view that the visitor may see, oldest first. */
export const GET = createDataRoute(async ({ account, query }) => {
  const view = readAuditView(Object.fromEntries(query));
  const events = await listEvents({ ...view, beforeSeq: null }, account, MOST_EVENTS);
  return answerCsv("audit", formatAuditCsv(limitToAccount(events.toReversed(), account)));
});
