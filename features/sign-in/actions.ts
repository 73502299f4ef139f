"use server";

import { redirect } from "next/navigation";
import { endSession, startSession } from "@/features/session/session";
import { requireOwnOrigin, visitorAddress } from "@/features/session/visitor";
import type { AuthFormState } from "@/features/sign-in/form-state";
import { safeNextPath } from "@/features/sign-in/next-path";
import { admit } from "@/features/sign-in/second-step";
import { type AccessError, isAccessError } from "@/lib/access/access-error";
import { anonymous } from "@/lib/access/actor";
import { getRuntime, type Runtime } from "@/lib/runtime";

/** An address has 254 characters at most; what is longer is cut before it costs anything. */
const MAX_EMAIL_LENGTH = 320;
const EMAIL_HINT = "Enter an e-mail address, such as name@example.com.";
/** One sentence for a wrong password, an unknown address and too many attempts: it must not tell who has an account. */
const REFUSED =
  "The e-mail address or the password is not right. After five wrong attempts even the right one has to wait a quarter of an hour.";

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

export async function signIn(_: AuthFormState, form: FormData): Promise<AuthFormState> {
  await requireOwnOrigin();
  const email = textOf(form, "email").slice(0, MAX_EMAIL_LENGTH);
  const password = textOf(form, "password");
  if (!email.includes("@")) return { email, emailError: EMAIL_HINT };
  if (password === "") return { email, passwordError: "Enter your password." };

  const address = await visitorAddress();
  const account = await outcomeOf(({ credentials }) => credentials.authenticate(email, password, address));
  if (account instanceof Error) return { email, message: account.message };
  if (account === null) return { email, message: REFUSED };
  return { email, message: await admit(account, safeNextPath(form.get("next"))) };
}

export async function signUp(_: AuthFormState, form: FormData): Promise<AuthFormState> {
  await requireOwnOrigin();
  const email = textOf(form, "email").slice(0, MAX_EMAIL_LENGTH);
  const password = textOf(form, "password");
  if (!email.includes("@")) return { email, emailError: EMAIL_HINT };

  const address = await visitorAddress();
  const invitation = textOf(form, "invitation") || undefined;
  const account = await outcomeOf(({ accounts }) =>
    accounts.create({ email, password, invitation }, anonymous(address)),
  );
  if (account instanceof Error) {
    switch (account.code) {
      case "invalid_email":
        return { email, emailError: account.message };
      case "invalid_password":
        return { email, passwordError: account.message };
      case "email_taken":
        return { email, message: "An account with this address may already exist. Try signing in instead." };
      default:
        return { email, message: account.message };
    }
  }
  await startSession(account.id);
  redirect(safeNextPath(form.get("next")));
}

/** What came of it: the result, or the refusal that explains itself. Anything else is a fault and is thrown on. */
async function outcomeOf<Result>(work: (runtime: Runtime) => Promise<Result>): Promise<Result | AccessError> {
  const runtime = await getRuntime();
  try {
    return await work(runtime);
  } catch (error) {
    if (isAccessError(error)) return error;
    throw error;
  }
}

export async function signOut(): Promise<void> {
  await requireOwnOrigin();
  await endSession();
  redirect("/sign-in");
}
