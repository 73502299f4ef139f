import { route } from "@/app/v1/route-host";
import { changeAlert, deleteAlert, readAlert } from "@/lib/api/alerts/alerts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(changeAlert, deleteAlert, readAlert);
