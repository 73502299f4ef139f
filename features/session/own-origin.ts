/**
 * Whether a page of this site sent the request with these headers. Browsers send an origin with every POST, so a POST
 * without one did not come from a page. `configuredUrl` is the site's configured address.
 */
export function isFromOwnOrigin(headers: Pick<Headers, "get">, configuredUrl: string | null | undefined): boolean {
  const origin = headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  const configured = configuredUrl && URL.canParse(configuredUrl) ? new URL(configuredUrl).host : null;
  return [headers.get("x-forwarded-host"), headers.get("host"), configured].includes(new URL(origin).host);
}

/**
 * Returns the host of the page that sent the request, such as "localhost:3000"; null if the request names none. To render
 * the page after a form, Next requests it from itself by an IP address. Only the origin is still the browser's.
 */
export function findOriginHost(headers: Pick<Headers, "get">): string | null {
  const origin = headers.get("origin") ?? "";
  return URL.canParse(origin) ? new URL(origin).host : null;
}
