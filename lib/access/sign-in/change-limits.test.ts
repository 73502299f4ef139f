import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHANGE_LIMITS, createChangeLimits } from "@/lib/access/sign-in/change-limits";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { MINUTE_MS } from "@/lib/time/units";

describe.each(databaseKinds)("the limits of changes in %s", (kind) => {
  let testDatabase: TestDatabase;
  let nowMs = Date.UTC(2026, 0, 15);
  let senders = 0;
  /** One server of several on the database. */
  const open = () => createChangeLimits(testDatabase.db, { now: () => nowMs });
  const member = (address: string | null = null) => ({ id: `member ${senders++}`, role: "member", address }) as const;
  const operator = () => ({ id: `operator ${senders++}`, role: "operator", address: null }) as const;

  beforeAll(async () => {
    testDatabase = await openTestDatabase(kind);
  });
  afterAll(() => testDatabase.cleanup());

  /** Sends forms until one is refused. Returns how many were not, and the message. */
  async function sendUntilRefused(sender: Parameters<ReturnType<typeof open>["count"]>[0]) {
    const servers = [open(), open()];
    for (let sent = 0; ; sent++) {
      const error = await servers[sent % 2]?.count(sender).catch((error: unknown) => error);
      if (error !== undefined) return { sent, error };
    }
  }

  async function setCount(name: string, used: number): Promise<void> {
    const { rowCount } = await testDatabase.db.pool.query("UPDATE attempt SET used = $2 WHERE name = $1", [name, used]);
    expect(rowCount).toBe(1);
  }

  const refusal = (message: string) => expect.objectContaining({ code: "too_many_changes", message }) as unknown;

  test("An account may send its forms of a minute, on all servers together, then waits", async () => {
    const sender = member();
    nowMs += MINUTE_MS;
    expect(await sendUntilRefused(sender)).toEqual({
      sent: 30,
      error: refusal(
        "Nothing was changed: your account has sent 30 forms within a minute, the most allowed. Send the form again in 60 seconds.",
      ),
    });
    nowMs += MINUTE_MS - 1_000;
    await expect(open().count(sender)).rejects.toThrow("Send the form again in 1 second.");
    await open().count(member());
    nowMs += 1_000;
    await open().count(sender);
  });

  test("An account may send its forms of an hour", async () => {
    const sender = member();
    await open().count(sender);
    await setCount(`change-hour:${sender.id}`, CHANGE_LIMITS.member.account.hour - 1);
    nowMs += 10 * MINUTE_MS;
    expect(await sendUntilRefused(sender)).toEqual({
      sent: 1,
      error: refusal(
        "Nothing was changed: your account has sent 300 forms within an hour, the most allowed. Send the form again in 50 minutes.",
      ),
    });
    nowMs += 50 * MINUTE_MS;
    await open().count(sender);
  });

  test("An operator may send more", async () => {
    const sender = operator();
    await open().count(sender);
    await setCount(`change-minute:${sender.id}`, CHANGE_LIMITS.operator.account.minute - 1);
    expect((await sendUntilRefused(sender)).sent).toBe(1);
  });

  test("All accounts of one network share a limit, but not with the operator or those of unknown networks", async () => {
    const address = "2001:db8::1";
    await open().count(member(address));
    await setCount("change-minute:member@2001:db8::/64", CHANGE_LIMITS.member.network.minute - 1);
    expect((await sendUntilRefused(member("2001:db8::2"))).sent).toBe(1);
    await expect(open().count(member(address))).rejects.toThrow(/your network has sent 300 forms within a minute/);
    await open().count(member("2001:db8:0:1::1"));
    await open().count({ ...operator(), address });
    await open().count(member(null));
  });
});

test("The documentation states the limits", () => {
  const text = readFileSync("docs/operating.md", "utf8").replaceAll("\n", " ");
  for (const { account, network } of Object.values(CHANGE_LIMITS)) {
    expect(text).toContain(`${account.minute} a minute and ${account.hour.toLocaleString("en")} an hour`);
    expect(text).toContain(`${network.minute} and ${network.hour.toLocaleString("en")} for all`);
  }
});
