import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { FormReader } from "@/features/forms/form-reader";
import { createNoSiteError, readPasskeyAnswer } from "@/features/forms/passkey-answer";
import { findFormPage } from "@/features/session/address";
import { readPasskeySite } from "@/features/session/passkey-site";
import {
  ENROLMENT_PATH,
  getCurrentAccount,
  getCurrentSession,
  isConfirmed,
  isSessionAlive,
  requireAccount,
  requireOperator,
  toSignInHref,
} from "@/features/session/session";
import { readVisitorAddress, requireOwnOrigin } from "@/features/session/visitor";
import { AccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import type { Operator, Owner } from "@/lib/access/actor";
import { getRuntime, type Runtime } from "@/lib/runtime";

interface Actors {
  readonly owner: Owner;
  readonly operator: Operator;
}

export type Role = keyof Actors;

export interface CallerOptions<By extends Role> {
  readonly by: By;
  /** The page of the form. A caller who is not signed in returns to it, unless the browser names another page. */
  readonly page: string;
  /** Whether a field "password" confirms the caller. False for a form whose field "password" has another meaning. */
  readonly takesPassword?: boolean;
  /** What the action gives or takes is so much that a session alone is not enough: it needs the password or a passkey. */
  readonly needsConfirmation?: boolean;
}

/** The form and the caller of an action. */
export interface ActionCall<By extends Role = Role> {
  readonly form: FormReader;
  readonly runtime: Runtime;
  readonly account: Account;
  readonly sessionId: string;
  readonly actor: Actors[By];
  /** Whether this form has the right password or a passkey; an earlier confirmation does not count. */
  readonly isProved: boolean;
}

const toActor: { readonly [By in Role]: (owner: Owner) => Actors[By] } = {
  owner: (owner) => owner,
  operator: (owner) => ({ ...owner, kind: "operator" }),
};

/**
 * Identifies the caller by the session, never by the form. Rejects with an AccessError for a wrong password or passkey,
 * and for a caller who sends more forms than the limits of changes admit.
 */
export async function identifyCaller<By extends Role>(
  options: CallerOptions<By>,
  form: FormReader,
): Promise<ActionCall<By>> {
  const { by } = options;
  await requireOwnOrigin();
  const page = findFormPage(await headers()) ?? options.page;
  const account = await (by === "operator" ? requireOperator(page) : requireAccount(page));
  if (!(await isSessionAlive())) redirect(toSignInHref(page));
  // The headers, which name the page, may be forged.
  if (options.page !== ENROLMENT_PATH && (await getCurrentAccount()) === null) redirect(ENROLMENT_PATH);
  const runtime = await getRuntime();
  const sessionId = (await getCurrentSession())?.id ?? "";
  const address = await readVisitorAddress();
  // Before the password, which takes time to check.
  await runtime.changeLimits.count({ id: account.id, role: account.role, address });
  const isProved = await isProvedBy(options, form, { runtime, accountId: account.id, sessionId, address });
  const confirmed = isProved || (await isConfirmed(account.id));
  if (options.needsConfirmation === true && !confirmed)
    throw new AccessError("confirmation_required", "Enter your password to go on.");
  const owner: Owner = { kind: "owner", accountId: account.id, address, confirmed };
  return { form, runtime, account, sessionId, isProved, actor: toActor[by](owner) };
}

interface Prover {
  readonly runtime: Runtime;
  readonly accountId: string;
  readonly sessionId: string;
  readonly address: string | null;
}

/** Whether the form has the right password or a passkey of the account. Throws an AccessError if it has a wrong one. */
async function isProvedBy<By extends Role>(
  { takesPassword = true }: CallerOptions<By>,
  form: FormReader,
  { runtime, accountId, sessionId, address }: Prover,
): Promise<boolean> {
  const answer = readPasskeyAnswer(form);
  if (answer !== null) {
    const site = await readPasskeySite();
    if (site === null) throw createNoSiteError();
    await runtime.passkeys.confirm({ ...answer, site, boundTo: sessionId, address }, accountId);
    return true;
  }
  const password = takesPassword ? form.text("password") : "";
  if (password === "") return false;
  if (await runtime.credentials.confirmPassword(accountId, password)) return true;
  throw new AccessError("wrong_password", "The password is not right.");
}
