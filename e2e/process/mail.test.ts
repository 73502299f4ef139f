import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPeople, testRequiredSecondFactor } from "@/e2e/process/required-second-factor";
import { createTestAccess, joinServer } from "@/e2e/support/access";
import { simulateFewPrices } from "@/e2e/support/few-prices";
import { createFormClient } from "@/e2e/support/form-client";
import { type Spotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import type { NewAccount } from "@/lib/access/accounts/registration";
import type { NewKey } from "@/lib/access/keys/keys";
import type { Database } from "@/lib/platform/database/database";

const PASSWORD = "correct horse battery";

interface Mailing {
  readonly spotline: Spotline;
  readonly database: Database;
  /** The mails to an address so far. */
  listMails(to: string): string[];
  /** Those with these words in the subject. */
  find(to: string, subject: string): string[];
  stop(): Promise<void>;
}

/** Starts a server that mails to a real mail server. Its operator is not an owner of the tests. */
async function startMailing(env: Readonly<Record<string, string>>): Promise<Mailing> {
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
  const { port } = smtp.server.address() as AddressInfo;
  const mail = { SPOTLINE_SMTP_URL: `smtp://127.0.0.1:${port}`, SPOTLINE_MAIL_FROM: "Spotline <prices@example.com>" };
  const spotline = await startTestServer({ env: { ...simulateFewPrices(), ...mail, ...env } });
  const database = await joinServer(spotline.place);
  await createPeople(spotline);
  const listMails = (to: string) => mails.filter((text) => text.includes(`To: ${to}`));
  return {
    spotline,
    database,
    listMails,
    // A subject with quotation marks has "_" for every space.
    find: (to, subject) => listMails(to).filter((text) => text.replaceAll("_", " ").includes(subject)),
    async stop() {
      await database.close();
      await spotline.stop();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
}

let owners = 0;
/** An address of a new account, also when a test is repeated. */
const nameOwner = () => `owner-${++owners}@example.com`;

/** Creates an account with a key. */
async function createOwner(
  { database }: Mailing,
  account: Pick<NewAccount, "email" | "plan"> & { readonly perDay?: number },
  key: Partial<NewKey> = {},
) {
  const { accounts, keys } = createTestAccess(database);
  const { perDay, ...rest } = account;
  const { id } = await accounts.create({ ...rest, password: PASSWORD });
  if (perDay !== undefined) await accounts.setLimits(id, { perDay });
  return keys.create({ accountId: id, label: "desk", scopes: ["all"], ...key });
}

// Tests beside each other need the `expect` of their own.
describe.concurrent("A server that mails", { timeout: 120_000 }, () => {
  let mailing: Mailing;
  beforeAll(async () => {
    mailing = await startMailing({
      ...WITHOUT_PAGES,
      SPOTLINE_URL: "https://prices.example.com",
      SPOTLINE_TRUSTED_PROXY_ADDRESSES: "127.0.0.1",
    });
  });
  afterAll(() => mailing?.stop());

  async function call(key: string, from?: string): Promise<number> {
    const headers = { "X-API-Key": key, ...(from === undefined ? {} : { "X-Forwarded-For": from }) };
    return (await fetch(`${mailing.spotline.url}/v1/quote?symbol=EURUSD`, { headers })).status;
  }

  test("An account gets one mail for each quota notice over a real mail server", async ({ expect }) => {
    const email = nameOwner();
    const find = (subject: string) => mailing.find(email, subject);
    const { secret } = await createOwner(mailing, { email, perDay: 2 });
    expect(await call(secret)).toBe(200);
    await expect.poll(() => find("50 % of the calls of the day are used").length, { timeout: 15_000 }).toBe(1);
    expect(await call(secret)).toBe(200);
    expect(await call(secret)).toBe(429);
    await expect.poll(() => find("All of the calls of the day are used").length, { timeout: 15_000 }).toBe(1);
    expect(find("All of the calls of the day are used")[0]).toContain(`To: ${email}`);
    await expect.poll(() => mailing.listMails(email).length, { timeout: 15_000 }).toBe(3);
    // No further mail follows after two more checks.
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect(mailing.listMails(email)).toHaveLength(3);
  });

  test("An owner gets mails when a key is created, used from a new address, or refused", async ({ expect }) => {
    const email = nameOwner();
    const find = (subject: string) => mailing.find(email, subject);
    const { secret, id } = await createOwner(mailing, { email }, { addresses: ["203.0.113.0/24"] });
    const poll = (count: () => number | Promise<number>) => expect.poll(count, { timeout: 15_000 });
    expect(await call(secret, "203.0.113.7")).toBe(200);
    expect(await call(secret, "198.51.100.9, 198.51.100.8")).toBe(403);
    await poll(() => find("A call with").length).toBe(1);
    await poll(() => mailing.database.prisma.keyPlace.count({ where: { keyId: id } })).toBe(1);
    expect(await call(secret, "203.0.113.8")).toBe(200);
    await poll(() => find("A new address uses").length).toBe(1);
    expect(find("A key was created")).toHaveLength(1);
  });

  test("An alert is mailed once, as plain text that names it and links to it", async ({ expect }) => {
    const { spotline } = mailing;
    const email = nameOwner();
    const find = (subject: string) => mailing.find(email, subject);
    const { secret: key } = await createOwner(mailing, { email, plan: "pro" }, { scopes: ["all", "alerts"] });
    const headers = { "X-API-Key": key, "Content-Type": "application/json" };
    const quote = await fetch(`${spotline.url}/v1/quote?symbol=EURUSD`, { headers });
    const { bid } = ((await quote.json()) as { data: { bid: number } }).data;
    // The simulated market moves by ten points within a second or two.
    const condition = { type: "move", symbol: "EURUSD", percent: 0.01, minutes: 60 };
    const prices = [-2, -1, 1, 2].map((points) => Number((bid + points / 1e5).toFixed(5)));
    const conditions = [condition, ...prices.map((level) => ({ type: "price", symbol: "EURUSD", level }))];
    const ids = new Map<string, string>();
    for (const [index, each] of conditions.entries()) {
      const body = JSON.stringify({ name: `Mailed ${index}`, condition: each, mail: true });
      const created = await fetch(`${spotline.url}/v1/alerts`, { method: "POST", headers, body });
      ids.set(`Mailed ${index}`, ((await created.json()) as { data: { id: string } }).data.id);
    }
    await expect.poll(() => find("Alert: Mailed").length, { timeout: 60_000 }).toBeGreaterThan(0);
    const mail = (find("Alert: Mailed")[0] ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
    const name = /Alert: (Mailed \d)/.exec(mail)?.[1] ?? "";
    expect(mail).toContain(`To: ${email}`);
    expect(mail).toMatch(/^Subject: Mailed \d: EURUSD /m);
    expect(mail).toContain("Content-Type: text/plain");
    expect(mail).toContain("(simulated prices)");
    expect(mail).toContain(`https://prices.example.com/alerts?alert=${ids.get(name)}`);
    const { prisma } = mailing.database;
    await prisma.alert.updateMany({ data: { active: false } });
    const own = { firing: { alertId: { in: [...ids.values()] } } };
    const isDone = async () => (await prisma.alertDelivery.count({ where: { dueAt: { not: null }, ...own } })) === 0;
    await expect.poll(isDone, { timeout: 30_000 }).toBe(true);
    const deliveries = await prisma.alertDelivery.findMany({ where: own });
    expect(deliveries.every(({ state, tries }) => state === "delivered" && tries === 1)).toBe(true);
    const names = mailing.listMails(email).flatMap((text) => /Alert: (Mailed \d)/.exec(text)?.[1] ?? []);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
    expect(names).toHaveLength(deliveries.length);
  });
});

describe("A server with pages that mails, and requires a second factor of operators", () => {
  let mailing: Mailing;
  beforeAll(async () => {
    mailing = await startMailing({ SPOTLINE_REQUIRE_SECOND_FACTOR: "operators" });
  });
  afterAll(() => mailing?.stop());

  testRequiredSecondFactor(() => mailing.spotline);

  test("An owner who forgot the password sets a new one by a mailed link", async () => {
    const { spotline } = mailing;
    const email = nameOwner();
    const find = (subject: string) => mailing.find(email, subject);
    await createOwner(mailing, { email });
    const browser = createFormClient(spotline.url);
    const request = (to: string) => browser.submit("/sign-in/forgot", /Mail me a link/, { email: to });
    const answers = [await request("nobody@example.com"), await request(email)].map(({ text }) =>
      /If there is an account[^<]*/.exec(text)?.at(0),
    );
    expect(answers[0]).toMatch(/a mail with a link is on its way/);
    expect(answers[1]).toBe(answers[0]);
    await expect.poll(() => find("Set a new Spotline password").length, { timeout: 15_000 }).toBe(1);
    // Long lines of a mail are wrapped with "=".
    const mail = (find("Set a new Spotline password")[0] ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
    const path = /\/sign-in\/reset\?token=[\w-]+/.exec(mail)?.[0] ?? "";
    const set = (password: string) => browser.submit(path, /Set the password/, { password });
    expect((await set("short")).text).toContain("characters");
    expect((await set("entirely different words")).location).toBe("/sign-in?done=reset");
    expect(await (await fetch(spotline.url + path)).text()).toContain("not valid any more");
    const signIn = (password: string) =>
      createFormClient(spotline.url).submit("/sign-in", /Sign in/, { email, password });
    expect((await signIn("correct horse battery")).location).toBeNull();
    expect((await signIn("entirely different words")).location).toMatch(/^\//);
    expect(mailing.listMails("").join("")).not.toContain("nobody@example.com");
  }, 120_000);
});
