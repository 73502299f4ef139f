import { expect, test } from "vitest";
import { createCors } from "@/lib/api/engine/cors";
import type { Services } from "@/lib/api/engine/services";
import { answerRequest } from "@/lib/api/next-host";
import { matchPath } from "@/lib/api/registry";
import { silentLog } from "@/lib/platform/log/log";

const services = {
  now: Date.now,
  log: silentLog,
  noteCall: () => {},
  cors: createCors(null, { hasOrigin: () => false }),
  url: null,
  publicUrl: "http://localhost",
} as unknown as Services;

const get = async (answersCalls: boolean) => {
  const context = { services, answersCalls, behindOwnServer: true };
  return answerRequest(new Request("http://localhost/v1/openapi.json"), matchPath, context);
};

test("A route answers in the process that counts the calls, and with the API's own 404 in any other", async () => {
  expect((await get(true)).status).toBe(200);
  const refused = await get(false);
  expect(refused.status).toBe(404);
  expect(await refused.json()).toMatchObject({ success: false, error: { code: "NOT_FOUND" } });
});
