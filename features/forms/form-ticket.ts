import { currentSession } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

/** A ticket for the forms of a page; bind it to their actions as the first argument. */
export async function formTicket(): Promise<string> {
  const session = await currentSession();
  return session === null ? "" : (await getRuntime()).formTickets.issue(session.id);
}

/** Does `work` once for each page that was shown; see lib/access/sign-in/form-tickets.ts. Only for server actions. */
export async function once<Result>(ticket: unknown, act: string, work: () => Promise<Result>): Promise<Result> {
  const session = await currentSession();
  return (await getRuntime()).formTickets.once({ ticket, sessionId: session?.id ?? "", act }, work);
}
