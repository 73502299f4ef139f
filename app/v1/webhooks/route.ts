import { route } from "@/app/v1/route-host";
import { createWebhook, listWebhooks } from "@/lib/api/alerts/alerts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createWebhook, listWebhooks);
