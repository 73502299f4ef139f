import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { withAccess } from "@/e2e/support/access";
import { simulateFewPrices } from "@/e2e/support/few-prices";
import { createFormClient, filled } from "@/e2e/support/form-client";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";

/** Installations that require a second factor, with a browser without scripts. */

const PASSWORD = "correct horse battery";
const ENROLMENT = "/account/second-factor";
const OTHER_PLACES = ["/quotes", "/keys/new", "/account", "/operator/accounts", "/live/now?topic=board", "/usage/csv"];

/** Creates an operator, who is the first account of an installation, and a member. */
export function createPeople(server: Spotline): Promise<void> {
  return withAccess(server.place, async ({ accounts }) => {
    for (const name of ["operator", "member"]) {
      await accounts.create({ email: `${name}@example.com`, password: PASSWORD });
    }
  });
}

async function startForEveryone(): Promise<Spotline> {
  const env = { ...simulateFewPrices(), SPOTLINE_REQUIRE_SECOND_FACTOR: "everyone" };
  const started = await startTestServer({ env });
  await createPeople(started);
  return started;
}

async function signIn(name: string, { url }: Spotline) {
  const browser = createFormClient(url);
  await browser.submit("/sign-in", /Sign in/, { email: `${name}@example.com`, password: PASSWORD });
  const open = (path: string) => fetch(url + path, { headers: { cookie: browser.cookie() }, redirect: "manual" });
  const openAll = async () => {
    const found: (string | number)[] = [];
    for (const path of OTHER_PLACES) {
      const response = await open(path);
      found.push(response.headers.get("location") ?? response.status);
    }
    return found;
  };
  return { ...browser, open, openAll };
}

/** Tests of installations that require a second factor, of which one requires it of operators. */
export function testRequiredSecondFactor(getServer: () => Spotline): void {
  test("An operator without a second factor reaches only the page that sets it up, and then everything", async () => {
    const operator = await signIn("operator", getServer());
    expect(await operator.openAll()).toEqual([...Array<string>(4).fill(ENROLMENT), 401, 401]);
    expect(await operator.page(ENROLMENT)).toContain("This installation requires a second factor.");

    await operator.submit(ENROLMENT, /Set up/, { password: PASSWORD });
    const enrolling = await operator.page(ENROLMENT);
    const secret = /id="totp-secret"[^>]*>([^<]+)</.exec(enrolling)?.[1]?.replaceAll(" ", "") ?? "";
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await operator.submit(ENROLMENT, /Turn on/, { code });
    expect(await operator.openAll()).toEqual(Array<number>(6).fill(200));

    expect(await operator.page(ENROLMENT)).not.toContain("Turn the second factor off");
    const form = filled(await operator.form(ENROLMENT, /Replace the recovery codes/), { intent: "disable" });
    const { text } = await operator.send(filled(form, { password: PASSWORD, code: "123456" }));
    expect(text).toContain("This installation requires a second factor: it stays on.");
  });

  test("A member needs none where only operators need one", async () => {
    const member = await signIn("member", getServer());
    expect((await member.open("/quotes")).status).toBe(200);
    expect(await member.page(ENROLMENT)).not.toContain("This installation requires a second factor.");
  });

  test("Where everyone needs a second factor, a member without one reaches only the page that sets it up", async () => {
    const own = await startForEveryone();
    try {
      for (const name of ["member", "operator"]) {
        const person = await signIn(name, own);
        expect(await person.openAll(), name).toEqual([...Array<string>(4).fill(ENROLMENT), 401, 401]);
        expect(await person.page(ENROLMENT)).toContain("This installation requires a second factor.");
      }
    } finally {
      await own.stop();
    }
  });
}
