import { route } from "@/app/v1/route-host";
import { indicators } from "@/lib/api/indicators/indicators";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(indicators);
