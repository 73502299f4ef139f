import { withAccess } from "@/e2e/support/access";
import { simulateFewPrices } from "@/e2e/support/few-prices";
import { HOST_COMMANDS, type Place, type Spotline, type SpotlineOptions, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { NO_LIMIT } from "@/lib/access/plans";

/** Shared by the tests of several servers and of restarts. */

const OWNER = "owner@example.com";

/** One installation: its servers, and an account for all of its keys. */
export interface Fleet {
  readonly servers: Spotline[];
  /** The environment of the database with accounts and keys. */
  readonly place: Place;
  readonly accountId: string;
}

/** Starts servers one after another, since the first one migrates. */
export async function startFleet(
  count: number,
  env: Readonly<Record<string, string>>,
  command: SpotlineOptions["command"] = HOST_COMMANDS.node,
): Promise<Fleet> {
  const servers: Spotline[] = [];
  for (let server = 0; server < count; server++) servers.push(await startTestServer(describeServer(env, command)));
  const [{ place }] = servers as [Spotline];
  const password = "correct horse battery";
  const { id } = await withAccess(place, async ({ accounts }) => {
    // The first account is the operator's, which cannot be suspended while it is the only one.
    await accounts.create({ email: "operator@example.com", password });
    return accounts.create({ email: OWNER, password, plan: "pro" });
  });
  return { servers, place, accountId: id };
}

/** The options of a server with few prices, and without pages unless the settings say otherwise. Next's route handlers are in the process of the pages. */
export function describeServer(
  env: Readonly<Record<string, string>>,
  command: SpotlineOptions["command"] = HOST_COMMANDS.node,
): SpotlineOptions {
  // A file of settings says itself which source is served first.
  const prices = "SPOTLINE_SOURCE_PRIORITY" in env ? {} : simulateFewPrices();
  return { command, env: { ...prices, ...(command === HOST_COMMANDS.node && WITHOUT_PAGES), ...env } };
}

/** Sets both limits, none by default, and waits the second in which the servers must apply them. */
export async function setLimits(
  { place, accountId }: Fleet,
  { perMinute = NO_LIMIT, perDay = NO_LIMIT }: { perMinute?: number; perDay?: number },
): Promise<void> {
  await withAccess(place, ({ accounts }) => accounts.setLimits(accountId, { perMinute, perDay }));
  await pause(1_000);
}

export async function createKey({ place, accountId }: Fleet): Promise<{ id: string; key: string }> {
  const request = { accountId, label: "test", scopes: ["all"] };
  const { id, secret } = await withAccess(place, ({ keys }) => keys.create(request));
  return { id, key: secret };
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly error: Readonly<Record<string, unknown>> | null;
}

export async function quote(
  { url }: Pick<Spotline, "url">,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const response = await fetch(`${url}/v1/quote?symbol=EURUSD`, { headers: { ...headers, "X-API-Key": key } });
  const { error = null } = (await response.json()) as Partial<Pick<Reply, "error">>;
  return { status: response.status, headers: response.headers, error };
}

/** One address may open a limited number of connections. */
const MOST_AT_ONCE = 200;

/** Sends parallel calls to the servers in turn. Returns the replies by status. */
export async function quotes(
  calls: number,
  servers: readonly Spotline[],
  key: string,
): Promise<Record<number, Reply[]>> {
  const byStatus: Record<number, Reply[]> = {};
  let sent = 0;
  const callInTurn = async () => {
    while (sent < calls) {
      const reply = await quote(servers[sent++ % servers.length] as Spotline, key);
      (byStatus[reply.status] ??= []).push(reply);
    }
  };
  await Promise.all(Array.from({ length: Math.min(calls, MOST_AT_ONCE) }, callInTurn));
  return byStatus;
}

export const countByStatus = (byStatus: Readonly<Record<number, readonly Reply[]>>): Record<number, number> =>
  Object.fromEntries(Object.entries(byStatus).map(([status, list]) => [status, list.length]));

export const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
