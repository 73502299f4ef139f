import { route } from "@/app/v1/route-host";
import { stream } from "@/lib/api/stream/stream";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(stream);
