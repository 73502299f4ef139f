import { setMaxListeners } from "node:events";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { followBoard, readSnapshot } from "@/features/quotes/broadcast";
import { answerEvents } from "@/features/session/event-stream";
import { MAX_STREAMS, TOO_MANY_STREAMS } from "@/features/session/open-streams";
import { type AccountSessions, createAccountSessions } from "@/lib/access/sign-in/account-sessions";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { STALE_PRICES } from "@/lib/api/engine/stale-prices";
import { createBook } from "@/lib/book/book";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());
let clients: AbortController[] = [];

const accountSessions = createAccountSessions(testDatabase.db, { now: Date.now });
afterEach(() => {
  for (const client of clients) client.abort();
  clients = [];
});

/** One server's board. */
function openBoard(sessions: Pick<AccountSessions, "findAlive"> = accountSessions) {
  const now = Date.now;
  const book = createBook({ sources: [{ name: "alpha", mode: "simulated" }], now });
  const staleness = { isStale: false };
  const stopping = new AbortController().signal;
  setMaxListeners(0, stopping);
  const runtime = {
    accountSessions: { ...accountSessions, ...sessions },
    book,
    history: { days: { load: async () => {}, read: () => undefined, readQuarters: () => [] } },
    log: silentLog,
    marketNow: now,
    isStale: () => staleness.isStale,
    stopping,
  };
  return {
    staleness,
    open(session: { id: string; accountId: string }) {
      const client = new AbortController();
      clients.push(client);
      return {
        answer: answerEvents(runtime, session, client.signal, [followBoard(runtime, true)]),
        close: () => client.abort(),
      };
    },
    readNote: (session: { id: string; accountId: string }) => readSnapshot(runtime, session).note,
  };
}

const signIn = (accountId: string) => accountSessions.start({ accountId, address: null, userAgent: null });

const status = ({ answer }: { answer: Response }) => answer.status;

describe("The streams of the board", () => {
  test("of one session are bounded, and further ones are refused with the reason", async () => {
    const board = openBoard();
    const { id: accountId } = await someAccount(testDatabase.db);
    const [session, other] = [await signIn(accountId), await signIn(accountId)];
    const streams = Array.from({ length: MAX_STREAMS.session }, () => board.open(session));
    expect(new Set(streams.map(status))).toEqual(new Set([200]));
    expect(board.readNote(session)).toBe(TOO_MANY_STREAMS);
    const refused = board.open(session).answer;
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({ error: TOO_MANY_STREAMS });
    expect(status(board.open(other))).toBe(200);
    streams[0]?.close();
    expect(board.readNote(session)).toBeUndefined();
    expect(status(board.open(session))).toBe(200);
  });

  test("of one account are bounded over its sessions", async () => {
    const board = openBoard();
    const { id: accountId } = await someAccount(testDatabase.db);
    const sessions = [
      await signIn(accountId),
      await signIn(accountId),
      await signIn(accountId),
      await signIn(accountId),
    ];
    for (let count = 0; count < MAX_STREAMS.account / sessions.length; count++)
      for (const session of sessions) expect(status(board.open(session))).toBe(200);
    for (const session of sessions) expect(status(board.open(session))).toBe(429);
    const { id: stranger } = await someAccount(testDatabase.db);
    expect(status(board.open(await signIn(stranger)))).toBe(200);
  });

  test("end with their session, and those of other sessions do not", async () => {
    const board = openBoard();
    const { id: accountId } = await someAccount(testDatabase.db);
    const [session, other] = [await signIn(accountId), await signIn(accountId)];
    const ending = [board.open(session), board.open(session)];
    const kept = board.open(other).answer.body?.getReader();
    await kept?.read();
    await accountSessions.end(session.token, null);
    for (const { answer } of ending) expect(await answer.text()).toMatch(/event: ended\ndata: \{\}\n\n$/);
    const next = await Promise.race([kept?.read(), new Promise((resolve) => setTimeout(resolve, 100, "still open"))]);
    expect(next).not.toMatchObject({ done: true });
    expect(board.readNote(session)).toBeUndefined();
  });

  test("end while the prices are too old, and are refused until they are new again", async () => {
    const board = openBoard();
    const session = await signIn((await someAccount(testDatabase.db)).id);
    const { answer } = board.open(session);
    board.staleness.isStale = true;
    const refused = board.open(session).answer;
    expect([refused.status, await refused.json()]).toEqual([503, { error: STALE_PRICES.message }]);
    // Without the event that a session has ended, the page connects again.
    expect(await answer.text()).not.toContain("event: ended");
    board.staleness.isStale = false;
    expect(status(board.open(session))).toBe(200);
  });

  test("stay open while the database is unavailable", async () => {
    let checks = 0;
    const findAlive: AccountSessions["findAlive"] = async () => {
      if (++checks === 1) throw new Error("unavailable");
      return new Set();
    };
    const board = openBoard({ findAlive });
    const { answer } = board.open({ id: "a", accountId: "b" });
    expect(await answer.text()).toMatch(/event: ended/);
    expect(checks).toBe(2);
  });
});
