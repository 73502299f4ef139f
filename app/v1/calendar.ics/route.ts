import { route } from "@/app/v1/route-host";
import { calendarFeed } from "@/lib/api/calendar/calendar-feed";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(calendarFeed);
