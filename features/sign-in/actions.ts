"use server";

import { redirect } from "next/navigation";
import { FieldError } from "@/features/forms/action-state";
import { defineAnonymousAction } from "@/features/forms/define-action";
import type { FormReader } from "@/features/forms/form-reader";
import { createNoSiteError, readPasskeyAnswer } from "@/features/forms/passkey-answer";
import { readPasskeySite } from "@/features/session/passkey-site";
import { endSession, startSession } from "@/features/session/session";
import { endDemo, startDemo } from "@/features/session/viewer";
import { requireOwnOrigin } from "@/features/session/visitor";
import { HOME_PATH, toSafeNextPath } from "@/features/sign-in/next-path";
import {
  admit,
  enter,
  readPasskeyBrowser,
  readProvedCaller,
  requireNotSuspended,
} from "@/features/sign-in/second-step";
import { linkOffer } from "@/features/sign-in/single-sign-on";
import { AccessError, isAccessError } from "@/lib/access/access-error";
import { anonymous } from "@/lib/access/actor";

/** A valid address has at most 254 characters. Longer input is cut before any work. */
const MAX_EMAIL_LENGTH = 320;
/** Codes are shorter than this, with spaces and dashes. */
const MAX_CODE_LENGTH = 64;
/**
 * The same text for a wrong password, an unknown address and too many attempts, so that it does not reveal accounts.
 */
const REFUSED =
  "The e-mail address or the password is not right. After five wrong attempts, you must wait 15 minutes, even with the right password.";
const WRONG_PASSWORD =
  "The password is not right. After five wrong attempts, you must wait 15 minutes, even with the right password.";

function readEmail(form: FormReader): { email: string } {
  return { email: form.text("email", MAX_EMAIL_LENGTH) };
}

/** Reads the address and the password of a form. */
function readCredentials(form: FormReader): { email: string; password: string } {
  const { email } = readEmail(form);
  if (!email.includes("@")) throw new FieldError("email", "Enter an e-mail address, such as name@example.com.");
  return { email, password: form.text("password") };
}

export const signIn = defineAnonymousAction({ values: readEmail }, async ({ form, runtime, address }) => {
  const { email, password } = readCredentials(form);
  if (password === "") throw new FieldError("password", "Enter your password.");
  const account = await runtime.credentials.authenticate(email, password, address);
  if (account === null) throw new AccessError("wrong_password", REFUSED);
  await admit(account, toSafeNextPath(form.text("next")));
});

export const signUp = defineAnonymousAction(
  { values: readEmail, fields: { invalid_email: "email", invalid_password: "password" } },
  async ({ form, runtime, address }) => {
    const invitation = form.text("invitation") || undefined;
    const setupCode = form.text("setup") || undefined;
    const account = await runtime.accounts
      .create({ ...readCredentials(form), invitation, setupCode }, anonymous(address))
      .catch((error: unknown) => {
        if (!isAccessError(error) || error.code !== "email_taken") throw error;
        throw new AccessError(error.code, "An account with this address may already exist. Try signing in instead.");
      });
    await startSession(account.id);
    redirect(toSafeNextPath(form.text("next")));
  },
);

/** Mails a link for a new password. The answer is the same whether or not the address has an account. */
export const requestReset = defineAnonymousAction({ values: readEmail }, async ({ form, runtime, address }) => {
  const { email } = readEmail(form);
  if (!email.includes("@")) throw new FieldError("email", "Enter an e-mail address, such as name@example.com.");
  const { mailer, publicUrl, passwordReset } = runtime;
  if (mailer === null) throw new AccessError("reset_not_valid", "This installation sends no mail.");
  if (!(await passwordReset.request(email, address, { mailer, publicUrl })))
    throw new AccessError("too_many_attempts", "Too many requests for new passwords. Try again in an hour.");
});

/** Sets a new password by the link of a mail. Signing in stays a step of its own, with the second factor. */
export const resetPassword = defineAnonymousAction(
  { fields: { invalid_password: "password" } },
  async ({ form, runtime, address }) => {
    await runtime.passwordReset.complete(form.text("token"), form.text("password"), address);
    redirect("/sign-in?done=reset");
  },
);

/** The second step of signing in: a code from the app, or a recovery code. */
export const signInWithCode = defineAnonymousAction({}, async ({ form, runtime, address }) => {
  const proved = await readProvedCaller();
  if (proved === null) redirect("/sign-in?error=late");
  const { accountId } = proved;
  const code = form.text("code", MAX_CODE_LENGTH);
  if (code.trim() === "") throw new FieldError("code", "Enter a code.");
  try {
    await runtime.secondFactors.check(code, { kind: "owner", accountId, address });
  } catch (error) {
    // The app was turned off in the meantime.
    if (isAccessError(error) && (await runtime.secondFactors.state(accountId)) === null) redirect("/sign-in");
    throw error;
  }
  const account = await runtime.accounts.find(accountId);
  if (account === null) redirect("/sign-in");
  await requireNotSuspended(account);
  redirect(await enter(proved));
});

/** Signs in with a passkey alone: its device has verified the user, so that it counts as both factors. */
export const signInWithPasskey = defineAnonymousAction({}, async ({ form, runtime, address }) => {
  const [answer, site, browser] = [readPasskeyAnswer(form), await readPasskeySite(), await readPasskeyBrowser()];
  if (answer === null || site === null || browser === null) throw createNoSiteError();
  const accountId = await runtime.passkeys.signIn({ ...answer, site, boundTo: browser, address });
  const account = await runtime.accounts.find(accountId);
  if (account === null) redirect("/sign-in");
  await requireNotSuspended(account);
  const proved = await readProvedCaller();
  // As the second step after a sign-in with a provider, it also links the provider.
  const link = proved?.accountId === accountId ? proved.link : undefined;
  const next = toSafeNextPath(form.text("next"));
  redirect(await enter({ accountId, next, ...(link === undefined ? {} : { link }) }));
});

/** Links an identity to the account with the same address, for a caller who has its password. */
export const linkSignIn = defineAnonymousAction({}, async ({ form, runtime, address }) => {
  const offer = await linkOffer.read();
  if (offer === null) redirect("/sign-in?error=late");
  const password = form.text("password");
  if (password === "") throw new FieldError("password", "Enter your password.");
  const account = await runtime.credentials.authenticate(offer.email, password, address);
  if (account?.id !== offer.accountId) throw new FieldError("password", WRONG_PASSWORD);
  await linkOffer.end();
  await admit(account, offer.next, offer.identity);
});

/** Ends the caller's session. It needs no ticket, because it cannot be done twice. */
export async function signOut(): Promise<void> {
  await requireOwnOrigin();
  await endSession();
  await endDemo();
  redirect("/sign-in");
}

export async function enterDemo(): Promise<void> {
  await requireOwnOrigin();
  await startDemo();
  redirect(HOME_PATH);
}

export async function leaveDemo(): Promise<void> {
  await requireOwnOrigin();
  await endDemo();
  redirect("/");
}
