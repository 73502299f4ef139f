import type { Directory } from "@/lib/access/admission/directory";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import type { Vitals } from "@/lib/platform/vitals";
import type { ServerStatus } from "@/lib/readers/messages";

/** Where the server answers with the data of the status page, also to the command line. */
export const STATUS_PATH = "/status/data";

/** The data of the status page. */
export interface StatusData {
  readonly nowMs: number;
  /** Null until the server has sent it. */
  readonly status: ServerStatus | null;
  readonly keys: readonly BusyKey[];
  /** Open streams of the quote board. */
  readonly streams: number;
  /** The process that renders the pages; null without pages. */
  readonly pages: Vitals | null;
  readonly database: { readonly kind: "embedded" | "postgresql"; readonly bytes: number | null };
}

export interface BusyKey {
  readonly id: string;
  readonly calls: number;
  readonly refused: number;
  /** Null for a removed key. */
  readonly label: string | null;
  readonly account: string | null;
}

interface Parts {
  readonly database: Database;
  readonly directory: Pick<Directory, "key">;
  readonly now: Clock;
  serverStatus(): Promise<ServerStatus | null>;
}

const SIZE_CACHED_MS = 30_000;
const sizes = new WeakMap<Database, { readonly readAtMs: number; readonly bytes: Promise<number | null> }>();

/** Reads the data of the status page. Only the process of the pages has streams of the board. */
export async function readStatusData(
  { database, directory, now, serverStatus }: Parts,
  pages: Pick<StatusData, "streams" | "pages">,
): Promise<StatusData> {
  const status = await serverStatus();
  const keys = (status?.traffic.keys ?? []).map(({ keyId, ...calls }): BusyKey => {
    const key = directory.key(keyId);
    return { id: keyId, ...calls, label: key?.label ?? null, account: key?.account.email ?? null };
  });
  const bytes = await readSize(database, now());
  return { nowMs: now(), status, keys, ...pages, database: { kind: database.kind, bytes } };
}

/** The size of the database in bytes, cached for all readers; null where it cannot be measured. */
function readSize(database: Database, nowMs: number): Promise<number | null> {
  const cached = sizes.get(database);
  if (cached !== undefined && Math.abs(nowMs - cached.readAtMs) < SIZE_CACHED_MS) return cached.bytes;
  const bytes = database.pool
    .query<{ bytes: string }>("SELECT pg_database_size(current_database()) AS bytes")
    .then(({ rows }) => Number(rows[0]?.bytes))
    .catch(() => null);
  sizes.set(database, { readAtMs: nowMs, bytes });
  return bytes;
}
