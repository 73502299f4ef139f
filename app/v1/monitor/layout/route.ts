import { route } from "@/app/v1/route-host";
import { readLayout, saveLayout } from "@/lib/api/service/monitor";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readLayout, saveLayout);
