/** An identity provider that an account can sign in with. */
export interface ProviderLink {
  readonly id: string;
  readonly name: string;
}

/** Returns the path that starts a sign-in with a provider, to confirm the caller or to accept an invitation. */
export function toProviderHref(id: string, next: string, more: { for?: "confirm"; invitation?: string } = {}): string {
  const params = new URLSearchParams({ next, ...more });
  return `/sign-in/with/${id}?${params}`;
}
