import { route } from "@/app/v1/route-host";
import { deleteWebhook, testWebhook } from "@/lib/api/alerts/alerts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(deleteWebhook, testWebhook);
