import { indicators } from "@/lib/api/endpoints/indicators";
import { route } from "@/app/v1/route-host";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(indicators);
