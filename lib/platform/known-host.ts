import { isIP } from "node:net";

/**
 * Whether a request was sent to a host that this site is known by: its configured address, localhost or an IP address.
 * Any other name may be one that another site's owner points at this server, so that their page counts as this site's.
 */
export function isKnownHost(host: string | null, configuredUrl: string | null | undefined): boolean {
  const hostname = readHostname(`http://${host ?? ""}`);
  if (hostname === null) return false;
  if (hostname === "localhost" || hostname.endsWith(".localhost") || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0)
    return true;
  return configuredUrl !== null && configuredUrl !== undefined && hostname === readHostname(configuredUrl);
}

function readHostname(url: string): string | null {
  // A dot at the end spells the same name, as the root of all names.
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : null;
}
