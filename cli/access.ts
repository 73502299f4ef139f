import { UsageError } from "@/cli/command";
import type { Access } from "@/cli/services";
import type { Database } from "@/lib/platform/database/database";
import { parseDay } from "@/lib/time/iso-time";

/** Opens the database for the duration of `work`. A server may be running on it. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  // Imported on demand, so that the help does not load the database client.
  const { connectDatabase } = await import("@/cli/services");
  const database = await connectDatabase();
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Opens the database and the services of the commands on accounts and keys. */
export function withAccess<Result>(work: (access: Access) => Promise<Result>): Promise<Result> {
  return withDatabase(async (database) => {
    const { createServices } = await import("@/cli/services");
    return work(createServices(database));
  });
}

/** Splits a comma-separated list and trims its items. */
export function splitList(text: string): string[] {
  return text.split(",").map((word) => word.trim());
}

/** Parses an ISO 8601 time as UTC milliseconds. Without an offset it is UTC. */
export function parseMoment(option: string, text: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?)?(Z|[+-]\d{2}:\d{2})?$/.exec(text);
  const [, date = "", time = "T00:00", , , zone = "Z"] = match ?? [];
  const atMs = Date.parse(date + time + zone);
  // Date.parse accepts a day that does not exist, such as 30 February.
  if (match === null || Number.isNaN(atMs) || parseDay(date) === null) {
    throw new UsageError(`--${option} must be a date and time like 2027-01-31T00:00Z.`);
  }
  return atMs;
}

export function toIso(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
