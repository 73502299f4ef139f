/** The reasons of a failed sign-in with a provider, by the value of `error` in the address. */
const SIGN_IN_PROBLEMS = {
  provider: "Signing in with the provider failed. Try again, or use your password.",
  unverified: "The provider has not verified your e-mail address. Verify it there, then try again.",
  taken: "An account with this e-mail address already exists. Sign in the way you did before.",
  refused: "An account could not be created for you. Ask the operator of this installation.",
  uninvited: "The invitation is for a different e-mail address than the one at the provider.",
  suspended: "This account is suspended. Ask the operator of this installation.",
  domain:
    "Only people of certain e-mail domains may sign in here. The provider named another address, or has not verified it.",
  group: "You are not in a group that may sign in here. Ask the operator of this installation.",
  organisation:
    "You are not a member of the GitHub organisation whose members may sign in here, or it has not approved this app.",
  other: "You signed in with a provider account that is not linked to this account.",
  stale: "The provider did not ask you to sign in again, so nothing was confirmed.",
  late: "That took too long. Sign in again.",
} as const;

export type SignInProblem = keyof typeof SIGN_IN_PROBLEMS;

export function findSignInProblem(word: unknown): string | null {
  return typeof word === "string" && Object.hasOwn(SIGN_IN_PROBLEMS, word)
    ? SIGN_IN_PROBLEMS[word as SignInProblem]
    : null;
}
