import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { withAccess } from "@/e2e/support/access";
import { createFormClient } from "@/e2e/support/form-client";
import type { RunningSpotline } from "@/e2e/support/spotline";
import { OPERATOR_CLI } from "@/lib/access/actor";

const PASSWORD = "correct horse battery";

/**
 * Expects headers, pages, the request log, commands and notices to agree on the calls of an account. The process that
 * answers the calls depends on the host; pages and commands must read the counters of that process. Where other tests
 * share the server, their keys may be the busiest ones, of which the command shows ten.
 */
export async function expectAgreement(spotline: RunningSpotline, { isShared = false } = {}): Promise<void> {
  const email = `${randomUUID()}@example.com`;
  const key = await withAccess(spotline.place, async ({ accounts, keys }) => {
    const { id } = await accounts.create({ email, password: PASSWORD }, OPERATOR_CLI);
    await accounts.setLimits(id, { perDay: 4 });
    return keys.create({ accountId: id, label: "desk", scopes: ["all"] });
  });
  const browser = createFormClient(spotline.url);
  await browser.submit("/sign-in", /Sign in/, { email, password: PASSWORD });
  const readJson = async (path: string) => JSON.parse(await browser.page(path)) as unknown;

  const call = (path: string) => fetch(spotline.url + path, { headers: { "X-API-Key": key.secret } });
  for (const path of ["/v1/quote?symbol=EURUSD", "/v1/quote?symbol=NOPE"]) await call(path);
  const last = await call("/v1/monitor/account");
  await fetch(`${spotline.url}/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": `${key.secret}x` } });
  expect(last.headers.get("X-RateLimit-Remaining")).toBe("27");
  expect(await last.json()).toMatchObject({ data: { daily_used: 2, daily_quota: 4 } });
  expect(await readJson("/usage/limits")).toMatchObject({
    quotas: [{ name: "All keys", calls: 2, perDay: 4 }],
    minutes: [{ keyId: key.id, label: "desk", last4: key.last4, used: 3, limit: 30 }],
  });
  // The log names each call by the id of its answer, and the reason of a refusal. It is written once a second.
  await expect
    .poll(() => readJson("/usage/requests/data"), { timeout: 15_000 })
    .toMatchObject({
      rows: [
        { status: 200, endpoint: "/v1/monitor/account", requestId: last.headers.get("X-Request-Id") },
        { status: 404, code: "SYMBOL_NOT_FOUND", symbols: "NOPE", credits: 0, keyId: key.id },
        { status: 200, code: null, symbols: "EURUSD", credits: 1 },
      ],
      refusals: [{ code: "SYMBOL_NOT_FOUND", calls: 1 }],
    });
  // One is about the new key, the other about half of the quota.
  await expect.poll(() => readJson("/notices/count"), { timeout: 15_000 }).toEqual({ count: 2 });
  await expect
    .poll(() => spotline.cli("status"), { timeout: 15_000 })
    .toMatchObject({
      last_minute: isShared
        ? {
            endpoints: expect.arrayContaining([
              expect.objectContaining({ endpoint: "/v1/monitor/account" }),
            ]) as unknown,
          }
        : { keys: expect.arrayContaining([expect.objectContaining({ id: key.id, calls: 3, refused: 1 })]) as unknown },
    });
}
