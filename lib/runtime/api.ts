import { WriterWindows } from "@/lib/access/admission/writer-windows";
import { startNoticeWatch } from "@/lib/access/notices/notice-watch";
import type { Health } from "@/lib/api/service/health-check";
import { joinComponents } from "@/lib/api/service/health-check";
import type { WriterLink } from "@/lib/readers/writer-link";
import { checkLag, checkWriter } from "@/lib/runtime/health";
import { joinWriter } from "@/lib/runtime/join-writer";
import { readOverLink, refreshOverLink } from "@/lib/runtime/pages";
import { type openProcess, openWindows, startServices } from "@/lib/runtime/services";

const TRAFFIC_MS = 2_000;

/** Starts a process that answers calls beside others. The writer counts them all, unless Redis does. */
export async function startApi(own: ReturnType<typeof openProcess>, link: WriterLink) {
  const joined = await joinWriter(own, link);
  const windows = own.config.redis === null ? countOverLink(link) : await openWindows(own);
  const services = await startServices({
    ...{ ...joined, terminals: null, windows },
    refreshOther: refreshOverLink(link),
  });
  link.onKeysChanged(() => services.directory.refresh());
  const noticeWatch = await startNoticeWatch(services);
  const timer = setInterval(() => link.send({ type: "traffic", traffic: services.usage.traffic() }), TRAFFIC_MS);
  return {
    ...services,
    ...readOverLink(link),
    readHealth: () => addReader(readOverLink(link).readHealth(), link),
    onQuote: joined.onQuote,
    isStale: () => link.follower.isStale,
    /** Counts the streams of each key in all processes. */
    slots: {
      take: ({ id, entitlements: { streams } }: { id: string; entitlements: { streams: number } }) =>
        link.request({ type: "open-stream", keyId: id, limit: streams }),
      free: ({ id }: { id: string }) => link.send({ type: "close-stream", keyId: id }),
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      noticeWatch.stop();
      await services.stop();
    },
  };
}

function countOverLink(link: WriterLink): WriterWindows {
  const windows = new WriterWindows({
    count: (calls) => link.request({ type: "count", calls }),
    release: (keyId, credits, countedAtMs) => link.send({ type: "release", keyId, credits, countedAtMs }),
    return: (calls) => link.send({ type: "return", calls }),
  });
  link.onRecall((keyIds) => windows.recall(keyIds));
  return windows;
}

/** Adds this process to the components of the writer, and whether these are still known. */
function addReader({ components }: Health, link: WriterLink): Health {
  const writer = checkWriter(link.health()?.ageMs ?? 0);
  return joinComponents({ ...components, writer, reader: checkLag(link.follower) });
}
