import { route } from "@/app/v1/route-host";
import { ready } from "@/lib/api/service/health";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(ready);
