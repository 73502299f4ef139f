import { UsageError } from "@/cli/command";
import type { Access } from "@/cli/services";
import type { Database } from "@/lib/platform/database";
import { parseDay } from "@/lib/time/iso-time";

/** Opens the database, whether a server is running on it or not, for as long as `work` takes. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  // Imported here: the help of a command does not wait for the database client to load.
  const { connectDatabase } = await import("@/cli/services");
  const database = await connectDatabase();
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The same with the services that the commands on accounts and keys work with. */
export function withAccess<Result>(work: (access: Access) => Promise<Result>): Promise<Result> {
  return withDatabase(async (database) => {
    const { createServices } = await import("@/cli/services");
    return work(createServices(database));
  });
}

/** Words separated by commas, without the blanks around them. */
export function wordsIn(text: string): string[] {
  return text.split(",").map((word) => word.trim());
}

/** An ISO 8601 moment, UTC where it names no offset, as UTC milliseconds. */
export function momentIn(option: string, text: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?)?(Z|[+-]\d{2}:\d{2})?$/.exec(text);
  const [, date = "", time = "T00:00", , , zone = "Z"] = match ?? [];
  const atMs = Date.parse(date + time + zone);
  // Date.parse rolls a day that does not exist over into the next month.
  if (match === null || Number.isNaN(atMs) || parseDay(date) === null) {
    throw new UsageError(`--${option} must be a date and time like 2027-01-31T00:00Z.`);
  }
  return atMs;
}

export function isoOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
