import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { AccessError } from "@/lib/access/access-error";
import { toAccount } from "@/lib/access/accounts/account";
import type { Owner } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { getAlertLimits } from "@/lib/access/plans";
import { change } from "@/lib/access/revision";
import { createWebhookSeal, mintWebhookSecret } from "@/lib/alerts/delivery";
import { formatEventBody } from "@/lib/alerts/firing";
import { type Delivery, listFirings } from "@/lib/alerts/firing-log";
import type { WebhookRules } from "@/lib/alerts/webhook-address";
import { checkTarget, type NewWebhook } from "@/lib/alerts/webhook-kinds";
import type { WebhookKind } from "@/lib/alerts/webhook-names";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";
import type { Webhook as WebhookRow } from "@/prisma/generated/client";

/** The addresses that receive the alerts of accounts. Methods reject with an AccessError for what callers can correct. */
export type Webhooks = ReturnType<typeof createWebhooks>;

export interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly kind: WebhookKind;
  /** As it is shown: the address of a chat may be a secret, and is then cut. */
  readonly url: string;
  /** For Telegram: the chat's number or @name. */
  readonly chat: string | null;
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

    /**
     * Creates a webhook. The secret of one for signed JSON is not shown again; others have one of their own, and none is
     * returned.
     */
    async create(given: NewWebhook, { by, keyId }: Caller): Promise<Webhook & { readonly secret: string | null }> {
      const { accountId } = by;
      const { secret: ownSecret, ...target } = checkTarget(given, rules);
      const checked = { name: checkName(given.name), ...target };
      const id = randomUUID();
      const minted = ownSecret === null ? mintWebhookSecret() : null;
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
        const sealedSecret = seal.seal(ownSecret ?? minted ?? "", id);
        const data = { id, accountId, ...checked, sealedSecret, createdAt: new Date(now()) };
        const webhook = toWebhook(await transaction.webhook.create({ data }));
        const after = { webhook: id, name: webhook.name, kind: webhook.kind, host: new URL(webhook.url).host };
        const key = keyId === undefined ? {} : { keyId };
        await record(transaction, { atMs: now(), event: "webhook.create", by, accountId, ...key, after });
        return { ...webhook, secret: minted };
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
      const test: TestMessages = { accountId, message: `This is a test of the webhook “${row.name}”.`, atMs: now() };
      return writeTest(database, test, { channel: "webhook", webhookId: id });
    },

    /**
     * Waits for the outcome of a test, some seconds at most: how its first try ended, or null if it has not.
     *
     * @param testId what `test` of webhooks or of devices returned
     */
    async awaitTest(testId: string, { accountId }: Owner, pauseMs = TEST_PAUSE_MS): Promise<Delivery | null> {
      for (let waited = 0; waited < MOST_TEST_PAUSES; waited++) {
        const firings = await listFirings(database.pool, { accountId });
        const delivery = firings.find(({ id }) => id === testId)?.deliveries[0];
        if (delivery === undefined) return null;
        if (delivery.lastAtMs !== null) return delivery;
        await pause(pauseMs);
      }
      return null;
    },
  };
}

/** A try takes ten seconds at most. */
const TEST_PAUSE_MS = 250;
const MOST_TEST_PAUSES = 48;

export interface TestMessages {
  readonly accountId: string;
  readonly message: string;
  readonly atMs: number;
}

/** Writes a test message, which the next round of deliveries sends. Returns its id. */
export async function writeTest(
  database: Database,
  { accountId, message, atMs }: TestMessages,
  to:
    | { readonly channel: "webhook"; readonly webhookId: string }
    | { readonly channel: "push"; readonly deviceId: string },
): Promise<string> {
  const firings = database.prisma.alertFiring;
  const since = new Date(atMs - MINUTE_MS);
  if ((await firings.count({ where: { accountId, alertId: null, at: { gt: since } } })) >= MAX_TESTS_A_MINUTE) {
    throw new AccessError("too_many_changes", `You may send ${MAX_TESTS_A_MINUTE} tests a minute. Wait a little.`);
  }
  const [id, at] = [randomUUID(), new Date(atMs)];
  const body = formatEventBody("alert.test", atMs, { id, message });
  const delivery = { accountId, ...to, dueAt: at };
  await firings.create({ data: { id, accountId, at, message, body, deliveries: { create: delivery } } });
  return id;
}

function rejectUnknown(): never {
  throw new AccessError("webhook_not_found", "There is no such webhook.");
}

function checkName(text: string): string {
  const name = text.trim();
  if (name.length > 0 && [...name].length <= MAX_NAME_LENGTH && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return name;
  throw new AccessError("invalid_name", `Give the webhook a name of 1 to ${MAX_NAME_LENGTH} visible characters.`);
}

function toWebhook({ id, name, kind, url, chat, createdAt }: WebhookRow): Webhook {
  return { id, name, kind, url, chat, createdAtMs: createdAt.getTime() };
}
