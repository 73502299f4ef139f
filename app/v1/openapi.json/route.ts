import { route } from "@/app/v1/route-host";
import { openapi } from "@/lib/api/registry";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(openapi);
