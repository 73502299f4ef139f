import { readLayout, saveLayout } from "@/lib/api/endpoints/monitor-layout";
import { route } from "@/app/v1/route-host";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readLayout, saveLayout);
