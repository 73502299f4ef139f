import { route } from "@/app/v1/route-host";
import { indicatorsList } from "@/lib/api/indicators/indicators-list";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(indicatorsList);
