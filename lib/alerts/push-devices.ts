import { createHash, randomUUID } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import { anonymous, type Owner } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { change } from "@/lib/access/revision";
import { createPushSeal, deriveVapidKeys, hasValidKeys, type PushSubscription } from "@/lib/alerts/web-push";
import { checkWebhookUrl, type WebhookRules } from "@/lib/alerts/webhook-address";
import { type TestMessages, writeTest } from "@/lib/alerts/webhooks";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";

export interface PushDevice {
  readonly id: string;
  readonly name: string;
  /** The host of its push service: "fcm.googleapis.com". */
  readonly host: string;
  /** UTC milliseconds. */
  readonly createdAtMs: number;
}

interface Options {
  readonly now: Clock;
  readonly sessionSecret: string;
  readonly rules: WebhookRules;
}

const MAX_NAME_LENGTH = 80;
const MAX_DEVICES = 20;

/** The browsers that receive the alerts of accounts. Methods reject with an AccessError for what callers can correct. */
export function createPushDevices(database: Database, { now, sessionSecret, rules }: Options) {
  const seal = createPushSeal(sessionSecret);
  const devices = database.prisma.pushDevice;

  return {
    /** What browsers subscribe with, base64url. */
    publicKey: deriveVapidKeys(sessionSecret).publicKey,

    /** The devices of an account, oldest first. */
    async list(accountId: string): Promise<PushDevice[]> {
      const rows = await devices.findMany({ where: { accountId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
      return rows.map(({ id, name, host, createdAt }) => ({ id, name, host, createdAtMs: createdAt.getTime() }));
    },

    /**
     * Adds a browser. One that was added before, by whomever, is replaced: it has one person before it. Another account
     * that had it gets a notice.
     */
    async add({ name, ...subscription }: PushSubscription & { readonly name: string }, by: Owner): Promise<string> {
      const { accountId } = by;
      // Push services are on the public internet, and never without TLS but in tests.
      const endpoint = checkWebhookUrl(subscription.endpoint, rules);
      if (!hasValidKeys(subscription)) throw new AccessError("invalid_url", "The browser gave no valid keys.");
      const endpointHash = createHash("sha256").update(endpoint).digest("hex");
      const id = randomUUID();
      const shown = [...name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim()].slice(0, MAX_NAME_LENGTH).join("");
      const { host } = new URL(endpoint);
      await change(database, async (transaction) => {
        const former = await transaction.pushDevice.findUnique({ where: { endpointHash } });
        if (former !== null) await transaction.pushDevice.delete({ where: { id: former.id } });
        if (former !== null && former.accountId !== accountId) {
          const before = { device: former.id, name: former.name, host };
          const moved = { accountId: former.accountId, before, after: { moved: true } };
          await record(transaction, { atMs: now(), event: "device.delete", by: anonymous(null), ...moved });
        }
        if ((await transaction.pushDevice.count({ where: { accountId } })) >= MAX_DEVICES) {
          throw new AccessError("too_many_webhooks", `An account may have ${MAX_DEVICES} devices. Remove one.`);
        }
        const sealed = seal.seal(JSON.stringify({ ...subscription, endpoint }), id);
        const row = { id, accountId, name: shown === "" ? "Browser" : shown, host, endpointHash, sealed };
        await transaction.pushDevice.create({ data: { ...row, createdAt: new Date(now()) } });
        const after = { device: id, name: row.name, host };
        await record(transaction, { atMs: now(), event: "device.create", by, accountId, after });
      });
      return id;
    },

    /** Removes a device. What was not sent yet is not sent. */
    async remove(id: string, by: Owner): Promise<void> {
      const { accountId } = by;
      await change(database, async (transaction) => {
        const row = isId(id) ? await transaction.pushDevice.findFirst({ where: { id, accountId } }) : null;
        if (row === null) throw new AccessError("webhook_not_found", "There is no such device.");
        await transaction.pushDevice.delete({ where: { id } });
        const before = { device: id, name: row.name, host: row.host };
        await record(transaction, { atMs: now(), event: "device.delete", by, accountId, before });
      });
    },

    /** Sends a test message, with the next round of deliveries. Returns its id. */
    async test(id: string, { accountId }: Owner): Promise<string> {
      const row = isId(id) ? await devices.findFirst({ where: { id, accountId } }) : null;
      if (row === null) throw new AccessError("webhook_not_found", "There is no such device.");
      const test: TestMessages = { accountId, message: `This is a test of “${row.name}”.`, atMs: now() };
      return writeTest(database, test, { channel: "push", deviceId: id });
    },
  };
}
