import { route } from "@/app/v1/route-host";
import { calendarSubscription } from "@/lib/api/calendar/calendar-feed";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(calendarSubscription);
