import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { type ActionState, FieldError } from "@/features/forms/action-state";
import { createFormReader, type FormReader } from "@/features/forms/form-reader";
import {
  currentSession,
  isConfirmed,
  rememberConfirmation,
  requireAccount,
  requireOperator,
} from "@/features/session/session";
import { requireOwnOrigin, visitorAddress } from "@/features/session/visitor";
import { AccessError, type AccessErrorCode, isAccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import type { Operator, Owner } from "@/lib/access/actor";
import { getRuntime, type Runtime } from "@/lib/runtime";

/** Anyone can call a server action. Every one is defined here, so that each is checked in the same way and order. */

interface Actors {
  readonly owner: Owner;
  readonly operator: Operator;
}

type Role = keyof Actors;

interface Options<Values> {
  /** The field that an error concerns; other errors concern the whole form. */
  readonly fields?: Readonly<Partial<Record<AccessErrorCode, string>>>;
  /** What to show in the form again after a refusal. */
  readonly values?: (form: FormReader) => Values;
}

interface ActionOptions<By extends Role, Values> extends Options<Values> {
  readonly by: By;
  /** The page of the form. A caller who is not signed in returns to it; it is rendered again after the action. */
  readonly page: string;
  /** Everything below this path is rendered again, in place of the page. */
  readonly revalidate?: string;
  /** What a page's ticket allows once: a verb, to which the form's id is added, or a function of the form. */
  readonly act: string | ((form: FormReader) => string);
  /** Whether a field "password" confirms the caller. False for a form that uses that name for something else. */
  readonly takesPassword?: boolean;
  /** Where to go after the action. */
  readonly redirectTo?: string;
}

export interface ActionCall<By extends Role = Role> {
  readonly form: FormReader;
  readonly runtime: Runtime;
  readonly account: Account;
  readonly sessionId: string;
  readonly actor: Actors[By];
}

interface AnonymousCall {
  readonly form: FormReader;
  readonly runtime: Runtime;
  readonly address: string | null;
}

/**
 * Defines an action of a signed-in caller. It requires a page of this site, a session, the operator's role where asked
 * for, the right password where one is sent, and a ticket that was not used for this act before. `work` refuses by
 * throwing an AccessError or a FieldError. Bind the page's ticket as the first argument.
 */
export function defineAction<By extends Role, Result, Values = unknown>(
  options: ActionOptions<By, Values>,
  work: (call: ActionCall<By>) => Promise<Result>,
) {
  const { act, page, revalidate = page, redirectTo } = options;
  return async (ticket: string, _: unknown, data: FormData): Promise<ActionState<Result, Values>> => {
    const form = createFormReader(data);
    const state = await attempt(options, form, async () => {
      const call = await identify(options, form);
      const { runtime, sessionId, account } = call;
      const use = { ticket, sessionId, act: typeof act === "string" ? `${act} ${form.text("id")}` : act(form) };
      const result = await runtime.formTickets.once(use, () => work(call));
      // Not before: sending the form again must not prolong the confirmation.
      if (readPassword(options, form) !== "") await rememberConfirmation(account.id);
      return result;
    });
    if (state.done) {
      revalidatePath(revalidate, "layout");
      if (redirectTo !== undefined) redirect(redirectTo);
    }
    return state;
  };
}

/** Defines an action of a caller who is not signed in. It requires a page of this site. */
export function defineAnonymousAction<Result, Values = unknown>(
  options: Options<Values>,
  work: (call: AnonymousCall) => Promise<Result>,
) {
  return async (_: unknown, data: FormData): Promise<ActionState<Result, Values>> => {
    await requireOwnOrigin();
    const form = createFormReader(data);
    return attempt(options, form, async () =>
      work({ form, runtime: await getRuntime(), address: await visitorAddress() }),
    );
  };
}

const toActor: { readonly [By in Role]: (owner: Owner) => Actors[By] } = {
  owner: (owner) => owner,
  operator: (owner) => ({ ...owner, kind: "operator" }),
};

function readPassword({ takesPassword = true }: { readonly takesPassword?: boolean }, form: FormReader): string {
  return takesPassword ? form.text("password") : "";
}

/** Finds out who is calling from the session, never from the form. Rejects with an AccessError for a wrong password. */
async function identify<By extends Role>(
  options: ActionOptions<By, unknown>,
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
  const owner: Owner = { kind: "owner", accountId: account.id, address: await visitorAddress(), confirmed };
  const sessionId = (await currentSession())?.id ?? "";
  return { form, runtime, account, sessionId, actor: toActor[by](owner) };
}

async function attempt<Result, Values>(
  { fields = {}, values }: Options<Values>,
  form: FormReader,
  work: () => Promise<Result>,
): Promise<ActionState<Result, Values>> {
  try {
    const result = await work();
    return result === undefined ? { done: true } : { done: true, result };
  } catch (error) {
    const filledIn = values === undefined ? {} : { values: values(form) };
    if (error instanceof FieldError) return { done: false, errors: { [error.field]: error.message }, ...filledIn };
    if (!isAccessError(error)) throw error;
    const { code, message, problems } = error;
    const field = fields[code];
    if (field === undefined) return { done: false, error: message, ...filledIn };
    return { done: false, errors: { [field]: message }, problems, ...filledIn };
  }
}
