/** An identity provider that an account can sign in with. */
export interface ProviderLink {
  readonly id: string;
  readonly name: string;
}

/** What a sign-in with a provider is for, besides signing in. */
export interface ProviderPurpose {
  readonly for?: "confirm";
  /** The secret of the invitation link. */
  readonly invitation?: string;
  /** The code of the setup link. */
  readonly setup?: string;
}

/** Returns the path that starts a sign-in with a provider. */
export function toProviderHref(id: string, next: string, more: ProviderPurpose = {}): string {
  const params = new URLSearchParams({ next, ...more });
  return `/sign-in/with/${id}?${params}`;
}
