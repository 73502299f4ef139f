import { route } from "@/app/v1/route-host";
import { quotes } from "@/lib/api/quotes/quote";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(quotes);
