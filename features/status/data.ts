import { countViewers } from "@/features/quotes/broadcast";
import { readStatusData as readData, type StatusData } from "@/lib/pages/status-data";
import type { Runtime } from "@/lib/runtime";

/** Reads the data of the status page in the process that renders it. */
export function readStatusData(runtime: Runtime): Promise<StatusData> {
  return readData(runtime, { streams: countViewers(runtime), pages: runtime.vitals() });
}
