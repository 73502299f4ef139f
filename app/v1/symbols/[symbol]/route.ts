import { route } from "@/app/v1/route-host";
import { symbol } from "@/lib/api/quotes/symbols";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(symbol);
