import { randomUUID } from "node:crypto";
import { createTicketCookie } from "@/features/session/ticket-cookie";
import { DAY_MS } from "@/lib/time/units";

/** The id of a browser that signs in with a passkey. A challenge is valid only in the browser that requested it. */
const browserCookie = createTicketCookie<{ readonly id: string }>("passkey", DAY_MS);

/** Reads the id of this browser; null if it has requested no challenge. */
export async function readPasskeyBrowser(): Promise<string | null> {
  return (await browserCookie.read())?.id ?? null;
}

/** Returns the id of this browser, or a new one. The same in all its tabs. For route handlers. */
export async function issuePasskeyBrowser(): Promise<string> {
  const id = (await readPasskeyBrowser()) ?? randomUUID();
  await browserCookie.issue({ id });
  return id;
}
