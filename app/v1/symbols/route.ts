import { symbols } from "@/lib/api/endpoints/symbols";
import { route } from "@/app/v1/route-host";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(symbols);
