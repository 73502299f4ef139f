import { linkRoute } from "@/app/v1/route-host";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = linkRoute();
