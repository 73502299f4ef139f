import type { KeyEntry } from "@/lib/access/admission/entries";
import { NO_LIMIT } from "@/lib/access/plans";
import { requireAccess, requireCaller, requireConfirmedKeys, requireValid } from "@/lib/api/engine/authorise";
import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbols } from "@/lib/api/engine/symbol-access";
import { findPublicUrl } from "@/lib/api/public-url";
import { describePermitted, type PriceStream } from "@/lib/api/stream/price-stream";

/** Throws 403 PLAN_UPGRADE_REQUIRED if the plan of the key does not allow a stream of so many symbols. */
export function requireSymbolCount(key: KeyEntry, count: number, call: Call, services: Services): void {
  const { name, streamSymbols } = key.entitlements;
  if (count <= streamSymbols) return;
  const whose = name === "tool" ? "of a tool key" : `on the plan "${name}"`;
  throw new ApiError(
    "PLAN_UPGRADE_REQUIRED",
    `A stream ${whose} may have ${streamSymbols} symbols, not ${count}. Name fewer in "symbols".`,
    { current_plan: name, limit: streamSymbols, upgrade_url: `${findPublicUrl(call, services)}/plan` },
  );
}

/** 429 TOO_MANY_STREAMS: the key has as many open streams as its plan allows. */
export function createStreamsError({ entitlements: { name, streams } }: KeyEntry): ApiError {
  const many = streams >= NO_LIMIT ? "no more" : String(streams);
  const whose = name === "tool" ? "A tool key" : `A key of the plan "${name}"`;
  const seconds = 60;
  return new ApiError(
    "TOO_MANY_STREAMS",
    `${whose} may have ${many} open streams. Close one before you open another.`,
    { limit: streams, reset_in_seconds: seconds },
    formatHeaderLine("Retry-After", seconds),
  );
}

/** Returns the error with which a stream must end, because its key or account may not have it any more; null if it may. */
export function findRefusal(stream: PriceStream, endpoint: Endpoint, services: Services): ApiError | null {
  const { key, call } = stream.owner;
  const nowMs = services.now();
  try {
    requireConfirmedKeys(services, nowMs);
    requireValid(key, nowMs);
    requireCaller(key, call.address());
    requireAccess({ call, services }, key, endpoint);
    requireSymbols(key, stream.symbols);
    requireSymbolCount(key, stream.symbols.length, call, services);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  if (stream.permitted === describePermitted(key)) return null;
  return new ApiError("PERMISSION_DENIED", "The symbols that this API key may read have changed. Connect again.");
}
