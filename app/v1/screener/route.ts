import { screener } from "@/lib/api/endpoints/screener";
import { route } from "@/app/v1/route-host";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(screener);
