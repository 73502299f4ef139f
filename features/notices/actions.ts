"use server";

import { defineAction } from "@/features/forms/define-action";
import { OPTIONAL_KINDS } from "@/lib/access/notices/notices";

/** Dismisses one of the caller's notices, or "all". The count beside the bell is on every page. */
export const dismissNotice = defineAction(
  { by: "owner", page: "/notices", revalidate: "/", act: "dismiss" },
  async ({ form, runtime, account }) => {
    await runtime.notices.dismiss(account.id, form.text("id"));
  },
);

/** Stores which of the caller's notices are also mailed: those whose field is "mail". */
export const chooseNotices = defineAction(
  { by: "owner", page: "/notices", act: "choose notices" },
  async ({ form, runtime, account }) => {
    const unmailed = OPTIONAL_KINDS.filter((kind) => form.text(kind) !== "mail");
    await runtime.notices.setUnmailed(account.id, unmailed);
  },
);
