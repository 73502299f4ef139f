"use server";

import { defineAction } from "@/features/forms/define-action";

/** Dismisses one of the caller's notices, or "all". The count beside the bell is on every page. */
export const dismissNotice = defineAction(
  { by: "owner", page: "/notices", revalidate: "/", act: "dismiss" },
  async ({ form, runtime, account }) => {
    await runtime.notices.dismiss(account.id, form.text("id"));
  },
);
