import { once } from "@/features/forms/form-ticket";
import { isConfirmed, rememberConfirmation, requireAccount } from "@/features/session/session";
import { requireOwnOrigin, visitorAddress } from "@/features/session/visitor";
import { AccessError } from "@/lib/access/access-error";
import type { Owner, SignedIn } from "@/lib/access/actor";
import { getRuntime } from "@/lib/runtime";

/** What a form says under a name. An action may be called with anything in place of its form. */
export function textOf(form: FormData, name: string): string {
  const value = form instanceof FormData ? form.get(name) : null;
  return typeof value === "string" ? value : "";
}

/**
 * Who has sent a form: whoever is signed in, and nothing that the form says. A password in it confirms what they ask
 * for; a wrong one throws an AccessError.
 */
export async function ownerOf(form: FormData): Promise<Owner> {
  await requireOwnOrigin();
  const { id } = await requireAccount("/keys");
  const password = textOf(form, "password");
  if (password !== "") {
    const { credentials } = await getRuntime();
    if (!(await credentials.confirmPassword(id, password))) {
      throw new AccessError("wrong_password", "The password is not right.");
    }
  }
  const confirmed = password !== "" || (await isConfirmed(id));
  return { kind: "owner", accountId: id, address: await visitorAddress(), confirmed };
}

/**
 * Does what a form asks for, once for each page that was shown. Its password is then good for the next ten minutes: not
 * before, or a form that is sent again would keep it good.
 */
export async function performOnce<Result>(
  { ticket, act, form, owner }: { ticket: string; act: string; form: FormData; owner: SignedIn },
  work: () => Promise<Result>,
): Promise<Result> {
  const result = await once(ticket, act, work);
  if (textOf(form, "password") !== "") await rememberConfirmation(owner.accountId);
  return result;
}
