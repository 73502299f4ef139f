import type { KeyEntry } from "@/lib/access/admission/directory";
import { NO_LIMIT } from "@/lib/access/plans";
import { calendar } from "@/lib/api/calendar/calendar";
import {
  requireAccess,
  requireCaller,
  requireConfirmedKeys,
  requireEntitlement,
  requireOrigin,
  requireValid,
} from "@/lib/api/engine/authorise";
import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbols } from "@/lib/api/engine/symbol-access";
import { findPublicUrl } from "@/lib/api/public-url";
import { describePermitted, type PriceStream } from "@/lib/api/stream/price-stream";
import type { StreamOptions } from "@/lib/api/stream/stream-options";

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

/**
 * Throws 404 for a source that does not exist, and 403 unless the key may read what the options add: the releases of the
 * calendar need what GET /v1/calendar needs, and a plan with released figures.
 */
export function requireOptions(key: KeyEntry, options: StreamOptions, call: Call, services: Services): void {
  const { sources, events } = options;
  for (const name of sources === null || sources === "all" ? [] : sources) {
    if (!services.book.hasSource(name)) throw new ApiError("SOURCE_NOT_FOUND", `There is no source named ${name}.`);
  }
  if (events !== null) requireReleases(key, call, services);
}

function requireReleases(key: KeyEntry, call: Call, services: Services): void {
  if (key.endpoints !== null && !key.endpoints.has(calendar.path))
    throw new ApiError("PERMISSION_DENIED", `This API key may not call ${calendar.path}, which has the releases.`);
  requireEntitlement(key, "calendar", call, services);
  requireEntitlement(key, "actuals", call, services);
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
    requireOrigin(key, call);
    requireAccess({ call, services }, key, endpoint);
    requireSymbols(key, stream.symbols);
    requireSymbolCount(key, stream.symbols.length, call, services);
    if (stream.options.events !== null) requireReleases(key, call, services);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  if (stream.permitted === describePermitted(key)) return null;
  return new ApiError("PERMISSION_DENIED", "The symbols that this API key may read have changed. Connect again.");
}
