import { isConfirmed, rememberConfirmation, requireAccount } from "@/app/session";
import { requireOwnOrigin, visitorAddress } from "@/app/visitor";
import { AccessError } from "@/lib/access/access-error";
import type { KeyActor } from "@/lib/access/key-life";
import { getRuntime } from "@/lib/runtime";

export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/**
 * Who has sent a form of the keys pages: whoever is signed in, and nothing that the form says. A password in it
 * confirms what they ask for, and what they ask for in the next ten minutes; a wrong one throws an AccessError.
 */
export async function ownerOf(form: FormData): Promise<Exclude<KeyActor, "operator">> {
  await requireOwnOrigin();
  const { id } = await requireAccount("/keys");
  const password = textOf(form, "password");
  if (password !== "") {
    const { accounts } = await getRuntime();
    if (!(await accounts.confirmPassword(id, password))) {
      throw new AccessError("wrong_password", "The password is not right.");
    }
    await rememberConfirmation(id);
  }
  const confirmed = password !== "" || (await isConfirmed(id));
  return { accountId: id, address: await visitorAddress(), confirmed };
}
