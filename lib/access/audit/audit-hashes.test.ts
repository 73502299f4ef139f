import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AuditHashes, type EventHash, readAuditHashes } from "@/lib/access/audit/audit-hashes";
import { type AuditKey, deriveAuditKey, deriveAuditKeys } from "@/lib/access/audit/audit-keys";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { CHAIN_START, hashEvent } from "@/lib/access/audit/record";
import { someAccount, someKey } from "@/lib/access/testing/test-accounts";
import { type Logger, silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();

describe("the copied hashes of the audit log", () => {
  let dataDir: string;
  let file: string;
  let key: AuditKey;
  let keys: ReadonlyMap<string, AuditKey>;
  beforeAll(async () => {
    const secret = await testDatabase.db.readSecret();
    key = deriveAuditKey(secret);
    keys = deriveAuditKeys([secret]);
    dataDir = join(await mkdtemp(join(tmpdir(), "spotline-hashes-")), "data");
    file = join(dataDir, "audit-hashes");
  });
  afterAll(async () => {
    await testDatabase.cleanup();
    await rm(join(dataDir, ".."), { recursive: true });
  });

  async function copy(): Promise<void> {
    const hashes = new AuditHashes({ pool: testDatabase.db.pool, dataDir, keys, log: silentLog });
    await hashes.start();
    hashes.stop();
    await hashes.copy();
  }

  async function readCopy(): Promise<EventHash[]> {
    const hashes: EventHash[] = [];
    for await (const each of readAuditHashes(dataDir)) hashes.push(each);
    return hashes;
  }

  const verify = () => createAuditLog(testDatabase.db).verify({ keys, copied: readAuditHashes(dataDir) });

  /** Changes an event and every later hash as somebody who has the key, so that the chain is valid. */
  async function rewrite(sql: string): Promise<void> {
    const { pool } = testDatabase.db;
    await pool.query("ALTER TABLE audit_event DISABLE TRIGGER USER");
    await pool.query(sql);
    let previousHash = CHAIN_START;
    for await (const event of createAuditLog(testDatabase.db).readAll()) {
      const hash = hashEvent(previousHash, event, key);
      await pool.query("UPDATE audit_event SET previous_hash = $2, hash = $3 WHERE seq = $1", [
        event.seq,
        previousHash,
        hash,
      ]);
      previousHash = hash;
    }
    await pool.query("ALTER TABLE audit_event ENABLE TRIGGER USER");
  }

  test("Without a copy the log is checked by itself", async () => {
    expect(await readCopy()).toEqual([]);
    expect(await verify()).toEqual({ problem: null, events: 0, head: CHAIN_START, withoutKey: 0, copied: 0 });
  });

  test("Every event is copied once, also after a restart and after an incomplete line", async () => {
    const { id } = await someAccount(testDatabase.db);
    await copy();
    await appendFile(file, "2 abc");
    await someKey(testDatabase.db, id);
    await copy();
    await copy();
    const { rows } = await testDatabase.db.pool.query<EventHash>("SELECT seq::int, hash FROM audit_event ORDER BY seq");
    expect(await readCopy()).toEqual(rows);
    expect(rows).toHaveLength(2);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await verify()).toMatchObject({ problem: null, events: 2, copied: 2 });
  });

  test("A log that was rewritten with all its hashes is detected", async () => {
    await rewrite("UPDATE audit_event SET address = '203.0.113.9' WHERE seq = 1");
    expect((await createAuditLog(testDatabase.db).verify({ keys })).problem).toBeNull();
    expect((await verify()).problem).toBe("Event 1 was rewritten after its hash was copied.");
    await rewrite("UPDATE audit_event SET address = NULL WHERE seq = 1");
    expect((await verify()).problem).toBeNull();
  });

  test("A log whose end was removed is detected", async () => {
    const before = await readFile(file);
    await appendFile(file, `3 ${"a".repeat(64)}\n`);
    expect((await verify()).problem).toBe("Event 3 is missing, though its hash was copied.");
    await writeFile(file, before);
  });

  test("An event under another secret is reported once", async () => {
    const lines: object[] = [];
    const log = { ...silentLog, info: () => {}, warn: (line: object) => lines.push(line) } as unknown as Logger;
    const hashes = new AuditHashes({ pool: testDatabase.db.pool, dataDir: `${dataDir}-2`, keys: new Map(), log });
    await hashes.copy();
    expect(lines).toEqual([{ seq: 1, key: key.id }]);
  });
});
