import { route } from "@/app/v1/route-host";
import { multi } from "@/lib/api/indicators/multi";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(multi);
