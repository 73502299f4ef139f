import type { ProviderProfile } from "@/features/sign-in/providers";
import type { RequiredMembership } from "@/lib/platform/settings/provider-settings";

/** What a person lacks to sign in with a provider. */
export type MembershipProblem = "domain" | "group" | "organisation";

/** Checks a person who has signed in with a provider. Null if they may go on. */
export function findMembershipProblem(
  { email, hostedDomain, groups }: ProviderProfile,
  provider: string,
  required: RequiredMembership,
): MembershipProblem | null {
  const isOneOf = (list: readonly string[], values: readonly string[]) =>
    list.length === 0 || values.some((value) => list.includes(value));
  if (provider === "github") return isOneOf(required.organisations, groups) ? null : "organisation";
  const domain = email?.slice(email.lastIndexOf("@") + 1);
  if (!isOneOf(required.domains, domain === undefined ? [] : [domain])) return "domain";
  if (provider === "google") {
    // Google verifies any address. Only `hd` says that the account belongs to the domain's Workspace.
    return isOneOf(required.domains, hostedDomain === null ? [] : [hostedDomain]) ? null : "domain";
  }
  return isOneOf(required.groups, groups) ? null : "group";
}
