import { route } from "@/app/v1/route-host";
import { mt5Calendar } from "@/lib/api/ingest";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(mt5Calendar);
