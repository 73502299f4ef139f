import { route } from "@/app/v1/route-host";
import { mt5Ticks } from "@/lib/api/ingest";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(mt5Ticks);
