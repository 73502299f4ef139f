import { readOwnLists, saveOwnLists } from "@/features/quotes/own-lists";
import { createDataRoute } from "@/features/session/data-route";

/** The account's lists of symbols. */
export const GET = createDataRoute(({ runtime, account }) => readOwnLists(runtime, account));

/** Replaces them. */
export const PUT = createDataRoute(({ runtime, account, request }) => saveOwnLists(runtime, account, request));
