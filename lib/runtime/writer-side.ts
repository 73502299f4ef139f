import { CallCounter } from "@/lib/access/admission/call-counter";
import type { Answers, Request } from "@/lib/readers/messages";
import type { Publisher } from "@/lib/readers/publisher";
import type { Reader, WriterSide } from "@/lib/readers/reader-process";
import { StreamCounts } from "@/lib/readers/stream-counts";
import type { ServerRuntime } from "@/lib/runtime/server";

/**
 * What the writer does for its readers.
 *
 * @param loadKeys resolves once every process that answers calls has loaded the latest changes of accounts and keys
 */
export function createWriterSide(
  runtime: ServerRuntime,
  publisher: Publisher,
  loadKeys: () => Promise<void>,
): WriterSide {
  const { directory, windows } = runtime;
  const streams = new StreamCounts();
  const counter = new CallCounter(runtime);

  async function refresh(): Promise<null> {
    // If the database cannot be read now, it is read later; the change itself is stored.
    await Promise.allSettled([directory.refresh(), loadKeys()]);
    return null;
  }

  return {
    publisher,
    async answer(request: Request, reader: Reader): Promise<Answers[Request["type"]]> {
      switch (request.type) {
        case "refresh":
          return refresh();
        case "counters":
          return runtime.counters(request.accountId);
        case "count":
          return counter.count(request.calls, reader);
        case "open-stream":
          return streams.open(reader, request.keyId, request.limit);
      }
    },
    onRelease({ keyId, credits, countedAtMs }) {
      const key = directory.key(keyId);
      if (key !== undefined) windows.release(key, credits, countedAtMs);
    },
    onStreamClose: (keyId, reader) => streams.close(reader, keyId),
    onReturn: (calls, reader) => counter.onReturn(calls, reader),
    onReaderEnd(reader) {
      streams.forget(reader);
      counter.forget(reader);
    },
  };
}
