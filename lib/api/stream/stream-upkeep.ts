import type { KeyEntry } from "@/lib/access/admission/directory";
import type { Verdict } from "@/lib/access/admission/windows";
import { STREAM_CREDITS_PER_MINUTE } from "@/lib/access/plans";
import { createDayError, createKeyDayError, createMinuteError } from "@/lib/api/engine/limits";
import type { Services } from "@/lib/api/engine/services";
import type { PriceStream } from "@/lib/api/stream/price-stream";
import { chooseRetry } from "@/lib/api/stream/price-streams";
import { stream as endpoint } from "@/lib/api/stream/stream";
import { createStreamsError, findRefusal } from "@/lib/api/stream/stream-access";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";

/** A minute that the limit of its key's calls holds up is tried again for this long. */
const MAX_UNPAID_MS = 2 * MINUTE_MS;

/** Ends the streams whose key may not have them any more, and counts a call for each further minute of the others. */
export function createUpkeep(services: Services, monotonic: Clock) {
  return (streams: ReadonlySet<PriceStream>): void => {
    const counts = new Map<KeyEntry, number>();
    for (const stream of streams) {
      const { key } = stream.owner;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const refusal = findRefusal(stream, endpoint, services);
      if (refusal !== null) stream.end(refusal, chooseRetry());
      else if (count > key.entitlements.streams) stream.end(createStreamsError(key), MINUTE_MS);
      else if (monotonic() >= stream.paidUntilMs && !stream.isPaying) void pay(stream);
    }
  };

  async function pay(stream: PriceStream): Promise<void> {
    const { key } = stream.owner;
    stream.isPaying = true;
    try {
      settle(stream, await services.windows.count(key, STREAM_CREDITS_PER_MINUTE, services.now()));
    } catch (error) {
      services.log.error({ err: error }, "a minute of a stream could not be counted");
    } finally {
      stream.isPaying = false;
    }
  }

  function settle(stream: PriceStream, verdict: Verdict): void {
    const { key, call } = stream.owner;
    const nowMs = services.now();
    if (verdict === "counted") {
      stream.paidUntilMs += MINUTE_MS;
      services.usage.count(key, endpoint.path, 200, STREAM_CREDITS_PER_MINUTE, call, nowMs);
    } else if (verdict === "day used up") stream.end(createDayError(nowMs), MINUTE_MS);
    else if (verdict === "key day used up") stream.end(createKeyDayError(key, nowMs), MINUTE_MS);
    else if (monotonic() >= stream.paidUntilMs + MAX_UNPAID_MS) stream.end(createMinuteError(key, nowMs), MINUTE_MS);
  }
}
