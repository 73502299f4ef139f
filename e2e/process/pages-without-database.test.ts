import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startCutter } from "@/e2e/process/connection-cutter";
import { withAccess } from "@/e2e/support/access";
import { createFormClient, type FormClient } from "@/e2e/support/form-client";
import { createFilledDatabase } from "@/e2e/support/prepared-past";
import { SESSION_COOKIE, startTestSession } from "@/e2e/support/sessions";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";

const WAIT = { timeout: 60_000, interval: 500 };
const AWAY = "The database does not answer";

const database = await createFilledDatabase();
if (database === null) console.warn("SKIPPED: no PostgreSQL is reachable, so none can be away");

describe.runIf(database !== null)("The pages of a server whose PostgreSQL goes away", () => {
  let cutter: Awaited<ReturnType<typeof startCutter>>;
  let server: Spotline;
  let ada: FormClient;
  let stranger: FormClient;

  beforeAll(async () => {
    const address = new URL(database?.url ?? "");
    cutter = await startCutter(address.href);
    address.host = new URL(cutter.url.replace(/^\w+:/, "http:")).host;
    server = await startTestServer({ env: { DATABASE_URL: address.href } });
    const open = (email: string) =>
      withAccess(server.place, async ({ accounts, database: opened }) => {
        const { id } = await accounts.create({ email, password: "correct horse battery" });
        return createFormClient(server.url, "Form client", { [SESSION_COOKIE]: await startTestSession(opened, id) });
      });
    ada = await open("ada@example.com");
    stranger = await open("bob@example.com");
  });
  afterAll(async () => {
    await server.stop();
    cutter.close();
    await database?.drop();
  });

  test("keep their navigation and what is in memory, say what they lack, and come back", async () => {
    const read = (path: string) => ada.page(path);
    expect(await read("/quotes")).toContain("EURUSD");
    await vi.waitFor(async () => expect(await read("/overview")).not.toContain("cannot be read"), WAIT);
    cutter.refuse();
    try {
      for (const [path, ...words] of [
        ["/overview", "Sessions", "cannot be read at the moment"],
        ["/quotes", "EURUSD", "cannot be read at the moment"],
        ["/calendar?range=week", "Calendar"],
        ["/keys", AWAY],
        ["/audit", AWAY],
      ] as const) {
        const html = await read(path);
        expect(html, path).toContain('aria-label="Main"');
        for (const word of words) expect(html, path).toContain(word);
        expect(html, path).not.toContain("__next_error__");
      }
      // Nobody is sent to sign-in for an outage. Without a session that was read a moment ago, nothing is shown.
      const unknown = await stranger.page("/quotes");
      expect(unknown).toContain(AWAY);
      expect(unknown).not.toMatch(/EURUSD|aria-label="Main"/);
    } finally {
      cutter.restore();
    }
    await vi.waitFor(async () => expect(await read("/keys")).not.toContain(AWAY), WAIT);
    expect(await stranger.page("/quotes")).toContain("EURUSD");
  });
});
