import { expect, test, vi } from "vitest";
import { createKey, type Fleet, quote } from "@/e2e/process/fleet";
import { type Access, withAccess } from "@/e2e/support/access";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { KeyChanges } from "@/lib/access/keys/keys";

/** Tests of servers that share a database: a change that ends or narrows a key applies on each within a second. */
export function testRevocation(getFleet: () => Fleet): void {
  const callAll = (key: string) =>
    Promise.all(
      getFleet().servers.map(async (server) => {
        const { status, error } = await quote(server, key);
        return error === null ? status : error.code;
      }),
    );

  /** Expects the same answer of both servers within a second of the change. */
  async function expectWithinASecond(key: string, expected: number | string): Promise<void> {
    const sinceMs = performance.now();
    const both = [expected, expected];
    await vi.waitFor(async () => expect(await callAll(key)).toEqual(both), { timeout: 1_000, interval: 20 });
    expect(performance.now() - sinceMs).toBeLessThan(1_500);
    // The answer must not change back.
    expect(await callAll(key)).toEqual(both);
  }

  const change = (work: (access: Access) => Promise<unknown>) => withAccess(getFleet().place, work);
  const update = (id: string, changes: KeyChanges) => change(({ keys }) => keys.update(id, changes, OPERATOR_CLI));
  const changes: [what: string, change: (id: string) => Promise<unknown>, answer: string][] = [
    ["revoked", (id) => change(({ keys }) => keys.revoke(id, OPERATOR_CLI)), "API_KEY_DISABLED"],
    ["narrowed to other scopes", (id) => update(id, { scopes: ["indicators"] }), "PERMISSION_DENIED"],
  ];

  test.each(changes)("refuse a key within a second after it is %s", async (_, change, answer) => {
    const { id, key } = await createKey(getFleet());
    await expectWithinASecond(key, 200);
    await change(id);
    await expectWithinASecond(key, answer);
  });

  test("refuse a key when it expires, even if the expiry was set shortly before", async () => {
    const { id, key } = await createKey(getFleet());
    await expectWithinASecond(key, 200);
    const expiresAtMs = Date.now() + 3_000;
    await update(id, { expiresAtMs });
    await new Promise((resolve) => setTimeout(resolve, expiresAtMs - Date.now()));
    await expectWithinASecond(key, "API_KEY_EXPIRED");
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAtMs);
  });

  test("refuse every key of an account within a second of its suspension", async () => {
    const { key } = await createKey(getFleet());
    await expectWithinASecond(key, 200);
    await change(({ accountStatus }) => accountStatus.setSuspended(getFleet().accountId, true));
    await expectWithinASecond(key, "ACCOUNT_SUSPENDED");
    await change(({ accountStatus }) => accountStatus.setSuspended(getFleet().accountId, false));
    await expectWithinASecond(key, 200);
  });
}
