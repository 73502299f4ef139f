import { toIso, withAccess } from "@/cli/access";
import { type Command, UsageError } from "@/cli/command";
import { formatTable } from "@/cli/table";
import { formatAuditCsv } from "@/lib/access/audit/audit-csv";
import type { AuditEvent } from "@/lib/access/audit-event";

/** The operator's commands on the audit log. */

const account = { value: "EMAIL", help: "only what was done to, or by, this account" };
const MAX_LISTED = 1_000;

function toJson(event: AuditEvent) {
  const { seq, atMs, actor, accountId, keyId, address, before, after, previousHash, hash } = event;
  const where = { account_id: accountId, key_id: keyId, address };
  const chain = { previous_hash: previousHash, hash };
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
    const { problem, events, head } = await withAccess(({ audit }) => audit.verify(noted));
    const verdict = problem ?? "The audit log is complete and as it was written.";
    const text = `${verdict}\nEvents in order: ${events}. Head: ${head}`;
    return { json: { ok: problem === null, problem, events, head }, text, failed: problem !== null };
  },
};

export const auditCommands: readonly Command[] = [auditList, auditExport, auditVerify];
