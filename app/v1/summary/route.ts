import { route } from "@/app/v1/route-host";
import { summary } from "@/lib/api/indicators/summary";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(summary);
