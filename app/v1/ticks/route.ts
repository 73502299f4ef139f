import { ticks } from "@/lib/api/endpoints/ticks";
import { route } from "@/app/v1/route-host";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(ticks);
