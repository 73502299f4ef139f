import { route } from "@/app/v1/route-host";
import { ticks } from "@/lib/api/history/ticks";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(ticks);
