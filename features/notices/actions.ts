"use server";

import { revalidatePath } from "next/cache";
import { requireAccount } from "@/features/session/session";
import { requireOwnOrigin } from "@/features/session/visitor";
import { getRuntime } from "@/lib/runtime";

/** Reachable by anyone who can post: it asks who is calling, and puts away nothing but their own. */
export async function dismissNotice(form: FormData): Promise<void> {
  await requireOwnOrigin();
  const { id: accountId } = await requireAccount("/notices");
  const { notices } = await getRuntime();
  const id = form.get("id");
  if (typeof id === "string") await notices.dismiss(accountId, id);
  revalidatePath("/", "layout");
}
