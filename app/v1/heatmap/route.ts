import { route } from "@/app/v1/route-host";
import { heatmap } from "@/lib/api/indicators/heatmap";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(heatmap);
