import { symbol } from "@/lib/api/endpoints/symbol";
import { route } from "@/app/v1/route-host";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(symbol);
