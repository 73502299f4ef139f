import { startSpotline, type Spotline, type SpotlineOptions } from "@/e2e/support/spotline";

/** What the tests of several processes, and of one that is started again, have in common. */

const EMAIL = "owner@example.com";
const account = ["--account", EMAIL, "--label", "test"];

interface Limits {
  readonly perMinute?: number;
  readonly perDay?: number;
}

/** Starts servers one after another, since the first one migrates, and an account for them to share. */
export async function startFleet(count: number, env: SpotlineOptions["env"]): Promise<Spotline[]> {
  const servers: Spotline[] = [];
  for (let server = 0; server < count; server++) servers.push(await startSpotline({ env }));
  await servers[0]?.cli("account", "create", "--email", EMAIL, "--password", "correct horse battery", "--plan", "pro");
  return servers;
}

export async function setLimits({ cli }: Pick<Spotline, "cli">, { perMinute, perDay }: Limits): Promise<void> {
  const [minute, day] = [perMinute, perDay].map((limit) => String(limit ?? "none"));
  await cli("account", "set-limits", "--email", EMAIL, "--per-minute", minute as string, "--per-day", day as string);
  await pause(1_000);
}

export function createKey({ cli }: Pick<Spotline, "cli">, ...options: string[]): Promise<{ id: string; key: string }> {
  return cli("key", "create", ...account, ...options);
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

/** So many calls at once, in turn to each server; their answers by status. */
export async function quotes(
  calls: number,
  servers: readonly Spotline[],
  key: string,
): Promise<Record<number, Reply[]>> {
  const asked = Array.from({ length: calls }, (_, call) => quote(servers[call % servers.length] as Spotline, key));
  const byStatus: Record<number, Reply[]> = {};
  for (const reply of await Promise.all(asked)) (byStatus[reply.status] ??= []).push(reply);
  return byStatus;
}

export const countsOf = (byStatus: Readonly<Record<number, readonly Reply[]>>): Record<number, number> =>
  Object.fromEntries(Object.entries(byStatus).map(([status, replies]) => [status, replies.length]));

export const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
