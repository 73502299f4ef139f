import type { FormReader } from "@/features/forms/form-reader";
import { getCurrentSession, isConfirmed, requireAccount, requireOperator } from "@/features/session/session";
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
  /** The page of the form. A caller who is not signed in returns to it. */
  readonly page: string;
  /** Whether a field "password" confirms the caller. False for a form whose field "password" has another meaning. */
  readonly takesPassword?: boolean;
}

/** The form and the caller of an action. */
export interface ActionCall<By extends Role = Role> {
  readonly form: FormReader;
  readonly runtime: Runtime;
  readonly account: Account;
  readonly sessionId: string;
  readonly actor: Actors[By];
}

const toActor: { readonly [By in Role]: (owner: Owner) => Actors[By] } = {
  owner: (owner) => owner,
  operator: (owner) => ({ ...owner, kind: "operator" }),
};

export function readPassword({ takesPassword = true }: { readonly takesPassword?: boolean }, form: FormReader): string {
  return takesPassword ? form.text("password") : "";
}

/** Identifies the caller by the session, never by the form. Rejects with an AccessError for a wrong password. */
export async function identifyCaller<By extends Role>(
  options: CallerOptions<By>,
  form: FormReader,
): Promise<ActionCall<By>> {
  const { by, page } = options;
  await requireOwnOrigin();
  const account = await (by === "operator" ? requireOperator(page) : requireAccount(page));
  const runtime = await getRuntime();
  const password = readPassword(options, form);
  if (password !== "" && !(await runtime.credentials.confirmPassword(account.id, password))) {
    throw new AccessError("wrong_password", "The password is not right.");
  }
  const confirmed = password !== "" || (await isConfirmed(account.id));
  const owner: Owner = { kind: "owner", accountId: account.id, address: await readVisitorAddress(), confirmed };
  const sessionId = (await getCurrentSession())?.id ?? "";
  return { form, runtime, account, sessionId, actor: toActor[by](owner) };
}
