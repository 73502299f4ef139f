import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Action, Scene } from "@/e2e/process/action-scene";
import { alertActions } from "@/e2e/process/alert-actions";
import { openPeople, type People, type Person } from "@/e2e/process/form-people";
import { testForms } from "@/e2e/process/forms";
import { operatorActions } from "@/e2e/process/operator-actions";
import { ownerActions } from "@/e2e/process/owner-actions";
import { passkeyActions } from "@/e2e/process/passkey-actions";
import { filled, type Form } from "@/e2e/support/form-client";

/** Sends the form of every server action in forbidden ways. Each must be refused and change nothing. */

const actions = [...ownerActions, ...alertActions, ...passkeyActions, ...operatorActions];
/** Actions that need no session or change nothing. Other tests cover them. */
const otherActions: readonly string[] = [
  "signIn",
  "signUp",
  "requestReset",
  "resetPassword",
  "signInWithCode",
  "signInWithPasskey",
  "enterDemo",
  "leaveDemo",
  "linkSignIn",
  "checkAddresses",
];

let people: People;
let outsider: Person;
/** The form that ends the session in which it is sent. */
let signOut: Form;

beforeAll(async () => {
  people = await openPeople();
  outsider = await people.createMember();
  signOut = await outsider.browser.form("/plan", /^Sign out$/);
});
afterAll(() => people?.close());

const tables = [
  "account",
  "api_key",
  "key_layout",
  "key_link",
  "session",
  "second_factor",
  "recovery_code",
  "identity",
  "passkey",
  "notice",
  "quote_lists",
  "screen",
  "plan_request",
  "alert",
  "alert_firing",
  "webhook",
  "invitation",
  "ingest_token",
  "closed_account",
  "paused_source",
  "source_alias",
  "instrument",
  "import_run",
  "audit_event",
];

/** What is left out changes by itself: notices are written later, and the server undoes imports when it is asked to. */
const CONDITIONS: Readonly<Record<string, string>> = {
  notice: "WHERE dismissed_at IS NOT NULL",
  import_run: "WHERE state NOT IN ('undoing', 'undone')",
};

/**
 * The sum of the hashes of one table's rows, without what a request may change on the way, and without what alerts remember of
 * prices.
 */
const sumTable = (table: string) => `
  SELECT '${table}' AS name, sum(hashtextextended((to_jsonb(${table}) - 'last_seen_at'${table === "alert" ? " - 'state'" : ""}
           - CASE WHEN to_jsonb(${table})->>'account_id' = $1 THEN 'confirmed_at' ELSE '' END)::text, 0)) AS sum
    FROM ${table} ${CONDITIONS[table] ?? ""}`;

/** Sums all rows that an action can change, except the confirmation of the outsider's session. */
async function sumTables(): Promise<ReadonlyMap<string, string | null>> {
  const text = tables.map(sumTable).join(" UNION ALL ");
  const { rows } = await people.database.pool.query<{ name: string; sum: string | null }>(text, [outsider.id]);
  return new Map(rows.map(({ name, sum }) => [name, sum]));
}

/** Runs `work` and returns the tables of which it changed a row. */
async function findChanged(work: () => Promise<unknown>): Promise<string[]> {
  const before = await sumTables();
  await work();
  const after = await sumTables();
  return tables.filter((table) => after.get(table) !== before.get(table));
}

/** Creates a member with a key, and brings it into the state that the action needs. */
async function prepareScene(action: Action): Promise<Scene> {
  const target = await people.createMember();
  const keyId = await people.createKey(target.id);
  const scene: Scene = { people, target, keyId, sender: action.by === "owner" ? target : people.operator, found: {} };
  await action.arrange?.(scene);
  return scene;
}

/** Reads the form in the browser of a scene's sender and fills it. */
async function readForm(action: Action, scene: Scene): Promise<Form> {
  const form = await scene.sender.browser.form(action.path(scene), action.words(scene));
  return filled(form, action.values?.(scene) ?? {});
}

test("Every server action is in the table", () => {
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
    scene = await prepareScene(action);
    form = await readForm(action, scene);
  });

  test("does nothing without a session", async () => {
    const { browser } = scene.sender;
    const send = async () => {
      await browser.send(form, { cookie: "" });
      await browser.send(form, { cookie: "spotline-session=forged" });
    };
    expect(await findChanged(send)).toEqual([]);
  });

  test("does nothing in a session that has ended", async () => {
    const { browser } = scene.sender;
    // What is prepared for one session would be refused in any other, so it is prepared again for the one that ends.
    const other = action.isForOneSession ? await prepareScene(action) : scene;
    const ended = action.isForOneSession ? other.sender.browser : await people.openSession(scene.sender.id);
    const ownForm = action.isForOneSession ? await readForm(action, other) : form;
    const cookie = ended.cookie();
    expect(cookie).toContain("spotline-session=");
    expect(await findChanged(() => browser.send(signOut, { cookie }))).toContain("session");
    expect(await findChanged(() => browser.send(ownForm, { cookie }))).toEqual([]);
  });

  test("does nothing if another site or no page sends it", async () => {
    const { browser } = scene.sender;
    const send = async () => {
      for (const origin of ["https://evil.example", `${people.spotline.url}.evil.example`, "null", null]) {
        expect((await browser.send(form, { origin })).status, String(origin)).toBe(403);
      }
    };
    expect(await findChanged(send)).toEqual([]);
  });

  // This action ends the session of its sender, so another session is allowed to send it.
  test.skipIf(action.action === "signOut")("does nothing in another account's session", async () => {
    expect(await findChanged(() => outsider.browser.send(form, { cookie: outsider.browser.cookie() }))).toEqual([]);
  });

  // Who has an operator's cookie alone must get no power and no secret.
  test.skipIf(action.by === "owner")("asks an operator for the password that it names", async ({ skip }) => {
    const { password, ...values } = action.values?.(scene) ?? {};
    skip(password === undefined);
    const browser = await people.openSession(scene.sender.id);
    const own = filled(await browser.form(action.path(scene), action.words(scene)), values);
    expect(await findChanged(() => browser.send(own))).toEqual([]);
  });

  test("does its work once and nothing when it is sent again", async () => {
    const { sender, target } = scene;
    const countEvents = async () =>
      action.event === null ? 0 : (await people.findEvents(target.id, action.event)).length;
    const before = await countEvents();
    const cookie = sender.browser.cookie();
    expect(await findChanged(() => sender.browser.send(form, { cookie }))).not.toEqual([]);
    expect(await countEvents()).toBe(action.event === null ? 0 : before + 1);
    expect(await findChanged(() => sender.browser.send(form, { cookie }))).toEqual([]);
  });
});

describe("Forms and sessions", () => testForms(() => people));
