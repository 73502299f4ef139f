type Params = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the parameters that a page was opened with, without repeated ones. */
export function toSearch(params: Params): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (typeof value === "string") search.set(name, value);
  return search;
}

/** Returns the address of a page with its parameters, to come back to after signing in. */
export function toAddress(path: string, params: Params): string {
  const search = toSearch(params);
  return search.size === 0 ? path : `${path}?${search}`;
}

/**
 * Returns the address of the page whose form was sent, without its host; null if the request does not name it. The
 * browser sends it with every form of this site.
 */
export function findFormPage(headers: Pick<Headers, "get">): string | null {
  const [referer, origin] = [headers.get("referer") ?? "", headers.get("origin")];
  const page = URL.canParse(referer) ? new URL(referer) : null;
  return page !== null && page.origin === origin ? page.pathname + page.search : null;
}
