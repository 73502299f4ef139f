import { orderScreens } from "@/features/screens/own-screens";
import { createDataRoute } from "@/features/session/data-route";

/** Puts the account's screens into an order. */
export const PUT = createDataRoute(orderScreens);
