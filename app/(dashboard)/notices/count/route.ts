import { createDataRoute } from "@/features/session/data-route";

/** How many notices are new to the account. */
export const GET = createDataRoute(async ({ account, runtime }) => ({
  count: await runtime.notices.countNew(account.id),
}));
