import { expect, test, vi } from "vitest";
import { expectError, onEveryServer } from "@/e2e/api/servers";
import { withAccess } from "@/e2e/support/access";
import { runCommand } from "@/e2e/support/spotline";
import { OPERATOR_CLI } from "@/lib/access/actor";

onEveryServer(({ keys, env }, send) => {
  const quote = (key: string | null, headers?: Record<string, string>) =>
    send("/v1/quote?symbol=EURUSD", { key, headers });

  test("Missing, invalid, mistyped and revoked keys are refused with different codes", async () => {
    expectError(await quote(null), 401, "MISSING_API_KEY");
    expectError(await quote("nonsense"), 401, "INVALID_API_KEY");
    expectError(await quote(keys.full.slice(0, -1) + (keys.full.endsWith("a") ? "b" : "a")), 401, "INVALID_API_KEY");
    expectError(await quote(`${keys.full}, ${keys.full}`), 401, "INVALID_API_KEY");
    expectError(await quote(keys.revoked), 401, "API_KEY_DISABLED");
  });

  test("Every change of a key by another process applies within a second", async () => {
    const expectAnswer = (secret: string, status: number, code?: string) =>
      vi.waitFor(
        async () => {
          const reply = await quote(secret);
          expect(reply.status).toBe(status);
          if (code !== undefined) expectError(reply, status, code);
        },
        { timeout: 1_000, interval: 50 },
      );
    await withAccess(env, async ({ accounts, keys: service }) => {
      const owner = await accounts.findByEmail("owner@example.com");
      const request = { accountId: owner?.id ?? "", label: "life", scopes: ["all"], addresses: ["127.0.0.1"] };
      const { id, secret } = await service.create(request, OPERATOR_CLI);
      await expectAnswer(secret, 200);
      await service.disable(id, OPERATOR_CLI);
      await expectAnswer(secret, 401, "API_KEY_DISABLED");
      await service.enable(id, OPERATOR_CLI);
      await expectAnswer(secret, 200);
      await service.update(id, { scopes: ["indicators"] }, OPERATOR_CLI);
      await expectAnswer(secret, 403, "PERMISSION_DENIED");
      await service.update(id, { scopes: ["all"], addresses: ["203.0.113.7"] }, OPERATOR_CLI);
      await expectAnswer(secret, 403, "IP_NOT_ALLOWED");
      await service.update(id, { addresses: ["::ffff:127.0.0.1"] }, OPERATOR_CLI);
      await expectAnswer(secret, 200);
      const rotated = await service.rotate(id, "1h", OPERATOR_CLI);
      await expectAnswer(rotated.secret, 200);
      await expectAnswer(secret, 200);
      await service.revoke(id, OPERATOR_CLI);
      await expectAnswer(secret, 401, "API_KEY_DISABLED");
      await service.restore(id, OPERATOR_CLI);
      await expectAnswer(secret, 200);
      const again = await service.rotate(rotated.key.id, "now", OPERATOR_CLI);
      await expectAnswer(rotated.secret, 401, "API_KEY_EXPIRED");
      await expectAnswer(again.secret, 200);
    });
    expect(await runCommand(env, "audit", "verify")).toMatchObject({ ok: true, problem: null });
  }, 60_000);

  test("A key cannot call endpoints of other scopes", async () => {
    expectError(await quote(keys.indicatorsOnly), 403, "PERMISSION_DENIED");
    expectError(await send("/v1/symbols", { key: keys.indicatorsOnly }), 403, "PERMISSION_DENIED");
  });

  test("Forwarding headers do not change the address that the allow-list checks", async () => {
    expect((await quote(keys.hereOnly)).status).toBe(200);
    expectError(await quote(keys.elsewhereOnly), 403, "IP_NOT_ALLOWED");
    for (const name of [
      "X-Forwarded-For",
      "Forwarded",
      "X-Real-IP",
      "X-Client-IP",
      "CF-Connecting-IP",
      "True-Client-IP",
    ]) {
      const value = name === "Forwarded" ? "for=203.0.113.7" : "203.0.113.7";
      expectError(await quote(keys.elsewhereOnly, { [name]: value }), 403, "IP_NOT_ALLOWED");
      expect((await quote(keys.hereOnly, { [name]: value })).status).toBe(200);
    }
  });

  test("Key and scope are checked before the input", async () => {
    expectError(await send("/v1/quote", { key: null }), 401, "MISSING_API_KEY");
    expectError(await send("/v1/quote", { key: keys.indicatorsOnly }), 403, "PERMISSION_DENIED");
  });

  test("Of parallel calls exactly the plan's limit is admitted, and the others get Retry-After", async () => {
    const replies = await Promise.all(Array.from({ length: 150 }, () => quote(keys.rationed)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = replies.filter(({ status }) => status !== 200);
    for (const reply of refused) {
      expectError(reply, 429, "RATE_LIMIT_EXCEEDED");
      expect(reply.json).toMatchObject({ error: { limit: 60, remaining: 0 } });
      const { reset_in_seconds: seconds } = (reply.json as { error: { reset_in_seconds: number } }).error;
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(reply.headers.get("retry-after")).toBe(String(seconds));
      expect(reply.headers.get("x-ratelimit-reset")).toBe(String(seconds));
    }
  });
});
