import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { Deliverer } from "@/lib/alerts/delivery";
import { listFirings } from "@/lib/alerts/firing-log";
import type { WebhookRules } from "@/lib/alerts/webhook-address";
import { createWebhooks, type Webhooks } from "@/lib/alerts/webhooks";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

/** What an operator allows who trusts every account. */
const ANY_ADDRESS: WebhookRules = { isPrivateAllowed: true, ports: null };

/** An account with webhooks and a clock that tests move, before each test of the surrounding `describe`. */
export class DeliveryScene {
  accountId = "";
  webhooks!: Webhooks;
  nowMs = 0;
  readonly now = () => this.nowMs;
  #testDatabase!: TestDatabase;

  constructor() {
    beforeAll(async () => void (this.#testDatabase = await openTestDatabase()));
    beforeEach(async () => {
      this.nowMs = Date.UTC(2026, 0, 15, 12);
      this.accountId = (await someAccount(this.db, "pro")).id;
      this.webhooks = this.openWebhooks(ANY_ADDRESS);
    });
    afterAll(() => this.#testDatabase.cleanup());
  }

  get db() {
    return this.#testDatabase.db;
  }

  get owner() {
    return { kind: "owner", accountId: this.accountId } as const;
  }

  openWebhooks(rules: WebhookRules): Webhooks {
    return createWebhooks(this.db, { ...this.#shared, rules });
  }

  /** Creates a webhook of the account. */
  async create(url: string) {
    const { id, secret } = await this.webhooks.create({ name: "desk", url }, { by: this.owner });
    return { id, secret: secret ?? expect.fail("no secret") };
  }

  createDeliverer(options: Partial<ConstructorParameters<typeof Deliverer>[0]> = {}): Deliverer {
    return new Deliverer({
      ...{ ...this.#shared, pool: this.db.pool, log: silentLog, rules: ANY_ADDRESS, mailer: null },
      ...{ publicUrl: "https://prices.example", pushContact: "mailto:operator@example.com", ...options },
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

/** A message as it arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly url: string | undefined;
  readonly body: string;
  readonly bytes: Buffer;
}

/** A receiver of webhooks over a real socket. */
export async function startReceiver(answer: (response: ServerResponse) => void = (response) => response.end("ok")) {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      received.push({ headers: request.headers, url: request.url, body: bytes.toString(), bytes });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { received, port, url: `http://127.0.0.1:${port}/hook?a=1`, close };
}

/** Verifies a message as its receiver would, with nothing of ours. */
export function verifyMessage(secret: string, { headers, body }: Received): boolean {
  const [version, signature = ""] = String(headers["webhook-signature"]).split(",");
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const content = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const expected = createHmac("sha256", key).update(content).digest();
  return version === "v1" && timingSafeEqual(expected, Buffer.from(signature, "base64"));
}
