import { formatHeaderLine } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";

/** Answered while a server that follows another one lacks changes of it: its prices are too old to be served. */
export const STALE_PRICES = new ApiError(
  "SERVICE_UNAVAILABLE",
  "This server lacks the newest prices at the moment.",
  {},
  formatHeaderLine("Retry-After", 2),
);
