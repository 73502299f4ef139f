import { withDatabase } from "@/cli/access";
import { getServerAddress } from "@/cli/server-address";
import { createOperatorTickets, loadSessionSecret } from "@/lib/access/sign-in/tickets";
import { STATUS_PATH, type StatusData } from "@/lib/pages/status-data";
import { loadConfig } from "@/lib/platform/config";
import { systemClock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

const TIMEOUT_MS = 5 * SECOND_MS;

/** Reads the data of the status page from the running server. Throws an Error if none answers, or not in time. */
export async function fetchStatus(): Promise<StatusData> {
  const config = loadConfig(process.env);
  const secret = config.sessionSecret ?? (await withDatabase(loadSessionSecret));
  const address = getServerAddress(config);
  const headers = { Authorization: createOperatorTickets(secret, systemClock).issue() };
  let answer: Response;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    answer = await fetch(address + STATUS_PATH, { headers, signal, redirect: "manual" });
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const late = `The server at ${address} has not answered within ${TIMEOUT_MS / SECOND_MS} s. Its pages may be starting.`;
    throw new Error(isLate ? late : `No server answers at ${address}.`);
  }
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: it is not the server of these settings.`);
  return (await answer.json()) as StatusData;
}
