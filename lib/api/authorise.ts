import { ApiError } from "@/lib/api/errors";
import { admit, resetSeconds } from "@/lib/access/minute-window";
import { hasScope } from "@/lib/access/scopes";
import { hashSecret, isWellFormed } from "@/lib/access/key-format";
import type { Call } from "@/lib/api/call";
import type { Endpoint } from "@/lib/api/endpoint";
import type { KeyEntry } from "@/lib/access/directory";
import type { Progress } from "@/lib/api/pipeline";
import type { Services } from "@/lib/api/services";

/** A caller whose key was found, whatever else may still refuse the call. */
export interface Caller {
  readonly key: KeyEntry;
}

/**
 * How long keys are believed without word from the database. A revocation is written there, so a process that has
 * lost sight of it must stop believing in time.
 */
const MAX_UNCONFIRMED_MS = 60_000;

/** Thrown for a well-formed key that may have been made by another process a moment ago: look once more, then refuse. */
export const KEY_NOT_KNOWN_YET = Symbol("key not known yet");

/** key → suspended → address → minute limit → scope. Throws the ApiError of the first check that refuses. */
export function authorise(call: Call, endpoint: Endpoint, services: Services, progress: Progress): void {
  const nowMs = services.now();
  const key = identify(call, services, progress, nowMs);
  progress.caller = { key };
  if (key.account.suspended) throw new ApiError("ACCOUNT_SUSPENDED", "The account of this API key is suspended.");
  if (key.allowList !== null) {
    const address = call.address();
    if (address === null || !key.allowList.admits(address)) {
      throw new ApiError("IP_NOT_ALLOWED", "This API key may not be used from this address.");
    }
  }
  if (!admit(key.minute, key.perMinute, nowMs)) {
    const seconds = resetSeconds(key.minute, nowMs);
    throw new ApiError(
      "RATE_LIMIT_EXCEEDED",
      `This API key may make ${key.perMinute} requests a minute.`,
      { limit: key.perMinute, remaining: 0, reset_in_seconds: seconds },
      ["Retry-After", String(seconds)],
    );
  }
  if (!hasScope(key.scopes, endpoint.scope)) {
    throw new ApiError("PERMISSION_DENIED", `This API key lacks the scope "${endpoint.scope}".`);
  }
}

function identify(call: Call, services: Services, progress: Progress, nowMs: number): KeyEntry {
  const secret = call.apiKey;
  if (secret === undefined || secret === "") {
    throw new ApiError("MISSING_API_KEY", "Send your API key in the X-API-Key header.");
  }
  const wellFormed = isWellFormed(secret);
  const key = wellFormed ? services.directory.find(hashSecret(secret)) : undefined;
  if (nowMs - services.directory.lastSyncAtMs > MAX_UNCONFIRMED_MS) {
    throw new ApiError("SERVICE_UNAVAILABLE", "API keys cannot be verified at the moment.", {}, ["Retry-After", "5"]);
  }
  if (key === undefined) {
    if (wellFormed && !progress.keysRefreshed) throw KEY_NOT_KNOWN_YET;
    throw new ApiError("INVALID_API_KEY", "The API key is not valid.");
  }
  if (key.revoked) throw new ApiError("API_KEY_DISABLED", "The API key has been revoked.");
  if (key.expiresAtMs <= nowMs) throw new ApiError("API_KEY_EXPIRED", "The API key has expired.");
  return key;
}
