import { cookies } from "next/headers";
import { createTickets } from "@/lib/access/sign-in/tickets";
import { getRuntime } from "@/lib/runtime";

/** Creates a cookie with a ticket: the session, or the data that one step of signing in passes to the next. */
export function createTicketCookie<Content extends object>(purpose: string, lifeMs: number) {
  async function parts() {
    const { config, sessionSecret: secret, now } = await getRuntime();
    const secure = config.url?.startsWith("https:") ?? false;
    return {
      // With this prefix, browsers accept the cookie only from this host over TLS.
      name: `${secure ? "__Host-" : ""}spotline-${purpose}`,
      options: { httpOnly: true, sameSite: "lax", path: "/", secure } as const,
      tickets: createTickets<Content>({ secret, purpose, now, lifeMs }),
    };
  }
  return {
    /** Only for server actions and route handlers. */
    async issue(content: Content): Promise<void> {
      const { name, options, tickets } = await parts();
      (await cookies()).set(name, tickets.issue(content), { ...options, maxAge: lifeMs / 1_000 });
    },
    async read(): Promise<Content | null> {
      const { name, tickets } = await parts();
      const ticket = (await cookies()).get(name)?.value;
      return ticket === undefined ? null : tickets.read(ticket);
    },
    /** Only for server actions and route handlers. */
    async end(): Promise<void> {
      const { name, options } = await parts();
      (await cookies()).set(name, "", { ...options, maxAge: 0 });
    },
  };
}
