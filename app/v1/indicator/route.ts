import { route } from "@/app/v1/route-host";
import { indicator } from "@/lib/api/indicators/indicator";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(indicator);
