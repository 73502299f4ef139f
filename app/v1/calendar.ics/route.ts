import { calendarFeed } from "@/lib/api/endpoints/calendar-feed";
import { route } from "@/app/v1/route-host";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(calendarFeed);
