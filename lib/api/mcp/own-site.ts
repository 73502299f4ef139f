import type { Call } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";
import type { Services } from "@/lib/api/engine/services";
import { isKnownHost } from "@/lib/platform/known-host";

/**
 * Throws 403 for a call that a page of another site may have made. Its owner can point a name of their own at this
 * server (DNS rebinding), so the host must be one that this site is known by, and an Origin must be this site's.
 */
export function requireOwnSite({ header }: Pick<Call, "header">, { url }: Pick<Services, "url">): void {
  const host = header("host") ?? null;
  if (!isKnownHost(host, url)) {
    throw new ApiError(
      "PERMISSION_DENIED",
      "This server does not answer agents under this host name. The setting SPOTLINE_URL names the one that it has.",
    );
  }
  const origin = header("origin");
  if (origin === undefined || readHost(origin) === host?.toLowerCase()) return;
  if (url !== null && URL.canParse(origin) && new URL(url).origin === new URL(origin).origin) return;
  throw new ApiError("PERMISSION_DENIED", "This server does not answer agents in pages of other sites.");
}

const readHost = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null);
