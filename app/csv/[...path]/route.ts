import { apiHandlers } from "@/app/route-host";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiHandlers;
