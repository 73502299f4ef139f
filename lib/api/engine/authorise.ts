import type { KeyEntry } from "@/lib/access/admission/directory";
import { describeKeyFault, isWellFormed, KEY_PREFIX } from "@/lib/access/keys/key-format";
import { type Entitlement, findCheapestPlanWith, mayRead } from "@/lib/access/plans";
import { MAX_UNCONFIRMED_MS } from "@/lib/access/revision";
import { hasScope } from "@/lib/access/scopes";
import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import type { Exchange } from "@/lib/api/engine/exchange";
import { findFirstValue } from "@/lib/api/engine/input";
import { findPublicUrl, type Services } from "@/lib/api/engine/services";

/** Thrown for a well-formed key that another process may just have created: the pipeline refreshes once and retries. */
export const KEY_NOT_KNOWN_YET = Symbol("key not known yet");

/*
 * key → suspended → address (authenticate) → minute limit → scope → plan (requireAccess). Each throws the ApiError of
 * the first check that refuses.
 */

/** What finding the key needs of a call. */
type KeySearch = Pick<Exchange, "call" | "services" | "nowMs" | "keysRefreshed" | "link" | "key" | "namedKey">;

/** Finds the key. Stores it in the exchange first, since refused calls are counted too. */
export function authenticate(exchange: KeySearch, endpoint: Pick<Endpoint, "takesFeedToken">): KeyEntry {
  const { call, services, nowMs } = exchange;
  const key = identify(exchange, endpoint);
  exchange.key = key;
  const address = call.address();
  try {
    requireCaller(key, address);
    requireOrigin(key, call);
  } catch (error) {
    if (error instanceof ApiError && error.code === "IP_NOT_ALLOWED") services.keyUses.refused(key, address, nowMs);
    throw error;
  }
  services.keyUses.accepted(key, address, nowMs);
  return key;
}

/** Throws 403 if the account is suspended, or the key may not be used from this address. */
export function requireCaller({ account, allowList }: KeyEntry, address: string | null): void {
  if (account.suspended) throw new ApiError("ACCOUNT_SUSPENDED", "The account of this API key is suspended.");
  if (allowList !== null && (address === null || !allowList.admits(address)))
    throw new ApiError("IP_NOT_ALLOWED", "This API key may not be used from this address.");
}

/** Throws 403 if the page that makes the call in a browser has an origin that the key does not list. */
export function requireOrigin({ origins }: KeyEntry, call: Pick<Call, "header">): void {
  if (origins === null) return;
  const origin = call.header("origin");
  if (origin === undefined || origins.has(origin)) return;
  throw new ApiError("ORIGIN_NOT_ALLOWED", "This API key may not be used by pages of this origin.");
}

/** Throws 403 unless the key's scopes, list of endpoints and plan allow this call. */
export function requireAccess(
  { call, services }: Pick<Exchange, "call" | "services">,
  key: KeyEntry,
  endpoint: Endpoint,
): void {
  for (const scope of [endpoint.scope, endpoint.otherScope ?? null]) {
    if (!hasScope(key.scopes, scope)) {
      const more = scope === "alerts" && key.scopes.has("all") ? ', which "all" does not include: it is all data' : "";
      throw new ApiError("PERMISSION_DENIED", `This API key lacks the scope "${scope}"${more}.`);
    }
  }
  if (key.endpoints !== null && !key.endpoints.has(endpoint.permission)) {
    const paths = [...key.endpoints].join(", ");
    throw new ApiError("PERMISSION_DENIED", `This API key may not call ${endpoint.permission}, only ${paths}.`);
  }
  const { entitlement, needsEntitlement } = endpoint;
  if (entitlement !== null && (needsEntitlement?.(call.search) ?? true))
    requireEntitlement(key, entitlement, call, services);
}

/** Throws 403 PLAN_UPGRADE_REQUIRED unless the plan of the key includes an entitlement. */
export function requireEntitlement(
  key: KeyEntry,
  entitlement: Entitlement,
  call: Call,
  services: Pick<Services, "url" | "publicUrl">,
): void {
  if (mayRead(key, entitlement)) return;
  const { name } = key.entitlements;
  const needed = `a standard key of the plan "${findCheapestPlanWith(entitlement)}" or a higher one`;
  const own = name === "tool" ? "a tool key" : `a key of the plan "${name}"`;
  throw new ApiError("PLAN_UPGRADE_REQUIRED", `This is not part of what ${own} may call. It needs ${needed}.`, {
    current_plan: name,
    upgrade_url: `${findPublicUrl(call, services)}/plan`,
  });
}

