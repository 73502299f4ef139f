import { randomUUID } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import { toAccount } from "@/lib/access/accounts/account";
import type { Owner } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { getAlertLimits } from "@/lib/access/plans";
import { change } from "@/lib/access/revision";
import { createWebhookSeal, mintWebhookSecret } from "@/lib/alerts/delivery";
import { formatEventBody } from "@/lib/alerts/firing";
import { checkWebhookUrl, type WebhookRules } from "@/lib/alerts/webhook-address";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";
import type { Webhook as WebhookRow } from "@/prisma/generated/client";

/** The addresses that receive the alerts of accounts. Methods reject with an AccessError for what callers can correct. */
export type Webhooks = ReturnType<typeof createWebhooks>;

export interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** UTC milliseconds. */
  readonly createdAtMs: number;
}

interface Options {
  readonly now: Clock;
  /** Encrypts the secrets. */
  readonly sessionSecret: string;
  readonly rules: WebhookRules;
}

interface Caller {
  readonly by: Owner;
  readonly keyId?: string;
}

const MAX_NAME_LENGTH = 80;
const MAX_TESTS_A_MINUTE = 5;

export function createWebhooks(database: Database, { now, sessionSecret, rules }: Options) {
  const seal = createWebhookSeal(sessionSecret);
  const webhooks = database.prisma.webhook;

  return {
    /** The webhooks of an account, oldest first. */
    async list(accountId: string): Promise<Webhook[]> {
      const rows = await webhooks.findMany({ where: { accountId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
      return rows.map(toWebhook);
    },

    /** Creates a webhook. Its secret is not shown again. */
    async create(
      { name, url }: { readonly name: string; readonly url: string },
      { by, keyId }: Caller,
    ): Promise<Webhook & { readonly secret: string }> {
      const { accountId } = by;
      const checked = { name: checkName(name), url: checkWebhookUrl(url, rules) };
      const id = randomUUID();
      const secret = mintWebhookSecret();
      return change(database, async (transaction) => {
        const account = await transaction.account.findUnique({ where: { id: accountId } });
        if (account === null) throw new AccessError("account_not_found", "There is no such account.");
        const most = getAlertLimits(toAccount(account, now()).plan).webhooks;
        if ((await transaction.webhook.count({ where: { accountId } })) >= most) {
          throw new AccessError(
            "too_many_webhooks",
            `Your plan allows ${most === 1 ? "one webhook" : `${most} webhooks`}.`,
          );
        }
        const sealedSecret = seal.seal(secret, id);
        const data = { id, accountId, ...checked, sealedSecret, createdAt: new Date(now()) };
        const webhook = toWebhook(await transaction.webhook.create({ data }));
        const after = { webhook: id, name: webhook.name, host: new URL(webhook.url).host };
        const key = keyId === undefined ? {} : { keyId };
        await record(transaction, { atMs: now(), event: "webhook.create", by, accountId, ...key, after });
        return { ...webhook, secret };
      });
    },

    /** Deletes a webhook. Its alerts stay, and what was not sent yet is not sent. */
    async remove(id: string, { by, keyId }: Caller): Promise<void> {
      const { accountId } = by;
      await change(database, async (transaction, revision) => {
        const row = isId(id) ? await transaction.webhook.findFirst({ where: { id, accountId } }) : null;
        if (row === null) return rejectUnknown();
        await transaction.alert.updateMany({ where: { webhookId: id }, data: { webhookId: null, revision } });
        await transaction.webhook.delete({ where: { id } });
        const before = { webhook: id, name: row.name, host: new URL(row.url).host };
        const key = keyId === undefined ? {} : { keyId };
        await record(transaction, { atMs: now(), event: "webhook.delete", by, accountId, ...key, before });
      });
    },

    /** Sends a test message, with the next round of deliveries. Returns its id. */
    async test(id: string, { accountId }: Owner): Promise<string> {
      const row = isId(id) ? await webhooks.findFirst({ where: { id, accountId } }) : null;
      if (row === null) return rejectUnknown();
      const [nowMs, firingId] = [now(), randomUUID()];
      const since = new Date(nowMs - MINUTE_MS);
      if (
        (await database.prisma.alertFiring.count({ where: { accountId, alertId: null, at: { gt: since } } })) >=
        MAX_TESTS_A_MINUTE
      ) {
        throw new AccessError("too_many_changes", `You may send ${MAX_TESTS_A_MINUTE} tests a minute. Wait a little.`);
      }
      const at = new Date(nowMs);
      const message = `This is a test of the webhook “${row.name}”.`;
      const body = formatEventBody("alert.test", nowMs, { id: firingId, message });
      const delivery = { accountId, channel: "webhook", webhookId: id, dueAt: at } as const;
      await database.prisma.alertFiring.create({
        data: { id: firingId, accountId, at, message, body, deliveries: { create: delivery } },
      });
      return firingId;
    },
  };
}

function rejectUnknown(): never {
  throw new AccessError("webhook_not_found", "There is no such webhook.");
}

function checkName(text: string): string {
  const name = text.trim();
  if (name.length > 0 && [...name].length <= MAX_NAME_LENGTH && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return name;
  throw new AccessError("invalid_name", `Give the webhook a name of 1 to ${MAX_NAME_LENGTH} visible characters.`);
}

function toWebhook({ id, name, url, createdAt }: WebhookRow): Webhook {
  return { id, name, url, createdAtMs: createdAt.getTime() };
}
