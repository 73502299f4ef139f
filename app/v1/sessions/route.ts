import { route } from "@/app/v1/route-host";
import { sessions } from "@/lib/api/quotes/sessions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(sessions);
