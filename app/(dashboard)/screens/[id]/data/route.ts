import { removeScreen, saveScreen } from "@/features/screens/own-screens";
import { createDataRoute, refuse } from "@/features/session/data-route";

/** One screen of the account. */
export const GET = createDataRoute<{ id: string }>(async ({ runtime, account, params }) => {
  const screen = await runtime.screens.find(account.id, params.id);
  return screen ?? refuse(404, "This screen no longer exists.");
});

/** Replaces it. */
export const PUT = createDataRoute(saveScreen);

export const DELETE = createDataRoute(removeScreen);
