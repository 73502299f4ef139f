import { expect, test } from "vitest";
import type { Logger } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { readUnreadableAddress, UnreadableAddresses } from "@/lib/platform/unreadable-addresses";
import { HOUR_MS } from "@/lib/time/units";

test("What a proxy sends in place of an address is logged once, and can be read for two hours after the last", async () => {
  const { db, cleanup } = await openTestDatabase();
  try {
    let nowMs = Date.UTC(2026, 0, 15, 12);
    const lines: string[] = [];
    const log = { warn: (_: object, line: string) => lines.push(line) } as unknown as Logger;
    const addresses = new UnreadableAddresses({ log, now: () => nowMs });
    expect(await readUnreadableAddress(db.pool, nowMs)).toBeNull();
    addresses.report("before the database");
    addresses.noteIn(db.pool);
    const read = () => readUnreadableAddress(db.pool, nowMs);
    for (let at = 0; at < 3; at++) addresses.report("app-1.internal\0");
    await expect.poll(read).toEqual({ text: "app-1.internal\0", atMs: nowMs });
    nowMs += HOUR_MS + 1;
    addresses.report("x".repeat(1_000));
    await expect.poll(async () => (await read())?.text).toBe("x".repeat(120));
    nowMs += 2 * HOUR_MS;
    expect(await read()).not.toBeNull();
    nowMs += 1;
    expect(await read()).toBeNull();
    expect(lines).toEqual([expect.stringContaining('"before the database"')]);
  } finally {
    await cleanup();
  }
});
