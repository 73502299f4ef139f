import { awaitDays, listInstruments, readBoard } from "@/features/quotes/data";
import { readOwnLists } from "@/features/quotes/own-lists";
import { createViewRoute } from "@/features/session/data-route";

/** What a board in a panel of a screen shows at first: the instruments, their rows, and the account's lists. */
export const GET = createViewRoute(async ({ account, runtime }) => {
  const [lists] = await Promise.all([readOwnLists(runtime, account), awaitDays(runtime)]);
  return { listed: listInstruments(), board: readBoard(runtime), lists: lists.lists };
});
