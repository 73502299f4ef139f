import type { Call } from "@/lib/api/engine/call";
import type { Services } from "@/lib/api/engine/services";
import { isKnownHost } from "@/lib/platform/known-host";

/**
 * The URL of this site for the caller, without a slash at its end: the configured one, else the host that the call was
 * sent to. Any host name may be in a call, so only those that the pages answer under are repeated.
 */
export function findPublicUrl(call: Pick<Call, "header">, { url, publicUrl }: Pick<Services, "url" | "publicUrl">) {
  const host = call.header("host") ?? null;
  return url === null && isKnownHost(host, null) ? new URL(`http://${host}`).origin : publicUrl;
}
