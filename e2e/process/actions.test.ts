import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFormClient, filled, type Form, type FormClient } from "@/e2e/support/form-client";
import { startSpotline, type Spotline } from "@/e2e/support/spotline";
import { joinDatabase, type Database } from "@/lib/platform/database";
import { silentLog } from "@/lib/platform/log";

/** Everything a form can change, sent as nobody should be able to send it. Each must be refused and change nothing. */

const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "another horse battery";

let spotline: Spotline;
let database: Database;
let stranger: FormClient;
let people = 0;

beforeAll(async () => {
  spotline = await startSpotline();
  database = await joinDatabase({ databaseUrl: undefined, dataDir: spotline.dataDir, log: silentLog });
  await someone();
  stranger = (await someone()).browser;
});

afterAll(async () => {
  await database?.close();
  await spotline?.stop();
});

async function someone() {
  people += 1;
  const email = `person-${people}@example.com`;
  const browser = createFormClient(spotline.url);
  const sent = await browser.submit("/sign-up", /Create/, { email, password: PASSWORD });
  expect(sent).toMatchObject({ status: 303, location: "/quotes" });
  const { id } = await database.prisma.account.findUniqueOrThrow({ where: { email } });
  return { email, browser, id };
}

async function signIn(email: string, password = PASSWORD): Promise<FormClient> {
  const browser = createFormClient(spotline.url);
  await browser.submit("/sign-in", /Sign in/, { email, password });
  return browser;
}

/** Everything that an action could change. */
async function everything(): Promise<string> {
  const { account, apiKey, session, auditEvent } = database.prisma;
  const [accounts, keys, sessions, events] = await Promise.all([
    account.findMany({ orderBy: { id: "asc" } }),
    apiKey.findMany({ orderBy: { id: "asc" } }),
    session.findMany({ orderBy: { id: "asc" }, select: { id: true, accountId: true, confirmedAt: true } }),
    auditEvent.findMany({ orderBy: { seq: "asc" }, select: { seq: true, event: true } }),
  ]);
  const exact = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
  return JSON.stringify({ accounts, keys, sessions, events }, exact, 1);
}

type Owner = Awaited<ReturnType<typeof someone>> & { readonly keyId: string };

async function owner(): Promise<Owner> {
  const person = await someone();
  await person.browser.submit("/keys/new", /Create key/, { label: "A key" });
  const key = await database.prisma.apiKey.findFirstOrThrow({ where: { accountId: person.id } });
  // So that there is another browser to sign out.
  await signIn(person.email);
  return { ...person, keyId: key.id };
}

interface Action {
  readonly name: string;
  readonly path: (owner: Owner) => string;
  readonly words: RegExp;
  readonly values?: Readonly<Record<string, string>>;
  /** Something the form does to the account of its owner. */
  readonly does: string;
}

const keyPage = ({ keyId }: Owner) => `/keys/${keyId}`;
const actions: readonly Action[] = [
  { name: "create a key", path: () => "/keys/new", words: /Create key/, values: { label: "New" }, does: "key.create" },
  { name: "edit a key", path: keyPage, words: /Save changes/, values: { label: "Edited" }, does: "key.update" },
  { name: "disable a key", path: keyPage, words: /Disable key/, does: "key.disable" },
  {
    name: "rotate a key",
    path: keyPage,
    words: /Rotate key/,
    values: { grace: "1h", password: PASSWORD },
    does: "key.rotate",
  },
  { name: "revoke a key", path: keyPage, words: /Revoke key/, values: { password: PASSWORD }, does: "key.revoke" },
  { name: "sign a browser out", path: () => "/account", words: /Sign out .*seen from/, does: "session.revoke" },
  {
    name: "sign all others out",
    path: () => "/account",
    words: /Sign out all others/,
    does: "session.revoke_others",
  },
  {
    name: "change the password",
    path: () => "/account",
    words: /Change password/,
    values: { old: PASSWORD, password: NEW_PASSWORD },
    does: "account.set_password",
  },
  { name: "sign out", path: () => "/quotes", words: /^Sign out$/, does: "session.end" },
];

describe.each(actions)("the form to $name", ({ path, words, values = {}, does }) => {
  let someOwner: Owner;
  let form: Form;
  /** Runs it and tells whether anything is different afterwards. */
  const changes = async (work: () => Promise<unknown>) => {
    const before = await everything();
    await work();
    return (await everything()) !== before;
  };

  beforeAll(async () => {
    someOwner = await owner();
    form = filled(await someOwner.browser.form(path(someOwner), words), values);
  });

  it("does nothing without a session", async () => {
    expect(await changes(() => someOwner.browser.send(form, { cookie: "" }))).toBe(false);
    expect(await changes(() => someOwner.browser.send(form, { cookie: "spotline-session=forged" }))).toBe(false);
  });

  it("does nothing in a session that has ended", async () => {
    const stale = await signIn(someOwner.email);
    const ownForm = filled(await stale.form(path(someOwner), words), values);
    const cookie = stale.cookie();
    await stale.submit("/quotes", /^Sign out$/, {});
    expect(cookie).toContain("spotline-session=");
    expect(await changes(() => stale.send(ownForm, { cookie }))).toBe(false);
  });

  it("does nothing when another site's page sends it, or none", async () => {
    for (const origin of ["https://evil.example", `${spotline.url}.evil.example`, "null", null]) {
      let status = 0;
      const send = async () => ({ status } = await someOwner.browser.send(form, { origin }));
      expect(await changes(send), String(origin)).toBe(false);
      expect(status).toBe(403);
    }
  });

  it("does nothing to its owner in another account's session", async () => {
    if (does === "session.end") return;
    expect(await changes(() => stranger.send(form, { cookie: stranger.cookie() }))).toBe(false);
  });

  it("does its work once, and nothing when it is sent again", async () => {
    const { length: before } = await eventsOf(someOwner.id, does);
    const cookie = someOwner.browser.cookie();
    await someOwner.browser.send(form, { cookie });
    expect(await eventsOf(someOwner.id, does)).toHaveLength(before + 1);
    expect(await changes(() => someOwner.browser.send(form, { cookie }))).toBe(false);
  });
});

