/** Why signing in with a provider did not lead in, by the word in the address of the sign-in page. */
const signInProblems = {
  provider: "Signing in with the provider did not succeed. Try again, or use your password.",
  unverified: "The provider does not vouch for your e-mail address. Verify it there, then try again.",
  taken: "There is an account with this e-mail address already. Sign in to it the way you did before.",
  refused: "No account could be made for you here. Ask the operator of this installation.",
  uninvited: "The invitation is for another e-mail address than the one the provider told.",
  suspended: "This account is suspended. Ask the operator of this installation.",
  other: "That is not the sign-in of this account.",
  stale: "The provider did not ask you again who you are, so nothing was confirmed.",
  late: "That took too long. Sign in again.",
} as const;

export type SignInProblem = keyof typeof signInProblems;

export function problemText(word: unknown): string | null {
  return typeof word === "string" && Object.hasOwn(signInProblems, word) ? signInProblems[word as SignInProblem] : null;
}
