import { route } from "@/app/v1/route-host";
import { spreadCompare } from "@/lib/api/history/spread";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(spreadCompare);
