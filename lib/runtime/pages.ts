import { localWindows } from "@/lib/access/admission/windows";
import { joinComponents } from "@/lib/api/service/health-check";
import { monotonicClock } from "@/lib/platform/timing/clock";
import { linkToWriter, type WriterLink } from "@/lib/readers/writer-link";
import { joinWriter } from "@/lib/runtime/join-writer";
import { openProcess, startServices } from "@/lib/runtime/services";

/** Starts the process of the pages. Counters and status are read over the link, because the writer counts the calls. */
export async function startPages() {
  const joined = await joinWriter(openProcess("pages"), linkToWriter(monotonicClock));
  const { link } = joined;
  const refreshOther = refreshOverLink(link);
  const services = await startServices({ ...joined, terminals: null, windows: localWindows, refreshOther });
  return {
    ...services,
    ...readOverLink(link),
    link,
    isStale: () => link.follower.isStale,
    behindOwnServer: true,
    answersCalls: false,
    counters: (accountId: string) => link.request({ type: "counters", accountId }),
  };
}

/** The state of the server, as it reports it. */
export function readOverLink(link: WriterLink) {
  const unknown = joinComponents({ server: { status: "down", detail: "it has not reported yet" } });
  return {
    readHealth: () => link.health()?.health ?? unknown,
    serverStatus: async () => link.status(),
  };
}

/** Resolves once every process has loaded the latest changes of accounts and keys. */
export function refreshOverLink(link: WriterLink) {
  return async (): Promise<void> => void (await link.request({ type: "refresh" }));
}
