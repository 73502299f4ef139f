import { readCounters } from "@/lib/access/admission/windows";
import { startNoticeWatch } from "@/lib/access/notices/notice-watch";
import { monotonicClock } from "@/lib/platform/timing/clock";
import { linkToWriter } from "@/lib/readers/writer-link";
import { joinWriter } from "@/lib/runtime/join-writer";
import { readOverLink, refreshOverLink } from "@/lib/runtime/pages";
import { runPages } from "@/lib/runtime/run-pages";
import { openProcess, openWindows, startServices } from "@/lib/runtime/services";

/** The pages as tests start them to answer the API as well: this process counts the calls, and reports them. */
runPages(async () => {
  const joined = await joinWriter(openProcess(), linkToWriter(monotonicClock));
  const { link } = joined;
  const services = await startServices({
    ...joined,
    terminals: null,
    windows: await openWindows(joined),
    refreshOther: refreshOverLink(link),
  });
  const noticeWatch = await startNoticeWatch(services);
  return {
    ...services,
    link,
    isStale: () => link.follower.isStale,
    behindOwnServer: true,
    answersCalls: true,
    counters: (accountId: string) => readCounters(services, accountId),
    ...readOverLink(link),
    async serverStatus() {
      const status = link.status();
      return status === null ? null : { ...status, traffic: services.usage.traffic() };
    },
    async stop(): Promise<void> {
      noticeWatch.stop();
      await services.stop();
    },
  };
});
