import { getCurrentSession } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

/** Issues a ticket for the forms of a page. Bind it to their actions as the first argument. */
export async function issueFormTicket(): Promise<string> {
  const session = await getCurrentSession();
  return session === null ? "" : (await getRuntime()).formTickets.issue(session.id);
}
