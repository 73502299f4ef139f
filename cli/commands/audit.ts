import { type Command, formatTable, toIso, UsageError, withAccess } from "@/cli/command";
import { readAuditHashes } from "@/lib/access/audit/audit-hashes";
import { loadAuditKeys } from "@/lib/access/audit/audit-keys";
import { type AuditVerdict, formatAuditCsv } from "@/lib/access/audit/audit-log";
import type { AuditEvent } from "@/lib/access/audit/record";
import { loadConfig } from "@/lib/platform/config";

/** The operator's commands on the audit log. */

const account = { value: "EMAIL", help: "only what was done to, or by, this account" };
const MAX_LISTED = 1_000;

function toJson(event: AuditEvent) {
  const { seq, atMs, actor, accountId, keyId, address, before, after, previousHash, hash, hashKey } = event;
  const where = { account_id: accountId, key_id: keyId, address };
  const chain = { previous_hash: previousHash, hash, hash_key: hashKey };
  return { seq, at: toIso(atMs), event: event.event, actor, ...where, before, after, ...chain };
}

const auditList: Command = {
  name: "audit list",
  summary: "List the changes to accounts and keys, newest first",
  options: { account, limit: { value: "N", help: `how many; the default is 50, ${MAX_LISTED} at most` } },
  async run(values) {
    const [email, limit] = [values.optional("account"), Number(values.optional("limit") ?? 50)];
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LISTED) {
      throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LISTED}.`);
    }
    const events = await withAccess(async ({ audit, findAccount }) =>
      audit.list({ accountId: email === undefined ? undefined : (await findAccount(email)).id, limit }),
    );
    const heading = ["SEQ", "AT", "EVENT", "BY", "ACCOUNT", "KEY", "FROM"];
    const lines = events.map(({ seq, atMs, event, actor, accountId, keyId, address }) => [
      String(seq),
      toIso(atMs)?.slice(0, 19) ?? "",
      event,
      actor,
      accountId,
      keyId ?? "",
      address ?? "",
    ]);
    const text = events.length === 0 ? "The audit log is empty." : formatTable([heading, ...lines]);
    return { json: { events: events.map(toJson) }, text };
  },
};

const auditExport: Command = {
  name: "audit export",
  summary: "Write the whole audit log as CSV, oldest first",
  options: { account },
  async run(values) {
    const email = values.optional("account");
    const events = await withAccess(async ({ audit, findAccount }) => {
      const id = email === undefined ? undefined : (await findAccount(email)).id;
      const all: AuditEvent[] = [];
      for await (const event of audit.readAll(id)) all.push(event);
      return all;
    });
    return { json: { events: events.map(toJson) }, text: formatAuditCsv(events).trimEnd() };
  },
};

const auditVerify: Command = {
  name: "audit verify",
  summary: "Check that the audit log is complete and unchanged",
  options: { noted: { value: "HASH", help: "the head of an earlier check, which must still be part of the log" } },
  async run(values) {
    const noted = values.optional("noted");
    if (noted !== undefined && !/^[\da-f]{64}$/.test(noted)) throw new UsageError("--noted must be 64 hex characters.");
    const config = loadConfig(process.env);
    const [keys, copied] = [await loadAuditKeys(config), readAuditHashes(config.dataDir)];
    const verdict = await withAccess(({ audit }) => audit.verify({ keys, noted, copied }));
    const { problem, events, head, withoutKey } = verdict;
    const json = { ok: problem === null, problem, events, head, without_key: withoutKey, copied: verdict.copied };
    return { json, text: formatVerdict(verdict, config.dataDir), failed: problem !== null };
  },
};

function formatVerdict({ problem, events, head, withoutKey, copied }: AuditVerdict, dataDir: string): string {
  const lines = [
    problem ?? "The audit log is complete and as it was written.",
    `Events in order: ${events}. Head: ${head}`,
    ...(withoutKey === 0 ? [] : [`The first ${withoutKey} have no key: they were written by earlier versions.`]),
    copied === 0 && events > 0
      ? `The folder ${dataDir} has no copied hashes, so removed last events cannot be noticed.`
      : `Compared with copied hashes: ${copied}.`,
  ];
  return lines.join("\n");
}

export const auditCommands: readonly Command[] = [auditList, auditExport, auditVerify];
