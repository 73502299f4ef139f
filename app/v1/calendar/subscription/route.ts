import { calendarSubscription } from "@/lib/api/endpoints/calendar-subscription";
import { route } from "@/app/v1/route-host";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(calendarSubscription);
