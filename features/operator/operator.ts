import { notFound } from "next/navigation";
import { ownerOf } from "@/features/forms/owner";
import { requireAccount } from "@/features/session/session";
import { requireOwnOrigin } from "@/features/session/visitor";
import type { Account } from "@/lib/access/accounts/accounts";
import type { Operator } from "@/lib/access/actor";

/** The signed-in operator; whoever else is signed in finds nothing at `here`, a path of this site. */
export async function requireOperator(here: string): Promise<Account> {
  const account = await requireAccount(here);
  if (account.role !== "operator") notFound();
  return account;
}

/**
 * The operator who has sent a form: nothing that the form says decides that. A password in it confirms what is asked
 * for, as on the keys pages; a wrong one throws an AccessError.
 */
export async function operatorOf(form: FormData): Promise<Operator> {
  await requireOwnOrigin();
  await requireOperator("/operator/accounts");
  return { ...(await ownerOf(form)), kind: "operator" };
}
