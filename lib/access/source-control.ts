import type { Pool } from "pg";
import { AccessError } from "@/lib/access/access-error";
import type { Operator, OperatorCli } from "@/lib/access/actor";
import { NO_ACCOUNT, record } from "@/lib/access/audit/record";
import { requireInstrument } from "@/lib/access/instrument-control";
import { change } from "@/lib/access/revision";
import { MAX_SPELLING_LENGTH } from "@/lib/feeds/intake-source";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";

/** What an operator wants of the sources. Running servers follow it within a second, and later ones from their start. */
export interface SourceSettings {
  /** When each paused source was paused, UTC milliseconds, by its name. */
  readonly paused: ReadonlyMap<string, number>;
  /** Canonical symbols by the spelling of a source, by the source's name. */
  readonly aliases: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Raised with every request to read the file of sources again. */
  readonly reloads: number;
}

export type SourceControl = ReturnType<typeof createSourceControl>;

/** Pauses and resumes sources of prices, gives them aliases, and has their file read again. The audit log has every change. */
export function createSourceControl(database: Database, { now }: { readonly now: Clock }) {
  return {
    readSettings: () => readSourceSettings(database.pool),

    /** Pauses a source. Does nothing if it is paused. The caller checks that the source exists. */
    async pause(name: string, by: Operator | OperatorCli): Promise<void> {
      await change(database, async (transaction) => {
        const added = await transaction.$executeRaw`
          INSERT INTO paused_source (name, paused_at) VALUES (${name}, ${new Date(now())}) ON CONFLICT DO NOTHING`;
        if (added === 0) return;
        const after = { source: name };
        await record(transaction, { atMs: now(), event: "source.pause", by, accountId: NO_ACCOUNT, after });
      });
    },

    /** Resumes a source. Rejects with the AccessError "source_not_paused" if it is not paused. */
    async resume(name: string, by: Operator | OperatorCli): Promise<void> {
      await change(database, async (transaction) => {
        const removed = await transaction.$executeRaw`DELETE FROM paused_source WHERE name = ${name}`;
        if (removed === 0) throw new AccessError("source_not_paused", `The source ${name} is not paused.`);
        const after = { source: name };
        await record(transaction, { atMs: now(), event: "source.resume", by, accountId: NO_ACCOUNT, after });
      });
    },

    /**
     * Gives a spelling of a source a symbol of the catalog, in place of what it named before. Rejects with an AccessError
     * if one of them is invalid. The caller checks that the source exists. Resolves with the canonical symbol.
     */
    async alias(source: string, wanted: { spelling: string; symbol: string }, by: Operator | OperatorCli) {
      const { spelling, symbol } = readAlias(wanted);
      await change(database, async (transaction) => {
        const [before] = await transaction.$queryRaw<{ symbol: string }[]>`
          SELECT symbol FROM source_alias WHERE source = ${source} AND spelling = ${spelling}`;
        if (before?.symbol === symbol) return;
        await transaction.$executeRaw`
          INSERT INTO source_alias (source, spelling, symbol, created_at)
          VALUES (${source}, ${spelling}, ${symbol}, ${new Date(now())})
          ON CONFLICT (source, spelling) DO UPDATE SET symbol = EXCLUDED.symbol, created_at = EXCLUDED.created_at`;
        const facts = before === undefined ? {} : { before: { source, spelling, symbol: before.symbol } };
        const after = { source, spelling, symbol };
        await record(transaction, { atMs: now(), event: "source.alias", by, accountId: NO_ACCOUNT, ...facts, after });
      });
      return symbol;
    },

    /** Removes an alias of `alias`. Rejects with the AccessError "alias_not_found" if there is none. */
    async unalias(source: string, spelling: string, by: Operator | OperatorCli): Promise<void> {
      await change(database, async (transaction) => {
        const [removed] = await transaction.$queryRaw<{ symbol: string }[]>`
          DELETE FROM source_alias WHERE source = ${source} AND spelling = ${spelling} RETURNING symbol`;
        if (removed === undefined) {
          throw new AccessError("alias_not_found", `The source ${source} has no such alias that an operator added.`);
        }
        const before = { source, spelling, symbol: removed.symbol };
        await record(transaction, { atMs: now(), event: "source.unalias", by, accountId: NO_ACCOUNT, before });
      });
    },

    /** Asks every running server to read the file of sources again. Resolves with the number of the request. */
    async reload(by: Operator | OperatorCli): Promise<number> {
      return change(database, async (transaction) => {
        const [row] = await transaction.$queryRaw<{ requests: number }[]>`
          UPDATE source_reload SET requests = requests + 1 RETURNING requests`;
        await record(transaction, { atMs: now(), event: "source.reload", by, accountId: NO_ACCOUNT });
        return row?.requests ?? 0;
      });
    },
  };
}

interface SettingsRow {
  readonly requests: number;
  readonly paused: readonly { readonly name: string; readonly atMs: number }[];
  readonly aliases: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export async function readSourceSettings(pool: Pool): Promise<SourceSettings> {
  const { rows } = await pool.query<SettingsRow>(`
    SELECT requests,
      (SELECT coalesce(json_agg(json_build_object(
                'name', name, 'atMs', round(extract(epoch FROM paused_at) * 1000)) ORDER BY name), '[]')
         FROM paused_source) AS paused,
      (SELECT coalesce(json_object_agg(source, own ORDER BY source), '{}')
         FROM (SELECT source, json_object_agg(spelling, symbol ORDER BY spelling) AS own
                 FROM source_alias GROUP BY source) AS by_source) AS aliases
      FROM source_reload`);
  const { requests = 0, paused = [], aliases = {} } = rows[0] ?? {};
  return {
    paused: new Map(paused.map(({ name, atMs }) => [name, atMs])),
    aliases: new Map(Object.entries(aliases)),
    reloads: requests,
  };
}

/**
 * Checks an alias: the spelling as a source sends it, and a symbol of the catalog in any spelling that is clear. Throws an
 * AccessError, "invalid_spelling" or "invalid_symbol".
 */
function readAlias({ spelling, symbol }: { readonly spelling: string; readonly symbol: string }) {
  // Not trimmed: a broker's spelling may have a blank at its end.
  if (spelling.trim() === "" || spelling.length > MAX_SPELLING_LENGTH || /\p{Cc}/u.test(spelling)) {
    throw new AccessError("invalid_spelling", "Enter the spelling as the source sends it, at most 64 characters.");
  }
  return { spelling, symbol: requireInstrument(symbol, "Choose a symbol of the catalog.").symbol };
}
