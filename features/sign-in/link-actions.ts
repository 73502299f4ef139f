"use server";

import { redirect } from "next/navigation";
import { requireOwnOrigin, visitorAddress } from "@/features/session/visitor";
import type { LinkState } from "@/features/sign-in/link-form";
import { admit } from "@/features/sign-in/second-step";
import { linkOffer } from "@/features/sign-in/single-sign-on";
import { isAccessError } from "@/lib/access/access-error";
import { getRuntime } from "@/lib/runtime";

/** Links what a provider told of somebody to the account with the same address, for whoever knows its password. */
export async function linkSignIn(_: LinkState, form: FormData): Promise<LinkState> {
  await requireOwnOrigin();
  const offer = await linkOffer.read();
  if (offer === null) redirect("/sign-in?error=late");
  const password = form.get("password");
  if (typeof password !== "string" || password === "") return { error: "Enter your password." };
  const { credentials } = await getRuntime();
  try {
    const account = await credentials.authenticate(offer.email, password, await visitorAddress());
    if (account === null || account.id !== offer.accountId) {
      return {
        error: "The password is not right. After five wrong ones even the right one waits a quarter of an hour.",
      };
    }
    await linkOffer.end();
    return { error: await admit(account, offer.next, offer.identity) };
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { error: error.message };
  }
}
