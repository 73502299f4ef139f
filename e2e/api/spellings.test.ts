import { expect, test } from "vitest";
import { keys, send, url } from "@/e2e/api/server";
import { sendRaw } from "@/e2e/support/raw-request";
import { spellPath } from "@/lib/api/path-spellings.fixture";
import { endpoints, matchPath } from "@/lib/api/registry";

/** Spellings of paths reach no counter besides the one of the API. */

const LIMITED = endpoints.filter(({ access }) => access !== "open");
const OPEN = endpoints.filter(({ access, path }) => access === "open" && !path.includes("{"));

/** Both forms of an error. */
const ERROR = /^\{"(success":false,"error":\{"code|error)":/;

function call(method: string, path: string) {
  const { hostname, port } = new URL(url);
  const headers = { "X-API-Key": keys.spent, "Content-Type": "application/json" };
  return sendRaw({ hostname, port, method, path, headers }, ["GET", "DELETE"].includes(method) ? "" : "{}");
}

/** Makes calls until the minute is used up. Returns a time until which it stays so. */
async function exhaustMinute(): Promise<number> {
  for (;;) {
    const reply = await send("/v1/quote?symbol=EURUSD", { key: keys.spent });
    const resetMs = Number(reply.headers.get("x-ratelimit-reset")) * 1000;
    if (reply.status === 429 && resetMs > 10_000) return Date.now() + resetMs - 5_000;
    if (reply.status === 429) await new Promise((resolve) => setTimeout(resolve, resetMs));
  }
}

const fill = (template: string) => template.replace(/\{\w+\}/, "EURUSD");

test("A key whose minute is used up is admitted by no spelling of any path", { timeout: 150_000 }, async () => {
  let refusedUntilMs = 0;
  const wrong: string[] = [];
  for (const { method, path } of LIMITED.map((endpoint) => ({ ...endpoint, path: fill(endpoint.path) }))) {
    if (Date.now() > refusedUntilMs) refusedUntilMs = await exhaustMinute();
    const spell = async (target: string) => {
      const { status, body } = await call(method, target);
      const isRefused = (status === 429 || (status === 404 && target !== path)) && ERROR.test(body);
      if (!isRefused) wrong.push(`${method} ${target} ${status} ${body.slice(0, 80)}`);
    };
    await Promise.all([path, ...spellPath(path)].map(spell));
  }
  expect(wrong).toEqual([]);
});

test("Other spellings of the open endpoints are refused by the API, unless they are the same path", async () => {
  for (const target of OPEN.flatMap(({ path }) => spellPath(path))) {
    const { status, body } = await call("GET", target);
    if (matchPath(target) === null) expect([target, status, ERROR.test(body)]).toEqual([target, 404, true]);
    else expect([target, status, ERROR.test(body)]).toEqual([target, 200, false]);
  }
});
