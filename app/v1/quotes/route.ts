import { route } from "@/app/v1/route-host";
import { quotes } from "@/lib/api/quotes/quotes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(quotes);