/** Reads the key id from the feed token in the query; null for an invalid token. */
function findFeedKeyId({ search }: Call, { feedTokens }: Services): string | null {
  const token = findFirstValue(search, "token");
  if (token === null || token === "") {
    throw new ApiError("MISSING_API_KEY", "Send your API key in the X-API-Key header, or a feed's token as token.");
  }
  return feedTokens.readId(token);
}

/** The secret of X-API-Key, else the Bearer token; undefined without one. Throws 401 if both are keys and differ. */
function readSecret({ apiKey, authorization }: Pick<Call, "apiKey" | "authorization">): string | undefined {
  if (authorization === undefined) return apiKey;
  const bearer = /^\s*Bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
  if (apiKey === undefined || apiKey === "") return bearer;
  if (bearer === undefined || bearer === apiKey || !bearer.startsWith(KEY_PREFIX)) return apiKey;
  throw new ApiError("INVALID_API_KEY", "X-API-Key and Authorization have two different keys. Send one of them.");
}

/** Where programs send a key to other services, in lower case: headers, and parameters of the address. */
const OTHER_HEADERS = ["api-key", "apikey", "x-apikey", "x-api-token", "x-auth-token", "token"];
const OTHER_PARAMETERS = /(?:^|&)(api[-_]?key|key|token|access[-_]?token)=/i;

/** Says in which other way a call without a key may have sent one, as a sentence after another; empty without a sign of one. */
function describeOtherWay(call: Call): string {
  if (call.authorization !== undefined) return " Authorization is read only if it has a key as a Bearer token.";
  const named = OTHER_HEADERS.find((name) => call.header(name) !== undefined);
  if (named !== undefined) return ` The header ${named} is not read.`;
  const parameter = OTHER_PARAMETERS.exec(call.search)?.[1];
  return parameter === undefined ? "" : ` The parameter ${parameter} is not read, since addresses are logged.`;
}

function identify(exchange: KeySearch, endpoint: Pick<Endpoint, "takesFeedToken">): KeyEntry {
  const { call, services, keysRefreshed, nowMs, link } = exchange;
  const secret = readSecret(call);
  let key: KeyEntry | undefined;
  /** Whether the call names a key that another process may just have created. */
  let named: boolean;
  if (link !== null) {
    key = services.directory.key(link.keyId);
    named = true;
  } else if (secret !== undefined && secret !== "") {
    key = services.directory.findBySecret(secret);
    named = key !== undefined || isWellFormed(secret);
  } else if (endpoint.takesFeedToken) {
    const id = findFeedKeyId(call, services);
    named = id !== null;
    if (id !== null) key = services.directory.key(id);
  } else {
    throw new ApiError("MISSING_API_KEY", `Send your API key in the X-API-Key header.${describeOtherWay(call)}`);
  }
  requireConfirmedKeys(services, nowMs);
  if (key === undefined) {
    if (named && !keysRefreshed) throw KEY_NOT_KNOWN_YET;
    const fault = secret === undefined ? null : describeKeyFault(secret);
    throw new ApiError("INVALID_API_KEY", fault === null ? "The API key is not valid." : `The API key ${fault}.`);
  }
  exchange.namedKey = key;
  requireValid(key, nowMs);
  return key;
}

/** Throws 503 if the database could not be read for too long. */
export function requireConfirmedKeys({ directory }: Pick<Services, "directory">, nowMs: number): void {
  if (nowMs - directory.lastSyncAtMs <= MAX_UNCONFIRMED_MS) return;
  throw new ApiError(
    "SERVICE_UNAVAILABLE",
    "API keys cannot be verified at the moment.",
    {},
    formatHeaderLine("Retry-After", 5),
  );
}

/** Throws 401 if the key has ended. */
export function requireValid(key: KeyEntry, nowMs: number): void {
  if (key.revoked) throw new ApiError("API_KEY_DISABLED", "The API key has been revoked.");
  if (key.disabled) throw new ApiError("API_KEY_DISABLED", "The API key is disabled.");
  if (key.expiresAtMs <= nowMs) throw new ApiError("API_KEY_EXPIRED", "The API key has expired.");
}
