import { createDataRoute } from "@/features/session/data-route";
import { readLimits } from "@/features/usage/data";

/** The account's limits and how much of them is used. */
export const GET = createDataRoute(async ({ account, runtime }) =>
  readLimits(runtime, account, await runtime.keys.list(account.id)),
);
