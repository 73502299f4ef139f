/**
 * The address a request came from. With no trusted proxies that is the socket's; with n of them it is the n-th entry
 * from the right of X-Forwarded-For, since each proxy appends the address it saw. Everything left of that was written
 * by the client and is never believed.
 *
 * @returns null when the header has fewer entries than there are proxies: nobody trusted has vouched for an address
 */
export function findClientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string | null {
  if (trustedProxies === 0 || forwardedFor === undefined) return socketAddress ?? null;
  const hops = forwardedFor.split(",");
  return hops[hops.length - trustedProxies]?.trim() || null;
}
