import { route } from "@/app/v1/route-host";
import { ohlc } from "@/lib/api/history/ohlc";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(ohlc);
