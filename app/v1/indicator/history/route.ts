import { route } from "@/app/v1/route-host";
import { indicatorHistory } from "@/lib/api/indicators/indicator-history";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(indicatorHistory);
