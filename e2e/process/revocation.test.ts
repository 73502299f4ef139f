import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createKey, type Fleet, OWNER, quote, startFleet } from "@/e2e/process/fleet";
import { withAccess } from "@/e2e/support/access";
import { createFilledDatabase } from "@/e2e/support/prepared-past";
import type { Spotline } from "@/e2e/support/spotline";
import { OPERATOR_CLI } from "@/lib/access/actor";

/** A change that ends or narrows a key applies within a second on every process. */

const database = await createFilledDatabase();
if (database === null) console.warn("SKIPPED: no PostgreSQL is reachable, so two servers cannot share one");

describe.runIf(database !== null)("Two servers that share a database", () => {
  let fleet: Fleet;
  let servers: Spotline[] = [];
  let cli: Spotline["cli"];

  beforeAll(async () => {
    fleet = await startFleet(2, { DATABASE_URL: database?.url ?? "" });
    servers = fleet.servers;
    ({ cli } = servers[0] as Spotline);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await database?.drop();
  });

  const callAll = (key: string) =>
    Promise.all(
      servers.map(async (server) => {
        const { status, error } = await quote(server, key);
        return error === null ? status : error.code;
      }),
    );

  /** Expects the same answer of both servers within a second of the command. */
  async function expectWithinASecond(key: string, expected: number | string): Promise<void> {
    const sinceMs = performance.now();
    const both = [expected, expected];
    await vi.waitFor(async () => expect(await callAll(key)).toEqual(both), { timeout: 1_000, interval: 20 });
    expect(performance.now() - sinceMs).toBeLessThan(1_500);
    // The answer must not change back.
    expect(await callAll(key)).toEqual(both);
  }

  const changes: [what: string, change: (id: string) => Promise<unknown>, answer: string][] = [
    ["revoked", (id) => cli("key", "revoke", "--id", id), "API_KEY_DISABLED"],
    ["disabled", (id) => cli("key", "disable", "--id", id), "API_KEY_DISABLED"],
    ["rotated out", (id) => cli("key", "rotate", "--id", id, "--grace", "now"), "API_KEY_EXPIRED"],
    [
      "narrowed to other scopes",
      (id) => cli("key", "update", "--id", id, "--scopes", "indicators"),
      "PERMISSION_DENIED",
    ],
    ["narrowed to other addresses", (id) => cli("key", "update", "--id", id, "--ips", "203.0.113.7"), "IP_NOT_ALLOWED"],
  ];

  test.each(changes)("refuse a key within a second after it is %s", async (_, change, answer) => {
    const { id, key } = await createKey(fleet);
    await expectWithinASecond(key, 200);
    await change(id);
    await expectWithinASecond(key, answer);
  });

  test("refuse a key when it expires, even if the expiry was set shortly before", async () => {
    const { id, key } = await createKey(fleet);
    await expectWithinASecond(key, 200);
    const expiresAtMs = Date.now() + 3_000;
    await withAccess(fleet.place, ({ keys }) => keys.update(id, { expiresAtMs }, OPERATOR_CLI));
    await new Promise((resolve) => setTimeout(resolve, expiresAtMs - Date.now()));
    await expectWithinASecond(key, "API_KEY_EXPIRED");
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAtMs);
  });

  test("refuse every key of an account within a second of its suspension", async () => {
    const { key } = await createKey(fleet);
    await expectWithinASecond(key, 200);
    await cli("account", "suspend", "--email", OWNER);
    await expectWithinASecond(key, "ACCOUNT_SUSPENDED");
    await cli("account", "resume", "--email", OWNER);
    await expectWithinASecond(key, 200);
  });
});
