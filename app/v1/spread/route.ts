import { route } from "@/app/v1/route-host";
import { spread } from "@/lib/api/history/spread";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(spread);
