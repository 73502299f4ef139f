import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { Deliverer } from "@/lib/alerts/delivery/deliverer";
import { listFirings } from "@/lib/alerts/firing-log";
import { createWebhooks, type Webhooks } from "@/lib/alerts/webhooks";
import type { Database } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

/** An account with webhooks and a clock that tests move, before each test of the surrounding `describe`. */
export class DeliveryScene {
  accountId = "";
  webhooks!: Webhooks;
  nowMs = 0;
  readonly now = () => this.nowMs;
  #testDatabase!: TestDatabase;

  constructor(kind: Database["kind"]) {
    beforeAll(async () => void (this.#testDatabase = await openTestDatabase(kind)));
    beforeEach(async () => {
      this.nowMs = Date.UTC(2026, 0, 15, 12);
      this.accountId = (await someAccount(this.db, "pro")).id;
      this.webhooks = this.openWebhooks(true);
    });
    afterAll(() => this.#testDatabase.cleanup());
  }

  get db() {
    return this.#testDatabase.db;
  }

  get owner() {
    return { kind: "owner", accountId: this.accountId } as const;
  }

  openWebhooks(isPrivateAllowed: boolean): Webhooks {
    return createWebhooks(this.db, { ...this.#shared, isPrivateAllowed });
  }

  /** Creates a webhook of the account. */
  create(url: string) {
    return this.webhooks.create({ name: "desk", url }, { by: this.owner });
  }

  createDeliverer(options: Partial<ConstructorParameters<typeof Deliverer>[0]> = {}): Deliverer {
    return new Deliverer({
      ...{ ...this.#shared, pool: this.db.pool, log: silentLog, isPrivateAllowed: true, mailer: null },
      ...{ publicUrl: "https://prices.example", ...options },
    });
  }

  /** Sends what is due and waits for the answers. */
  async run(deliverer: Deliverer): Promise<void> {
    await deliverer.deliver();
    await deliverer.settle();
  }

  /** Reads the latest delivery of the account. */
  async readDelivery() {
    const [firing] = await listFirings(this.db.pool, { accountId: this.accountId });
    return firing?.deliveries[0] ?? expect.fail("no delivery");
  }

  get #shared() {
    return { now: this.now, sessionSecret: "a session secret of at least thirty-two characters" };
  }
}
