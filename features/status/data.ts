import { countViewers } from "@/features/quotes/broadcast";
import type { BusyKey, StatusData } from "@/lib/pages/status-data";
import type { Database } from "@/lib/platform/database";
import type { Runtime } from "@/lib/runtime";

const SIZE_KEPT_MS = 30_000;
const sizes = new WeakMap<Database, { readonly readAtMs: number; readonly bytes: Promise<number | null> }>();

/** Everything the status page shows, as of this moment. */
export async function readStatusData(runtime: Runtime): Promise<StatusData> {
  const { database, directory, now } = runtime;
  const status = runtime.serverStatus();
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
    database: { kind: database.kind, bytes: await sizeOf(database, now()) },
  };
}

/** Measured once in a while, for everybody who looks; null where it cannot be. */
function sizeOf(database: Database, nowMs: number): Promise<number | null> {
  const known = sizes.get(database);
  if (known !== undefined && Math.abs(nowMs - known.readAtMs) < SIZE_KEPT_MS) return known.bytes;
  const bytes = database.pool
    .query<{ bytes: string }>("SELECT pg_database_size(current_database()) AS bytes")
    .then(({ rows }) => Number(rows[0]?.bytes))
    .catch(() => null);
  sizes.set(database, { readAtMs: nowMs, bytes });
  return bytes;
}
