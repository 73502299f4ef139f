import { connect } from "node:net";
import { type Access, createTestAccess, joinServer } from "@/e2e/support/access";
import type { Quote } from "@/e2e/support/event-client";
import { type Spotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { preferSteadySource } from "@/e2e/support/steady-source";
import { startTestServer } from "@/e2e/support/test-server";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { NewKey } from "@/lib/access/keys/keys";
import type { PlanName } from "@/lib/access/plans";

/** A server whose streams are tested, and programs that open them. */

const PASSWORD = "correct horse battery";

export interface Caller {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly key: string;
}

export interface StreamServer extends Spotline {
  /** Creates an account with a key of all scopes. */
  createCaller(plan?: PlanName, rest?: Partial<NewKey>): Promise<Caller>;
  /** Changes accounts and keys as the operator's commands do. */
  change<Result>(work: (access: Access) => Promise<Result>): Promise<Result>;
  revoke(id: string): Promise<unknown>;
}

export async function startStreamServer(): Promise<StreamServer> {
  const spotline = await startTestServer({ env: { ...WITHOUT_PAGES, ...preferSteadySource() } });
  const database = await joinServer(spotline.place);
  const access = createTestAccess(database);
  const { accounts, keys } = access;
  // The only operator cannot be suspended.
  await accounts.create({ email: "operator@example.com", password: PASSWORD });
  let callers = 0;
  return {
    ...spotline,
    async createCaller(plan = "enterprise", rest = {}) {
      const email = `caller-${++callers}@example.com`;
      const { id: accountId } = await accounts.create({ email, password: PASSWORD, plan }, OPERATOR_CLI);
      const { id, secret } = await keys.create({ accountId, label: "test", scopes: ["all"], ...rest });
      return { id, accountId, email, key: secret };
    },
    change: (work) => work(access),
    revoke: (id) => keys.revoke(id, OPERATOR_CLI),
    async stop() {
      await database.close();
      return spotline.stop();
    },
  };
}

/** What POST /v1/quotes answers, by symbol. */
export async function readQuotes(
  { url }: { readonly url: string },
  key: string,
  symbols: readonly string[],
): Promise<Map<string, Quote>> {
  const response = await fetch(`${url}/v1/quotes`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ symbols }),
  });
  const { data } = (await response.json()) as { data: { quotes: Quote[] } };
  return new Map(data.quotes.map((quote) => [quote.symbol, quote]));
}

/** Reads so many bytes of a stream, then kills the connection. */
export function readSome(
  url: string,
  path: string,
  key: string,
  lastId: string | null,
  bytes: number,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nLast-Event-ID: ${lastId ?? ""}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(port), hostname, () => socket.write(head));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      const body = received.slice(received.indexOf("\r\n\r\n") + 4);
      if (!received.includes("\r\n\r\n") || body.length < bytes) return;
      socket.destroy();
      resolve(body.slice(0, bytes));
    });
    socket.on("error", reject);
  });
}
