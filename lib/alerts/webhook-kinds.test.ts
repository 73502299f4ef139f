import { describe, expect, test } from "vitest";
import { DeliveryScene, startReceiver } from "@/lib/alerts/delivery-scene.fixture";
import { checkTarget, writeChatPost } from "@/lib/alerts/webhook-kinds";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

const TOKEN = "123456789:AAF-abcdefghijklmnopqrstuvwxyz_01234";
const PUBLIC = { isPrivateAllowed: false, ports: null };
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  startReceiver((response) =>
    response
      .writeHead(status, { "Content-Type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body)),
  );

describe("A webhook to a chat", () => {
  const scene = new DeliveryScene();

  type Kind = "telegram" | "discord" | "slack";

  /** Sends a test to a server that answers so, and returns what arrived and what the owner reads. */
  async function send(kind: Kind, receiver: Awaited<ReturnType<typeof answer>>) {
    const base = `http://127.0.0.1:${receiver.port}`;
    const targets = {
      telegram: { url: base, token: TOKEN, chat: "-1001234567890" },
      discord: { url: `${base}/api/webhooks/42/se-cret_part` },
      slack: { url: `${base}/services/T00/B00/secretpart` },
    };
    const created = await scene.webhooks.create({ name: "*desk*", kind, ...targets[kind] }, { by: scene.owner });
    const id = await scene.webhooks.test(created.id, scene.owner);
    await scene.run(scene.createDeliverer());
    await receiver.close();
    const [message = expect.fail("nothing arrived")] = receiver.received;
    const delivery = (await scene.webhooks.awaitTest(id, scene.owner, 1)) ?? expect.fail("no outcome");
    return { created, message, sent: JSON.parse(message.body) as Record<string, unknown>, delivery };
  }

  test("of Telegram is one call of sendMessage with plain text", async () => {
    const { created, message, sent, delivery } = await send("telegram", await answer(200, { ok: true, result: {} }));
    expect(message.url).toBe(`/bot${TOKEN}/sendMessage`);
    expect(sent).toEqual({
      chat_id: "-1001234567890",
      text: "This is a test of the webhook “*desk*”.",
      link_preview_options: { is_disabled: true },
    });
    expect(delivery).toMatchObject({ state: "delivered", responseStatus: 200, error: null });
    expect(created).toMatchObject({ kind: "telegram", chat: "-1001234567890", secret: null });
  });

  test("of Telegram may go to a topic of a group", () => {
    const rules = { isPrivateAllowed: false, ports: null } as never;
    const check = (chat: string) => checkTarget({ name: "a", kind: "telegram", token: TOKEN, chat }, rules).chat;
    expect(check("-1001234567890/17")).toBe("-1001234567890/17");
    expect(() => check("-1001234567890/")).toThrow("with a topic");
    const target = {
      kind: "telegram",
      url: "https://api.telegram.org/",
      chat: check("@desk_group/17"),
      secret: TOKEN,
    } as const;
    const { body } = writeChatPost(target, { text: "a", href: null });
    expect(JSON.parse(String(body))).toMatchObject({ chat_id: "@desk_group", message_thread_id: 17 });
  });

  test("of Discord mentions nobody, and shows its text as it is", async () => {
    const { created, message, sent, delivery } = await send("discord", await answer(200, { id: "1" }));
    expect(message.url).toBe("/api/webhooks/42/se-cret_part?wait=true");
    expect(sent).toEqual({
      content: String.raw`This is a test of the webhook “\*desk\*”.`,
      allowed_mentions: { parse: [] },
    });
    expect(delivery.state).toBe("delivered");
    expect(created.url).toMatch(/\/api\/webhooks\/42\/…$/);
  });

  test("of Slack escapes what Slack would read as a link", async () => {
    const { sent, delivery } = await send("slack", await answer(200, "ok"));
    expect(sent.text).toBe("This is a test of the webhook “*\u200bdesk*\u200b”.");
    expect(delivery.state).toBe("delivered");
    const target = { kind: "slack", url: "", chat: null, secret: "https://hooks.slack.com/services/a" } as const;
    const { body } = writeChatPost(target, { text: "a < b & <!channel>", href: "https://x.example/?a=1&b=2" });
    expect(JSON.parse(String(body))).toMatchObject({
      text: "a &lt; b &amp; &lt;!channel&gt;\n<https://x.example/?a=1&amp;b=2>",
    });
  });

  test.each([
    ["telegram", 400, { ok: false, error_code: 400, description: "Bad Request: chat not found" }, /finds no such chat/],
    ["telegram", 401, { ok: false, error_code: 401, description: "Unauthorized" }, /does not know the token/],
    ["telegram", 403, { ok: false, error_code: 403, description: "Forbidden: bot was blocked" }, /may not write/],
    ["telegram", 400, { ok: false, parameters: { migrate_to_chat_id: -1009 } }, /supergroup.*-1009/],
    ["telegram", 200, "<html>", /did not answer as one of Telegram/],
    ["discord", 404, { message: "Unknown Webhook", code: 10015 }, /no longer exists.*Unknown Webhook/],
    ["discord", 401, { message: "Invalid Webhook Token", code: 50027 }, /does not accept the address/],
    ["slack", 404, "no_service", /at this address any more.*no_service/],
  ] as const)("of %s that answers %i is not sent again, and its owner reads why", async (kind, status, body, words) => {
    const { delivery } = await send(kind, await answer(status, body));
    expect(delivery).toMatchObject({ state: "failed", tries: 1, responseStatus: status, dueAtMs: null });
    expect(delivery.error).toMatch(words);
    expect(JSON.stringify(delivery)).not.toMatch(/abcdefghijklmnop|se-cret|secretpart/);
  });

  test.each([
    ["telegram", { ok: false, error_code: 429, parameters: { retry_after: 35 } }, {}, 35],
    ["discord", { message: "You are being rate limited.", retry_after: 64.57, global: false }, {}, 64.57],
    ["slack", "rate_limited", { "Retry-After": "30" }, 30],
    ["telegram", { ok: false, parameters: { retry_after: 99_999 } }, {}, HOUR_MS / SECOND_MS],
    ["discord", { message: "limited", retry_after: 0.3 }, {}, 5],
  ] as const)(
    "of %s that receives too many messages waits as long as it asks",
    async (kind, body, headers, seconds) => {
      const { delivery } = await send(kind, await answer(429, body, headers));
      expect(delivery).toMatchObject({ state: "pending", tries: 1, dueAtMs: scene.nowMs + seconds * SECOND_MS });
      expect(delivery.error).toMatch(/received too many messages/);
    },
  );

  test("is sent again after a fault of the chat's server", async () => {
    const { delivery } = await send("telegram", await answer(502, "<html>Bad Gateway</html>"));
    expect(delivery).toMatchObject({ state: "pending", error: "Telegram has a fault (status 502)." });
  });

  test("has its secret neither in the database in plain, nor in what is listed or logged", async () => {
    const by = { by: scene.owner };
    const url = "https://discord.com/api/webhooks/42/se-cret_part";
    await scene.webhooks.create({ name: "one", kind: "discord", url }, by);
    await scene.webhooks.create({ name: "two", kind: "telegram", token: TOKEN, chat: "@channel" }, by);
    const { rows } = await scene.db.pool.query<{ text: string }>(
      "SELECT webhook::text AS text FROM webhook UNION ALL SELECT audit_event::text FROM audit_event",
    );
    const all = rows.map(({ text }) => text).join() + JSON.stringify(await scene.webhooks.list(scene.accountId));
    expect(all).toContain("discord.com");
    expect(all).not.toMatch(/se-cret_part|abcdefghijklmnop/);
  });
});

test("A long message is cut to what each chat takes, with its link whole", () => {
  const text = "*&💶".repeat(3_000);
  const href = "https://prices.example/alerts?alert=1";
  for (const [kind, most, url] of [
    ["telegram", 4_096, "https://api.telegram.org/"],
    ["discord", 2_000, "https://discord.com/api/webhooks/1/a"],
    ["slack", 4_000, "https://hooks.slack.com/services/a"],
  ] as const) {
    const { body } = writeChatPost({ kind, url, chat: "1", secret: url }, { text, href });
    const { text: sent, content = sent } = JSON.parse(String(body)) as { text: string; content?: string };
    expect(content.length).toBeLessThanOrEqual(most);
    expect(content.length).toBeGreaterThan(most - 30);
    expect(content).toContain(`…\n`);
    expect(content).toContain(href);
  }
});

test.each([
  [{ kind: "telegram", token: "nonsense", chat: "1" }, "invalid_token"],
  [{ kind: "telegram", token: TOKEN, chat: "my friends" }, "invalid_chat"],
  [{ kind: "telegram", token: TOKEN, chat: "1", url: "https://10.0.0.1/" }, "invalid_url"],
  [{ kind: "telegram", token: TOKEN, chat: "1", url: "http://bots.example/" }, "invalid_url"],
  [{ kind: "discord", url: "https://discord.com/channels/1/2" }, "invalid_url"],
  [{ kind: "discord", url: "https://169.254.169.254/api/webhooks/1/a" }, "invalid_url"],
  [{ kind: "slack", url: "https://hooks.slack.com" }, "invalid_url"],
  [{ kind: "slack", url: "https://hooks.slack.com/services/a", token: TOKEN }, "invalid_token"],
  [{ kind: "signed" }, "invalid_url"],
] as const)("A webhook of %o is refused", (given, code) => {
  expect(() => checkTarget({ name: "desk", ...given }, PUBLIC)).toThrow(expect.objectContaining({ code }));
});
