import { route } from "@/app/v1/route-host";
import { calendar } from "@/lib/api/calendar/calendar";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(calendar);
