"use server";

import { revalidatePath } from "next/cache";
import type { PasswordState, SessionState } from "@/features/account/account-action";
import { once } from "@/features/forms/form-ticket";
import { ownerOf, performOnce, textOf } from "@/features/forms/owner";
import { currentSession, isConfirmed, requireAccount } from "@/features/session/session";
import { requireOwnOrigin, visitorAddress } from "@/features/session/visitor";
import { isAccessError } from "@/lib/access/access-error";
import { getRuntime } from "@/lib/runtime";

/** Actions are reachable by anyone who can post: each one asks who is calling before it does anything. */

async function visitor() {
  await requireOwnOrigin();
  const { id: accountId, email, hasPassword } = await requireAccount("/account");
  const session = await currentSession();
  if (session === null) throw new Error("An account was signed in without a session.");
  const by = { kind: "owner", accountId, address: await visitorAddress() } as const;
  return { accountId, email, hasPassword, sessionId: session.id, by, runtime: await getRuntime() };
}

export async function revokeSession(ticket: string, _: SessionState, form: FormData): Promise<SessionState> {
  const { accountId, by, runtime } = await visitor();
  try {
    const id = textOf(form, "id");
    await once(ticket, `revoke session ${id}`, () => runtime.accountSessions.revoke(accountId, id, by));
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { error: error.message };
  }
  revalidatePath("/account");
  return {};
}

export async function revokeOtherSessions(ticket: string): Promise<SessionState> {
  const { accountId, sessionId, by, runtime } = await visitor();
  try {
    await once(ticket, "revoke others", () => runtime.accountSessions.revokeOthers(accountId, sessionId, by));
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { error: error.message };
  }
  revalidatePath("/account");
  return {};
}

export async function changePassword(ticket: string, _: PasswordState, form: FormData): Promise<PasswordState> {
  const { accountId, hasPassword, sessionId, by, runtime } = await visitor();
  const [old, password] = [textOf(form, "old"), textOf(form, "password")];
  if (!hasPassword && !(await isConfirmed(accountId))) return { error: "Sign in again first, to set a password." };
  if (hasPassword && old === "") return { oldError: "Enter the password you have now." };
  if (hasPassword && password === old) return { newError: "The new password is the one you have now." };
  try {
    await once(ticket, "change password", () =>
      hasPassword
        ? runtime.credentials.changePassword(accountId, { old, password }, by, sessionId)
        : runtime.credentials.setPassword(accountId, password, by, sessionId),
    );
  } catch (error) {
    if (!isAccessError(error)) throw error;
    if (error.code === "invalid_password") return { newError: error.message };
    return { oldError: error.message };
  }
  revalidatePath("/account");
  return { changed: true };
}

/** Ends signing in with somebody else; the password alone, or another one, goes on. */
export async function unlinkIdentity(ticket: string, _: SessionState, form: FormData): Promise<SessionState> {
  try {
    const owner = await ownerOf(form);
    const { identities } = await getRuntime();
    const id = textOf(form, "id");
    await performOnce({ ticket, act: `unlink identity ${id}`, form, owner }, () => identities.unlink(id, owner));
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { error: error.message };
  }
  revalidatePath("/account");
  return {};
}
