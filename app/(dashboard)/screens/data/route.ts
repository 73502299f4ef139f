import { createScreen } from "@/features/screens/own-screens";
import { createDataRoute } from "@/features/session/data-route";

/** Creates a screen of the account. */
export const POST = createDataRoute(createScreen);
