import { beforeAll, describe, expect, test } from "vitest";
import { PASSWORD, type People, type Person } from "@/e2e/process/form-people";
import { createFormClient, filled } from "@/e2e/support/form-client";
import { MAX_STREAMS, TOO_MANY_STREAMS } from "@/features/session/open-streams";
import { CHANGE_LIMITS } from "@/lib/access/sign-in/sign-in-limits";
import { MINUTE_MS } from "@/lib/time/units";

/** Forms and sessions with forged fields and cookies, and what forms do elsewhere. */

const NEW_PASSWORD = "another horse battery";

/** Tests with people on a server of their own. */
export function testForms(getPeople: () => People): void {
  let people: People;
  beforeAll(() => void (people = getPeople()));

  async function withTwoBrowsers(): Promise<Person> {
    const person = await people.createMember();
    await people.signIn(person.email);
    return person;
  }

  describe("A form cannot set", () => {
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

    test("the owner of a new key or its plan", async () => {
      const [person, victim] = [await people.createMember(), await people.createMember()];
      const values = { ...claims(victim.id), label: "Mine", password: PASSWORD };
      await person.browser.submit("/keys/new", /Create key/, values);
      expect(await people.database.prisma.apiKey.count({ where: { accountId: victim.id } })).toBe(0);
      expect(await people.database.prisma.apiKey.count({ where: { accountId: person.id } })).toBe(1);
      const after = await people.database.prisma.account.findUniqueOrThrow({ where: { id: person.id } });
      expect(after).toMatchObject({ plan: "free", role: "member", perMinuteLimit: null, trialEndsAt: null });
    });

    test("the plan or role of a new account", async () => {
      const browser = createFormClient(people.spotline.url);
      const email = "ambitious@example.com";
      await browser.submit("/sign-up", /Create/, { ...claims("x"), email, password: PASSWORD });
      const account = await people.database.prisma.account.findUniqueOrThrow({ where: { email } });
      expect(account).toMatchObject({ plan: "free", role: "member", perMinuteLimit: null, trialEndsAt: null });
    });

    test("the account whose password is changed or whose sessions are ended", async () => {
      const [person, victim] = [await withTwoBrowsers(), await withTwoBrowsers()];
      const before = await people.database.prisma.account.findUniqueOrThrow({ where: { id: victim.id } });
      const sessions = await people.database.prisma.session.count({ where: { accountId: victim.id } });
      await person.browser.submit("/account", /Sign out all others/, claims(victim.id));
      const password = { old: PASSWORD, password: NEW_PASSWORD };
      await person.browser.submit("/account", /Change password/, { ...claims(victim.id), ...password });
      expect(await people.database.prisma.account.findUniqueOrThrow({ where: { id: victim.id } })).toEqual(before);
      expect(await people.database.prisma.session.count({ where: { accountId: victim.id } })).toBe(sessions);
      expect(await people.findEvents(person.id, "account.set_password")).toHaveLength(1);
    });
  });

  describe("A session", () => {
    test("has a new token after sign-in, and the token before it is invalid", async () => {
      const { email, browser } = await people.createMember();
      const fixed = browser.cookie();
      await browser.send(
        filled(await createFormClient(people.spotline.url).form("/sign-in", /Sign in/), { email, password: PASSWORD }),
      );
      expect(browser.cookie()).not.toBe(fixed);
      const page = (cookie: string) =>
        fetch(`${people.spotline.url}/keys`, { headers: { cookie }, redirect: "manual" });
      expect((await page(browser.cookie())).status).toBe(200);
      expect((await page(fixed)).status).toBe(307);
    });

    test("can be listed and ended immediately by the operator's command", async () => {
      const { email, browser } = await people.createMember();
      const listed = await people.spotline.cli<{ sessions: object[] }>("account", "sessions", "--email", email);
      expect(listed.sessions).toMatchObject([{ address: "127.0.0.1", browser: "Unknown browser" }]);
      expect(await people.spotline.cli("account", "sign-out", "--email", email)).toMatchObject({ sessions_ended: 1 });
      const keys = await fetch(`${people.spotline.url}/keys`, {
        headers: { cookie: browser.cookie() },
        redirect: "manual",
      });
      expect(keys.status).toBe(307);
    });

    test("has a bounded number of price streams, which close when it ends", async () => {
      const { id, browser } = await people.createMember();
      const client = new AbortController();
      const query = `account=${id}&topic=board`;
      const open = () =>
        fetch(`${people.spotline.url}/live/stream?${query}`, {
          headers: { cookie: browser.cookie() },
          signal: client.signal,
        });
      const streams: Response[] = [];
      for (let count = 0; count < MAX_STREAMS.session; count++) streams.push(await open());
      expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
      const refused = await open();
      expect([refused.status, await refused.json()]).toEqual([429, { error: TOO_MANY_STREAMS }]);
      expect(JSON.parse(await browser.page(`/live/now?${query}`))).toMatchObject({
        results: [{ topic: "board", message: { note: TOO_MANY_STREAMS } }],
      });
      const texts = streams.map((stream) => stream.text());
      await people.database.prisma.session.deleteMany({ where: { accountId: id } });
      // Each ends by itself; otherwise the test runs into its time limit.
      for (const text of await Promise.all(texts)) expect(text).toMatch(/event: ended\ndata: \{\}\n\n$/);
      client.abort();
    });

    test("gets no live data of a page that was rendered for another account", async () => {
      const [own, other] = [await people.createMember(), await people.createMember()];
      for (const path of ["/live/stream", "/live/now"]) {
        const url = `${people.spotline.url}${path}?account=${other.id}&topic=alerts`;
        const answer = await fetch(url, { headers: { cookie: own.browser.cookie() } });
        expect([answer.status, await answer.json()]).toEqual([401, { error: "Signed out" }]);
      }
    });

    test.each([
      ["/live/now?topic=nonsense&topic=symbol/NOPE&topic=__proto__", 404],
      ["/live/now", 404],
      ["/live/stream?topic=", 404],
      [`/live/now?${"topic=symbol/EURUSD&".repeat(500)}`, 200],
      ["/live/now?topic=symbol/EURUSD%3Ftimeframe=x%26compare=%27&topic=nonsense", 200],
    ])("that asks for %s is answered %i", async (path, status) => {
      const { browser } = await people.createMember();
      const answer = await fetch(people.spotline.url + path, { headers: { cookie: browser.cookie() } });
      expect(answer.status).toBe(status);
    });

    test("has a cookie that scripts and other sites cannot use", async () => {
      const form = filled(await createFormClient(people.spotline.url).form("/sign-up", /Create/), {
        email: "cookie@example.com",
        password: PASSWORD,
      });
      const body = new FormData();
      for (const [name, value] of form.fields) body.append(name, value);
      const init = { method: "POST", headers: { origin: people.spotline.url }, body, redirect: "manual" } as const;
      const [cookie = ""] = (await fetch(`${people.spotline.url}/sign-up`, init)).headers.getSetCookie();
      expect(cookie).toMatch(/^spotline-session=/);
      expect(cookie).toMatch(/; Path=\/(;|$)/);
      expect(cookie).toMatch(/; HttpOnly/);
      expect(cookie).toMatch(/; SameSite=lax/i);
      expect(cookie).not.toMatch(/; Domain=/i);
    });
  });

  test("A wrong password, an unknown address and too many attempts have the same message", async () => {
    const { email } = await people.createMember();
    const readAlert = async (address: string, password: string) => {
      const { status, text } = await createFormClient(people.spotline.url).submit("/sign-in", /Sign in/, {
        email: address,
        password,
      });
      expect(status).toBe(200);
      return /role="alert"[^>]*>([^<]*)</.exec(text)?.[1];
    };
    const alerts = [await readAlert("nobody@example.com", PASSWORD)];
    for (let time = 0; time < 6; time++) alerts.push(await readAlert(email, "wrong horse battery"));
    alerts.push(await readAlert(email, PASSWORD));
    expect(alerts[0]).toMatch(/not right/);
    expect(new Set(alerts).size).toBe(1);
  });

  test("A member who has sent too many forms reads when to send the next, and keeps what was typed", async () => {
    const { id, browser } = await people.createMember();
    await people.database.pool.query("INSERT INTO attempt (name, used, ends_at) VALUES ($1, $2, $3)", [
      `change-minute:${id}`,
      CHANGE_LIMITS.member.account.minute,
      new Date(Date.now() + MINUTE_MS),
    ]);
    const values = { label: "A label that was typed", password: PASSWORD };
    const { status, text } = await browser.submit("/keys/new", /Create key/, values);
    expect(status).toBe(200);
    expect(text).toMatch(/role="alert"[^>]*>Nothing was changed: your account has sent 30 forms within a minute/);
    expect(text).toMatch(/<input[^>]* value="A label that was typed"/);
    expect(await people.database.prisma.apiKey.count({ where: { accountId: id } })).toBe(0);
  });

  test("A member sees what an operator did to a key, but not the operator's account or address", async () => {
    const { operator, database } = people;
    const member = await people.createMember();
    await member.browser.submit("/keys/new", /Create key/, { label: "Desk", password: PASSWORD });
    const { id } = await database.prisma.apiKey.findFirstOrThrow({ where: { accountId: member.id } });
    await operator.browser.submit(`/operator/keys/${id}`, /Disable key/, {});
    const findLine = async (browser: typeof member.browser, path: string) =>
      (await browser.page(path)).split(/<tr\b|\r?\n/).find((line) => line.includes("key.disable")) ?? "";
    for (const path of ["/audit", "/audit/csv", `/keys/${id}`]) {
      const line = await findLine(member.browser, path);
      expect(line, path).toContain("the operator");
      expect(line, path).not.toContain(operator.id);
      expect(line, path).not.toContain("127.0.0.1");
    }
    for (const path of ["/audit", "/audit/csv"]) {
      expect(await findLine(operator.browser, path), path).toContain("127.0.0.1");
    }
  });

  test("An owner creates a link on the page of a key with the password, a program reads it without a header, and revoking ends it", async () => {
    const { id, browser } = await people.createMember();
    const page = `/keys/${await people.createKey(id)}`;
    const findLinks = async () =>
      [...(await browser.page(page)).matchAll(/<code[^>]*>(https?:[^<]*\/(?:csv|udf)\/fxl_[\w-]+)</g)].map(
        ([, url = ""]) => url.replace(/^https?:\/\/[^/]*/, people.spotline.url),
      );
    const values = { path: "/v1/symbols", query: "category=metals" };
    const unconfirmed = await browser.submit(page, /Create link/, values);
    expect(unconfirmed.text).toContain("Enter your password to go on.");
    expect(await findLinks()).toEqual([]);
    await browser.submit(page, /Create link/, { ...values, password: PASSWORD });
    const [table = ""] = await findLinks();
    const answer = await fetch(table);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/csv; charset=utf-8; header=present",
    ]);
    expect(await answer.text()).toMatch(/^symbol,name.*\r\n(.*\r\n)*XAUUSD/);
    const refused = await browser.submit(page, /Create link/, { path: "/v1/ohlc", query: "symbol=EURUSD&limit=0" });
    expect(refused.text).toContain("limit must be a whole number");
    await browser.submit(page, /Create link/, { path: "/udf", query: "" });
    const chart = (await findLinks()).find((url) => url.includes("/udf/")) ?? "";
    expect(await (await fetch(`${chart}/config`)).json()).toMatchObject({ supports_search: true });
    await browser.submit(page, /Revoke the link to \/v1\/symbols/, {});
    expect((await fetch(table)).status).toBe(401);
    expect((await fetch(`${chart}/config`)).status).toBe(200);
    expect(await findLinks()).toEqual([chart]);
  });
}
