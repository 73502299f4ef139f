import { randomUUID } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import type { Owner } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/record";
import { change } from "@/lib/access/revision";
import { formatMoment } from "@/lib/export/dataset";
import { type ExportJob, type ExportRequest, listJobs, readJob } from "@/lib/export/export-jobs";
import type { ExportStore } from "@/lib/export/export-store";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";

/** What programs do with exports of long ranges. A process of a server does the work; see lib/runtime/job-runner.ts. */

export type ExportControl = ReturnType<typeof createExportControl>;

/** Exports of an account that are not finished, and those that it has in all. */
const MOST_UNFINISHED = 3;
const MOST_KEPT = 20;

interface ExportCaller {
  readonly by: Owner;
  readonly keyId: string;
}

export function createExportControl(
  database: Database,
  { store, now }: { readonly store: ExportStore; readonly now: Clock },
) {
  const { pool } = database;
  return {
    /** An export of any account; null if there is none. */
    read: (id: string) => readJob(pool, id),

    /** An export; null if the account has none with this id. */
    async find(accountId: string, id: string): Promise<ExportJob | null> {
      const job = await readJob(pool, id);
      return job?.accountId === accountId ? job : null;
    },

    /** The exports of an account, newest first. */
    list: (accountId: string) => listJobs(pool, accountId),

    /** Has something exported. Rejects with an AccessError if the account has too many exports. */
    async create(request: ExportRequest, { by, keyId }: ExportCaller): Promise<ExportJob> {
      const id = randomUUID();
      const { accountId } = by;
      await change(database, async (transaction) => {
        const [counted] = await transaction.$queryRaw<{ unfinished: number; kept: number }[]>`
          SELECT count(*) FILTER (WHERE state IN ('queued', 'running'))::int4 AS unfinished, count(*)::int4 AS kept
            FROM export_job WHERE account_id = ${accountId}::uuid AND (expires_at IS NULL OR expires_at > now())`;
        const { unfinished = 0, kept = 0 } = counted ?? {};
        if (unfinished >= MOST_UNFINISHED) {
          const message = `An account may have ${MOST_UNFINISHED} exports that are not finished. Wait until one is, or delete one.`;
          throw new AccessError("too_many_exports", message);
        }
        if (kept >= MOST_KEPT) {
          throw new AccessError("too_many_exports", `An account may have ${MOST_KEPT} exports. Delete one.`);
        }
        await transaction.$executeRaw`
          INSERT INTO export_job (id, account_id, key_id, request)
          VALUES (${id}::uuid, ${accountId}::uuid, ${keyId}::uuid, ${JSON.stringify(request)}::jsonb)`;
        const { what, symbols, timeframe, resolution, fromMs, toMs, format } = request;
        const after = {
          export: id,
          what,
          symbols,
          timeframe,
          ...(resolution === "tick" ? { resolution } : {}),
          from: formatMoment(fromMs),
          to: formatMoment(toMs),
          format,
        };
        await record(transaction, { atMs: now(), event: "export.create", by, accountId, keyId, after });
      });
      return (await readJob(pool, id)) as ExportJob;
    },

    /** Deletes an export with its files; the process that works on it stops. */
    async remove(job: ExportJob, { by, keyId }: ExportCaller): Promise<void> {
      await change(database, async (transaction) => {
        const removed = await transaction.$executeRaw`DELETE FROM export_job WHERE id = ${job.id}::uuid`;
        if (removed === 0) return;
        const { accountId } = by;
        await record(transaction, {
          atMs: now(),
          event: "export.delete",
          by,
          accountId,
          keyId,
          before: { export: job.id },
        });
      });
      await store.removeJob(job.id);
    },
  };
}
