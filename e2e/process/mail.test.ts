import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { withAccess } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { joinDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";

let spotline: Spotline;
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Starts a server that mails to a real mail server. Returns the mails so far, and a search by subject. */
async function startWithMail(env: Record<string, string> = {}) {
  const mails: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
      stream.on("end", () => {
        mails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  undo.push(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
  const { port } = smtp.server.address() as AddressInfo;
  const mail = { SPOTLINE_SMTP_URL: `smtp://127.0.0.1:${port}`, SPOTLINE_MAIL_FROM: "Spotline <prices@example.com>" };
  spotline = await startTestServer({ env: { ...mail, ...env } });
  undo.push(() => spotline.stop());
  // A subject with quotation marks has "_" for every space.
  return { mails, find: (subject: string) => mails.filter((text) => text.replaceAll("_", " ").includes(subject)) };
}

/** Creates an account with two calls a day and a key of it. */
function createKey(addresses: readonly string[] = []) {
  return withAccess({ SPOTLINE_DATA_DIR: spotline.dataDir }, async ({ accounts, keys }) => {
    const { id } = await accounts.create({ email: "owner@example.com", password: "correct horse battery" });
    await accounts.setLimits(id, { perDay: 2 });
    return keys.create({ accountId: id, label: "desk", scopes: ["all"], addresses });
  });
}

async function call(key: string, from?: string): Promise<number> {
  const headers = { "X-API-Key": key, ...(from === undefined ? {} : { "X-Forwarded-For": from }) };
  return (await fetch(`${spotline.url}/v1/quote?symbol=EURUSD`, { headers })).status;
}

test("An account gets one mail for each quota notice over a real mail server", async () => {
  const { mails, find } = await startWithMail();
  const { secret } = await createKey();
  expect(await call(secret)).toBe(200);
  await expect.poll(() => find("50 % of the calls of the day are used").length, { timeout: 15_000 }).toBe(1);
  expect(await call(secret)).toBe(200);
  expect(await call(secret)).toBe(429);
  await expect.poll(() => find("All of the calls of the day are used").length, { timeout: 15_000 }).toBe(1);
  expect(find("All of the calls of the day are used")[0]).toContain("To: owner@example.com");
  await expect.poll(() => mails.length, { timeout: 15_000 }).toBe(3);
  // No further mail follows after two more checks.
  await new Promise((resolve) => setTimeout(resolve, 7_000));
  expect(mails).toHaveLength(3);
}, 120_000);

test("An owner gets mails when a key is created, used from a new address, or refused", async () => {
  const { find } = await startWithMail({ SPOTLINE_TRUSTED_PROXY_ADDRESSES: "127.0.0.1" });
  const { secret, id } = await createKey(["203.0.113.0/24"]);
  const poll = (count: () => number | Promise<number>) => expect.poll(count, { timeout: 15_000 });
  expect(await call(secret, "203.0.113.7")).toBe(200);
  expect(await call(secret, "198.51.100.9, 198.51.100.8")).toBe(403);
  await poll(() => find("A call with").length).toBe(1);
  const database = await joinDatabase({ databaseUrl: undefined, dataDir: spotline.dataDir, log: silentLog });
  undo.push(() => database.close());
  await poll(() => database.prisma.keyPlace.count({ where: { keyId: id } })).toBe(1);
  expect(await call(secret, "203.0.113.8")).toBe(200);
  await poll(() => find("A new address uses").length).toBe(1);
  expect(find("A key was created")).toHaveLength(1);
}, 120_000);
