import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { followFirings } from "@/features/alerts/firing-feed";
import type { News } from "@/features/alerts/types";
import { answerEvents } from "@/features/session/event-stream";
import type { Account } from "@/lib/access/accounts/accounts";
import { createAccountSessions } from "@/lib/access/sign-in/account-sessions";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { createAlerts } from "@/lib/alerts/alerts";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

const ARRIVES_WITHIN_MS = 10 * SECOND_MS;

let testDatabase: TestDatabase;
let clients: AbortController[] = [];

beforeAll(async () => void (testDatabase = await openTestDatabase()));
afterEach(() => {
  for (const client of clients) client.abort();
  clients = [];
});
afterAll(() => testDatabase.cleanup());

/** The process of the pages, with a clock that the test moves. */
function createPages() {
  const { db: database } = testDatabase;
  const clock = { offsetMs: 0 };
  const now = () => Date.now() + clock.offsetMs;
  const accountSessions = createAccountSessions(database, { now });
  const runtime = { accountSessions, database, log: silentLog, now, stopping: new AbortController().signal };
  return {
    clock,
    accountSessions,
    /** Opens a page of an account. `texts` grows with the messages that arrive. */
    async open({ id: accountId }: Account) {
      const session = await accountSessions.start({ accountId, address: null, userAgent: null });
      const client = new AbortController();
      clients.push(client);
      const { body } = answerEvents(runtime, session, client.signal, [followFirings(runtime, accountId)]);
      const page = { session, texts: [] as string[], ended: false, isClosed: false };
      const known = new Set<string>();
      const reading = async (): Promise<void> => {
        for await (const event of (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream())) {
          if (event.startsWith("event: ended")) page.ended = true;
          if (!event.startsWith("event: news")) continue;
          const { message } = JSON.parse(event.slice(event.indexOf("{"))) as { message: News };
          // A stream that opens while something fires may bring it twice.
          const fresh = message.firings.filter(({ id }) => !known.has(id));
          for (const firing of fresh) known.add(firing.id);
          page.texts.push(...fresh.toReversed().map((firing) => firing.message));
        }
        page.isClosed = true;
      };
      void reading();
      return page;
    },
  };
}

async function openAccount() {
  const account = await someAccount(testDatabase.db, "pro");
  const caller = { by: { kind: "owner", accountId: account.id }, reader: { role: "member", plan: "pro" } } as const;
  const settings = { name: "", cooldownS: 60, active: true, webhookId: null, byMail: false, byPush: false };
  const condition = { type: "price", symbol: "EURUSD", level: 1.1, direction: "up", price: "bid" } as const;
  const { id: alertId } = await createAlerts(testDatabase.db, {
    now: Date.now,
    book: { served: () => undefined },
    listSources: () => [],
  }).create({ ...settings, condition }, caller);
  let count = 0;
  return {
    account,
    /** Stores firings as the engine does. */
    async fire(...messages: string[]): Promise<void> {
      await testDatabase.db.pool.query(
        `INSERT INTO alert_firing (id, account_id, alert_id, key, at, message, body)
         SELECT gen_random_uuid(), $1, $2, $3::int + place, now(), message, '{}'
           FROM unnest($4::text[]) WITH ORDINALITY AS fired(message, place)`,
        [account.id, alertId, (count += 1_000), messages],
      );
    },
  };
}

test("A page that opens gets what fired before, and then what fires", async () => {
  const pages = createPages();
  const own = await openAccount();
  await own.fire("before");
  const page = await pages.open(own.account);
  await own.fire("after");
  await expect.poll(() => page.texts, { timeout: ARRIVES_WITHIN_MS }).toEqual(["before", "after"]);
});

test("A firing reaches every open page of its account once, and no other account", async () => {
  const pages = createPages();
  const [own, other] = [await openAccount(), await openAccount()];
  const tabs = [await pages.open(own.account), await pages.open(own.account), await pages.open(other.account)];
  await own.fire("first");
  await expect
    .poll(() => tabs.map(({ texts }) => texts), { timeout: ARRIVES_WITHIN_MS })
    .toEqual([["first"], ["first"], []]);
  await own.fire("second");
  await other.fire("of the other");
  await expect
    .poll(() => tabs.map(({ texts }) => texts), { timeout: ARRIVES_WITHIN_MS })
    .toEqual([["first", "second"], ["first", "second"], ["of the other"]]);
});

test("Firings of one account do not displace those of another", async () => {
  const pages = createPages();
  const [loud, quiet] = [await openAccount(), await openAccount()];
  const [, page] = [await pages.open(loud.account), await pages.open(quiet.account)];
  await quiet.fire("the only one");
  await loud.fire(...Array.from({ length: 150 }, (_, place) => `number ${place}`));
  await expect.poll(() => page.texts, { timeout: ARRIVES_WITHIN_MS }).toEqual(["the only one"]);
});

test("A clock that jumps an hour and back repeats no firing and loses none", async () => {
  const pages = createPages();
  const own = await openAccount();
  const page = await pages.open(own.account);
  await own.fire("before");
  await expect.poll(() => page.texts, { timeout: ARRIVES_WITHIN_MS }).toEqual(["before"]);
  pages.clock.offsetMs = -HOUR_MS;
  await own.fire("during");
  await expect.poll(() => page.texts, { timeout: ARRIVES_WITHIN_MS }).toEqual(["before", "during"]);
  pages.clock.offsetMs = 0;
  await own.fire("after");
  await expect.poll(() => page.texts, { timeout: ARRIVES_WITHIN_MS }).toEqual(["before", "during", "after"]);
});

test("The stream ends with its session", async () => {
  const pages = createPages();
  const { account } = await openAccount();
  const page = await pages.open(account);
  await pages.accountSessions.end(page.session.token, null);
  await expect.poll(() => page, { timeout: ARRIVES_WITHIN_MS }).toMatchObject({ ended: true, isClosed: true });
});
