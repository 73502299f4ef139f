"use server";

import { redirect } from "next/navigation";
import { requireOwnOrigin, visitorAddress } from "@/features/session/visitor";
import type { CodeState } from "@/features/sign-in/code-form";
import { askedForCode, enter, SUSPENDED } from "@/features/sign-in/second-step";
import { isAccessError } from "@/lib/access/access-error";
import { getRuntime } from "@/lib/runtime";

/** No code is longer, however it was typed. */
const MAX_CODE_LENGTH = 64;

/** The second step of signing in: a code of the app's, or a recovery code. */
export async function signInWithCode(_: CodeState, form: FormData): Promise<CodeState> {
  await requireOwnOrigin();
  const asked = await askedForCode();
  if (asked === null) redirect("/sign-in?error=late");
  const code = form.get("code");
  if (typeof code !== "string" || code.trim() === "") return { error: "Enter a code." };
  const { accounts, secondFactors } = await getRuntime();
  try {
    const by = { kind: "owner", accountId: asked.accountId, address: await visitorAddress() } as const;
    await secondFactors.check(code.slice(0, MAX_CODE_LENGTH), by);
  } catch (error) {
    if (!isAccessError(error)) throw error;
    // It was turned off in the meantime: the password is enough now.
    if ((await secondFactors.state(asked.accountId)) === null) redirect("/sign-in");
    return { error: error.message };
  }
  const account = await accounts.find(asked.accountId);
  if (account === null) redirect("/sign-in");
  if (account.suspendedAtMs !== null) return { error: SUSPENDED };
  redirect(await enter(asked));
}
