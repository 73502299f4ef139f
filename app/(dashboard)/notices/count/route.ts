import { dataRoute } from "@/features/session/data-route";

/** How many notices are new to the account. */
export const GET = dataRoute(async ({ account, runtime }) => ({ count: await runtime.notices.countNew(account.id) }));
