import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { type ActionState, FieldError } from "@/features/forms/action-state";
import { type ActionCall, type CallerOptions, identifyCaller, type Role } from "@/features/forms/caller";
import { createFormReader, type FormReader } from "@/features/forms/form-reader";
import { getCurrentSession, rememberConfirmation } from "@/features/session/session";
import { readVisitorAddress, requireOwnOrigin } from "@/features/session/visitor";
import { type AccessErrorCode, isAccessError } from "@/lib/access/access-error";
import { isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import { getRuntime, type Runtime } from "@/lib/runtime";

/** Anyone can call a server action. Every one is defined here, so that each is checked in the same way and order. */

interface Options<Values> {
  /** The field that an error concerns; other errors concern the whole form. */
  readonly fields?: Readonly<Partial<Record<AccessErrorCode, string>>>;
  /** Reads the values that are shown again after a refusal. */
  readonly values?: (form: FormReader) => Values;
}

interface ActionOptions<By extends Role, Values> extends Options<Values>, CallerOptions<By> {
  /** The path below which everything is rendered again after the action, in place of the page. */
  readonly revalidate?: string;
  /** The act that a ticket allows once: a verb, to which the form's id is appended, or a function of the form. */
  readonly act: string | ((form: FormReader) => string);
  /** Where to go after the action. */
  readonly redirectTo?: string;
}

interface AnonymousCall {
  readonly form: FormReader;
  readonly runtime: Runtime;
  readonly address: string | null;
}

/**
 * Defines an action of a signed-in caller. It requires a page of this site, a session, the operator's role if the
 * options say so, the right password or passkey if one is sent, and a ticket that was not used for this act before. `work` refuses
 * by throwing an AccessError or a FieldError. Bind the page's ticket as the first argument.
 */
export function defineAction<By extends Role, Result, Values = unknown>(
  options: ActionOptions<By, Values>,
  work: (call: ActionCall<By>) => Promise<Result>,
) {
  const { act, page, revalidate = page, redirectTo } = options;
  return async (ticket: string, _: unknown, data: FormData): Promise<ActionState<Result, Values>> => {
    const form = createFormReader(data);
    const state = await attempt(options, form, async () => {
      const call = await identifyCaller(options, form);
      const { runtime, sessionId, account, isProved } = call;
      const use = { ticket, sessionId, act: typeof act === "string" ? `${act} ${form.text("id")}` : act(form) };
      const result = await runtime.formTickets.once(use, () => work(call));
      // After the work, so that sending the form again does not prolong the confirmation.
      if (isProved) await rememberConfirmation(account.id);
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
      work({ form, runtime: await getRuntime(), address: await readVisitorAddress() }),
    );
  };
}

const DATABASE_AWAY = "The database cannot be reached at the moment. Send the form again in a few seconds.";

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
    if (isDatabaseUnavailable(error)) return { done: false, error: DATABASE_AWAY, ...filledIn };
    if (!isAccessError(error)) throw error;
    const { code, message, problems } = error;
    const field = fields[code];
    const isUnconfirmed = code === "confirmation_required";
    if (field === undefined) return { done: false, error: message, isUnconfirmed, ...filledIn };
    return { done: false, errors: { [field]: message }, problems, ...filledIn };
  }
}

/** Issues a ticket for the forms of a page. Bind it to their actions as the first argument. */
export async function issueFormTicket(): Promise<string> {
  const session = await getCurrentSession();
  return session === null ? "" : (await getRuntime()).formTickets.issue(session.id);
}
