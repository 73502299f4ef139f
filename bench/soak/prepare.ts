import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { withAccess } from "@/e2e/support/access";
import { NO_LIMIT } from "@/lib/access/plans";
import { instruments } from "@/lib/market/catalog";
import { MINUTE_MS } from "@/lib/time/units";

const BACKFILL_TIMEOUT_MS = 45 * MINUTE_MS;
const POLL_MS = 2_000;

/** Creates a member without limits, and returns the secret of a key. */
export async function createMember(dataDir: string, email: string, password: string): Promise<string> {
  return withAccess({ SPOTLINE_DATA_DIR: dataDir }, async ({ accounts, keys }) => {
    const { id } = await accounts.create({ email, password, plan: "enterprise" });
    await accounts.setLimits(id, { perMinute: NO_LIMIT, perDay: NO_LIMIT });
    return (await keys.create({ accountId: id, label: "soak", scopes: ["all"] })).secret;
  });
}

/** The past is computed once, which takes minutes and much memory, and is not what a soak measures. */
export async function waitForPast(pool: Pool, signal: AbortSignal): Promise<void> {
  console.log("Waiting until the past of every symbol is stored.");
  const deadline = Date.now() + BACKFILL_TIMEOUT_MS;
  while (!signal.aborted) {
    const { rows } = await pool.query<{ filled: number }>("SELECT count(*)::int4 AS filled FROM backfill");
    if (rows[0]?.filled === instruments.length) return;
    if (Date.now() >= deadline) return console.log("The past is not complete; measuring nevertheless.");
    await pause(POLL_MS, undefined, { signal }).catch(() => {});
  }
}
