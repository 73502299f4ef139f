import { afterAll, beforeAll, expect, test } from "vitest";
import { openPeople, type People } from "@/e2e/process/form-people";

/** Links, from the form on the page of a key to a program that sends no header. */

let people: People;

beforeAll(async () => {
  people = await openPeople();
});
afterAll(() => people?.close());

test("An owner creates a link on the page of a key, a program reads it without a header, and revoking ends it", async () => {
  const { id, browser } = await people.createMember();
  const page = `/keys/${await people.createKey(id)}`;
  const findLinks = async () =>
    [...(await browser.page(page)).matchAll(/<code[^>]*>(https?:[^<]*\/(?:csv|udf)\/fxl_[\w-]+)</g)].map(
      ([, url = ""]) => url.replace(/^https?:\/\/[^/]*/, people.spotline.url),
    );
  await browser.submit(page, /Create link/, { path: "/v1/symbols", query: "category=metals" });
  const [table = ""] = await findLinks();
  const answer = await fetch(table);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8; header=present"]);
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