function eventsOf(accountId: string, event: string) {
  return database.prisma.auditEvent.findMany({ where: { accountId, event } });
}

describe("what a form cannot say", () => {
  const claims = (id: string) => {
    const owners = ["accountId", "account_id", "ownerId", "owner", "userId", "id", "by", "actor"].map((name) => [
      name,
      id,
    ]);
    const powers = {
      plan: "enterprise",
      role: "operator",
      perMinuteLimit: "1000",
      trialEndsAt: "2099-01-01",
      confirmed: "true",
    };
    return { ...Object.fromEntries(owners), ...powers } as Record<string, string>;
  };

  it("whose a new key is, nor on which plan", async () => {
    const [person, victim] = [await someone(), await someone()];
    const values = { ...claims(victim.id), label: "Mine" };
    await person.browser.submit("/keys/new", /Create key/, values);
    expect(await database.prisma.apiKey.count({ where: { accountId: victim.id } })).toBe(0);
    expect(await database.prisma.apiKey.count({ where: { accountId: person.id } })).toBe(1);
    const after = await database.prisma.account.findUniqueOrThrow({ where: { id: person.id } });
    expect(after).toMatchObject({ plan: "free", role: "member", perMinuteLimit: null, trialEndsAt: null });
  });

  it("which plan or role a new account has", async () => {
    const browser = createFormClient(spotline.url);
    const email = "ambitious@example.com";
    await browser.submit("/sign-up", /Create/, { ...claims("x"), email, password: PASSWORD });
    const account = await database.prisma.account.findUniqueOrThrow({ where: { email } });
    expect(account).toMatchObject({ plan: "free", role: "member", perMinuteLimit: null, trialEndsAt: null });
  });

  it("whose password is changed, nor whose sessions are ended", async () => {
    const [person, victim] = [await owner(), await owner()];
    const before = await database.prisma.account.findUniqueOrThrow({ where: { id: victim.id } });
    const sessions = await database.prisma.session.count({ where: { accountId: victim.id } });
    await person.browser.submit("/account", /Sign out all others/, claims(victim.id));
    const password = { old: PASSWORD, password: NEW_PASSWORD };
    await person.browser.submit("/account", /Change password/, { ...claims(victim.id), ...password });
    expect(await database.prisma.account.findUniqueOrThrow({ where: { id: victim.id } })).toEqual(before);
    expect(await database.prisma.session.count({ where: { accountId: victim.id } })).toBe(sessions);
    expect(await eventsOf(person.id, "account.set_password")).toHaveLength(1);
  });
});

describe("a session", () => {
  it("gets a new token at sign-in, and the one fixed beforehand is worthless", async () => {
    const { email, browser } = await someone();
    const fixed = browser.cookie();
    await browser.send(
      filled(await createFormClient(spotline.url).form("/sign-in", /Sign in/), { email, password: PASSWORD }),
    );
    expect(browser.cookie()).not.toBe(fixed);
    const page = (cookie: string) => fetch(`${spotline.url}/keys`, { headers: { cookie }, redirect: "manual" });
    expect((await page(browser.cookie())).status).toBe(200);
    expect((await page(fixed)).status).toBe(307);
  });

  it("is listed and ended by the operator's command, at once", async () => {
    const { email, browser } = await someone();
    const listed = await spotline.cli<{ sessions: object[] }>("account", "sessions", "--email", email);
    expect(listed.sessions).toMatchObject([{ address: "127.0.0.1", browser: "Unknown browser" }]);
    expect(await spotline.cli("account", "sign-out", "--email", email)).toMatchObject({ sessions_ended: 1 });
    const keys = await fetch(`${spotline.url}/keys`, { headers: { cookie: browser.cookie() }, redirect: "manual" });
    expect(keys.status).toBe(307);
  });

  it("has a cookie that no script and no other site can use", async () => {
    const form = filled(await createFormClient(spotline.url).form("/sign-up", /Create/), {
      email: "cookie@example.com",
      password: PASSWORD,
    });
    const body = new FormData();
    for (const [name, value] of form.fields) body.append(name, value);
    const init = { method: "POST", headers: { origin: spotline.url }, body, redirect: "manual" } as const;
    const [cookie = ""] = (await fetch(`${spotline.url}/sign-up`, init)).headers.getSetCookie();
    expect(cookie).toMatch(/^spotline-session=/);
    expect(cookie).toMatch(/; Path=\/(;|$)/);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=lax/i);
    expect(cookie).not.toMatch(/; Domain=/i);
  });
});

it("answers a wrong password, an unknown address and one attempt too many in the same words", async () => {
  const { email } = await someone();
  const words = async (asked: string, password: string) => {
    const { status, text } = await createFormClient(spotline.url).submit("/sign-in", /Sign in/, {
      email: asked,
      password,
    });
    expect(status).toBe(200);
    return /role="alert"[^>]*>([^<]*)</.exec(text)?.[1];
  };
  const said = [await words("nobody@example.com", PASSWORD)];
  for (let time = 0; time < 6; time++) said.push(await words(email, "wrong horse battery"));
  said.push(await words(email, PASSWORD));
  expect(said[0]).toMatch(/not right/);
  expect(new Set(said).size).toBe(1);
});
