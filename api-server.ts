import { isApiTarget } from "@/lib/api/api-target";
import { runApi } from "@/lib/runtime/run-api";

runApi(isApiTarget);
