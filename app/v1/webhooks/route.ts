import { route } from "@/app/v1/route-host";
import { createWebhook, listWebhooks } from "@/lib/api/alerts/webhooks";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createWebhook, listWebhooks);
