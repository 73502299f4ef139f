import { LONGEST_LIST_TEXT, parseListText } from "@/features/quotes/list-format";
import { createViewRoute, refuse } from "@/features/session/data-route";

/** The symbols that the text of the body names, in any spelling. */
export const POST = createViewRoute(async ({ runtime, request }) => {
  const text = await request.text();
  return text.length > LONGEST_LIST_TEXT ? refuse(413, "The text is too long.") : parseListText(text, runtime.resolver);
});
