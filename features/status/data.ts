import { countViewers } from "@/features/quotes/stream/broadcast";
import type { BusyKey, StatusData } from "@/lib/pages/status-data";
import type { Database } from "@/lib/platform/database/database";
import type { Runtime } from "@/lib/runtime";

const SIZE_CACHED_MS = 30_000;
const sizes = new WeakMap<Database, { readonly readAtMs: number; readonly bytes: Promise<number | null> }>();

/** Reads the data of the status page. */
export async function readStatusData(runtime: Runtime): Promise<StatusData> {
  const { database, directory, now } = runtime;
  const status = await runtime.serverStatus();
  const keys = (status?.traffic.keys ?? []).map(({ keyId, ...calls }): BusyKey => {
    const key = directory.key(keyId);
    return { id: keyId, ...calls, label: key?.label ?? null, account: key?.account.email ?? null };
  });
  return {
    nowMs: now(),
    status,
    keys,
    streams: countViewers(runtime),
    pages: runtime.vitals(),
    database: { kind: database.kind, bytes: await readSize(database, now()) },
  };
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
