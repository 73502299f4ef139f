import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Action, Scene } from "@/e2e/process/action-scene";
import { openPeople, type People, type Person } from "@/e2e/process/form-people";
import { operatorActions } from "@/e2e/process/operator-actions";
import { ownerActions } from "@/e2e/process/owner-actions";
import { filled, type Form } from "@/e2e/support/form-client";

/** Everything a form can change, sent as nobody should be able to send it. Each must be refused and change nothing. */

const actions = [...ownerActions, ...operatorActions];
/** What needs no session, or changes nothing: tested with signing in and with the allow-list. */
const otherActions: readonly string[] = ["signIn", "signUp", "signInWithCode", "linkSignIn", "checkAddresses"];

let people: People;
let stranger: Person;

beforeAll(async () => {
  people = await openPeople();
  stranger = await people.someone();
});
afterAll(() => people?.close());

const tables = [
  ...["account", "api_key", "key_layout", "session", "second_factor", "recovery_code"],
  ...["identity", "notice", "invitation", "closed_account", "audit_event"],
];

/** Everything that an action could change. That the stranger gave their own password is no news. */
async function everything(): Promise<string> {
  const rows = tables.map(async (table) => {
    const { rows: all } = await people.database.pool.query<{ row: string }>(
      `SELECT (to_jsonb(${table}) - 'last_seen_at'
                - CASE WHEN to_jsonb(${table})->>'account_id' = $1 THEN 'confirmed_at' ELSE '' END)::text AS row
         FROM ${table} ORDER BY 1`,
      [stranger.id],
    );
    return [table, all.map(({ row }) => row)];
  });
  return JSON.stringify(await Promise.all(rows));
}

/** Runs it and tells whether anything is different afterwards. */
async function changes(work: () => Promise<unknown>): Promise<boolean> {
  const before = await everything();
  await work();
  return (await everything()) !== before;
}

/** Somebody with a key, brought to where the action can be done, and its form. */
async function prepare(action: Action, operator = people.operator): Promise<{ scene: Scene; form: Form }> {
  const target = await people.someone();
  await target.browser.submit("/keys/new", /Create key/, { label: "A key" });
  const { id: keyId } = await people.database.prisma.apiKey.findFirstOrThrow({ where: { accountId: target.id } });
  const sender = action.by === "owner" ? target : operator;
  const scene: Scene = { people, target, keyId, sender, found: {} };
  await action.arrange?.(scene);
  const form = await sender.browser.form(action.path(scene), action.words(scene));
  return { scene, form: filled(form, action.values?.(scene) ?? {}) };
}

test("every server action is in the table", () => {
  const manifest = JSON.parse(readFileSync(".next/server/server-reference-manifest.json", "utf8")) as {
    node: Record<string, { exportedName: string }>;
  };
  const built = Object.values(manifest.node).map(({ exportedName }) => exportedName);
  const known = [...new Set(actions.map(({ action }) => action)), ...otherActions];
  expect(built.toSorted()).toEqual(known.toSorted());
});

describe.each(actions.map((action) => ({ title: action.name ?? action.action, action })))("$title", ({ action }) => {
  let scene: Scene;
  let form: Form;

  beforeAll(async () => {
    ({ scene, form } = await prepare(action));
  });

  test("does nothing without a session", async () => {
    expect(await changes(() => scene.sender.browser.send(form, { cookie: "" }))).toBe(false);
    expect(await changes(() => scene.sender.browser.send(form, { cookie: "spotline-session=forged" }))).toBe(false);
  });

  test("does nothing in a session that has ended", async () => {
    const leaving = { ...people.operator, browser: await people.signIn(people.operator.email) };
    const { scene: other, form: ownForm } = await prepare(action, leaving);
    const { browser } = other.sender;
    const cookie = browser.cookie();
    await browser.submit("/quotes", /^Sign out$/, {});
    expect(cookie).toContain("spotline-session=");
    expect(await changes(() => browser.send(ownForm, { cookie }))).toBe(false);
  });

  test("does nothing when another site's page sends it, or none", async () => {
    const { browser } = scene.sender;
    for (const origin of ["https://evil.example", `${people.spotline.url}.evil.example`, "null", null]) {
      let status = 0;
      const send = async () => ({ status } = await browser.send(form, { origin }));
      expect(await changes(send), String(origin)).toBe(false);
      expect(status).toBe(403);
    }
  });

  // Whoever sends it signs themselves out, which is nobody else's affair.
  test.skipIf(action.action === "signOut")("does nothing in another account's session", async () => {
    expect(await changes(() => stranger.browser.send(form, { cookie: stranger.browser.cookie() }))).toBe(false);
  });

  test("does its work once, and nothing when it is sent again", async () => {
    const { sender, target } = scene;
    const times = async () => (action.event === null ? 0 : (await people.findEvents(target.id, action.event)).length);
    const before = await times();
    const cookie = sender.browser.cookie();
    expect(await changes(() => sender.browser.send(form, { cookie }))).toBe(true);
    expect(await times()).toBe(action.event === null ? 0 : before + 1);
    expect(await changes(() => sender.browser.send(form, { cookie }))).toBe(false);
  });
});
