import { route } from "@/app/v1/route-host";
import { screener } from "@/lib/api/indicators/screener";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(screener);
