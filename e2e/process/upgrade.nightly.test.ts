import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { simulateFewPrices } from "@/e2e/support/few-prices";
import { type Spotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { mintSecret } from "@/lib/access/keys/key-format";
import { hashSecret } from "@/lib/access/secret";
import { applyMigrations } from "@/lib/platform/database/migrations";
import { silentLog } from "@/lib/platform/log/log";
import { createDatabase } from "@/lib/platform/testing/postgres-server";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** A server of today starts on the database of the first version, and serves what was in it. */

const FIRST_MIGRATIONS = ["20261121000000_initial", "20261121100000_recorder"];

/** Creates the schema of the first version. */
async function migrateToFirst(client: pg.ClientBase): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "spotline-migrations-"));
  for (const name of FIRST_MIGRATIONS) cpSync(join("prisma/migrations", name), join(folder, name), { recursive: true });
  expect(await applyMigrations(client, { directory: folder, log: silentLog })).toEqual(FIRST_MIGRATIONS);
  rmSync(folder, { recursive: true });
}

/** Inserts an account with a key, calls of an earlier hour and bars of that time. */
async function insertData(client: pg.ClientBase, secret: string, hourMs: number): Promise<void> {
  const [accountId, keyId] = [randomUUID(), randomUUID()];
  await client.query(
    "INSERT INTO account (id, email, password_hash, role, plan) VALUES ($1, $2, '', 'operator', 'pro')",
    [accountId, "first@example.com"],
  );
  await client.query(
    `INSERT INTO api_key (id, account_id, label, secret_hash, start, last4, scopes, allowed_cidrs)
     VALUES ($1, $2, 'first', $3, $4, $5, '{all}', '{}')`,
    [keyId, accountId, hashSecret(secret), secret.slice(0, 13), secret.slice(-4)],
  );
  await client.query(
    `INSERT INTO usage_hour (key_id, account_id, hour, endpoint, status, calls, credits)
     VALUES ($1, $2, to_timestamp($3), '/v1/quote', 200, 7, 7)`,
    [keyId, accountId, hourMs / SECOND_MS],
  );
  for (let at = 0; at < 3; at++) {
    await client.query(
      `INSERT INTO bar (symbol, timeframe, time, open, high, low, close, volume)
       VALUES ('EURUSD', 60, $1, 110000, 110100, 109900, 110050, 42)`,
      [hourMs / SECOND_MS - at * 3600],
    );
  }
}

/** Prepares the database with `work`. Returns the settings of a server on it. */
async function preparePlace(
  work: (client: pg.Client) => Promise<void>,
): Promise<{ env: Record<string, string>; remove: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), "spotline-upgrade-"));
  const removeData = () => rmSync(dataDir, { recursive: true, force: true });
  const { url, drop } = await createDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
  return { env: { DATABASE_URL: url, SPOTLINE_DATA_DIR: dataDir }, remove: () => drop().finally(removeData) };
}

describe("The database of the first version", () => {
  test("is upgraded at the start, and its keys, usage and bars are served", async () => {
    const secret = mintSecret();
    const hourMs = Math.floor(Date.now() / HOUR_MS - 30 * 24) * HOUR_MS;
    const { env, remove } = await preparePlace(async (client) => {
      await migrateToFirst(client);
      await insertData(client, secret, hourMs);
    });
    let server: Spotline | null = null;
    try {
      server = await startTestServer({ env: { ...simulateFewPrices(), ...WITHOUT_PAGES, ...env } });
      const { url } = server;
      const read = async (path: string) => {
        const answer = await fetch(url + path, { headers: { "X-API-Key": secret } });
        return { status: answer.status, body: (await answer.json()) as unknown };
      };
      expect((await read("/v1/quote?symbol=EURUSD")).status).toBe(200);
      const from = new Date(hourMs - 2 * HOUR_MS).toISOString();
      const to = new Date(hourMs + HOUR_MS).toISOString();
      const candle = { open: 1.1, high: 1.101, low: 1.099, close: 1.1005, volume: 42 };
      expect(await read(`/v1/ohlc?symbol=EURUSD&timeframe=H1&from=${from}&to=${to}`)).toMatchObject({
        status: 200,
        body: { data: { candles: [candle, candle, candle] } },
      });
      expect(await server.cli("account", "list")).toMatchObject({
        accounts: [{ email: "first@example.com", role: "operator", plan: "pro" }],
      });
    } finally {
      await server?.stop();
      await remove();
    }
  }, 150_000);
});
