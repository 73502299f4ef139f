/**
 * Finds the address of the client. Without trusted proxies it is the socket's address; with n of them it is the n-th
 * entry from the right of X-Forwarded-For, since each proxy appends the address that it saw. Entries further left come
 * from the client and are never trusted.
 *
 * @returns null if the header has fewer entries than there are proxies
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
