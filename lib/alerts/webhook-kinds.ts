import { AccessError } from "@/lib/access/access-error";
import type { Post, PostAnswer } from "@/lib/alerts/send-post";
import { checkWebhookUrl, type WebhookRules } from "@/lib/alerts/webhook-address";
import { KIND_NAMES, type WebhookKind } from "@/lib/alerts/webhook-names";
import { SECOND_MS } from "@/lib/time/units";

type ChatKind = Exclude<WebhookKind, "signed">;

/** What a person or a program gives of a new webhook. */
export interface NewWebhook {
  readonly name: string;
  readonly kind?: WebhookKind | undefined;
  /** For Telegram the server of the Bot API, if it is not Telegram's own. */
  readonly url?: string | undefined;
  /** For Telegram: the token of the bot, and the chat's number or @name. */
  readonly token?: string | undefined;
  readonly chat?: string | undefined;
}

/** The parts of a checked webhook. `secret` is null for signed JSON, whose secret is made here. */
export interface CheckedTarget {
  readonly kind: WebhookKind;
  /** As it is shown. */
  readonly url: string;
  readonly chat: string | null;
  readonly secret: string | null;
}

const TELEGRAM = "https://api.telegram.org/";

/** Checks where a webhook sends to. Throws an AccessError. */
export function checkTarget(given: NewWebhook, rules: WebhookRules): CheckedTarget {
  const { kind = "signed" } = given;
  const text = given.url?.trim() ?? "";
  if (kind === "telegram") {
    const token = given.token?.trim() ?? "";
    const chat = given.chat?.trim() ?? "";
    if (!/^\d{3,20}:[\w-]{20,100}$/.test(token)) {
      throw new AccessError("invalid_token", "Enter the token that @BotFather gave you, such as 123456:ABC-DEF….");
    }
    if (!/^(-?\d{1,20}|@\w{4,64})(\/\d{1,10})?$/.test(chat)) {
      const way = "Enter the number of the chat, such as -1001234567890, or @channel; with a topic -1001234567890/17.";
      throw new AccessError("invalid_chat", way);
    }
    const url = new URL(checkWebhookUrl(text === "" ? TELEGRAM : text, rules));
    if (url.search !== "") throw new AccessError("invalid_url", "The address of a Bot API server has no query.");
    return { kind, url: url.href.replace(/\/?$/, "/"), chat, secret: token };
  }
  if (given.token || given.chat) {
    throw new AccessError("invalid_token", "Only webhooks of the kind telegram have a token and a chat.");
  }
  const url = checkWebhookUrl(text, rules);
  if (kind === "signed") return { kind, url, chat: null, secret: null };
  const { origin, pathname } = new URL(url);
  if (kind === "discord" && !/\/webhooks\/\d+\/[\w-]+$/.test(pathname)) {
    throw new AccessError("invalid_url", "Enter the address that Discord shows: https://discord.com/api/webhooks/….");
  }
  if (kind === "slack" && pathname === "/") {
    throw new AccessError("invalid_url", "Enter the address that Slack shows: https://hooks.slack.com/services/….");
  }
  return { kind, url: `${origin}${pathname.replace(/[^/]*\/?$/, "…")}`, chat: null, secret: url };
}

/** A message for a chat. */
export interface ChatMessage {
  readonly text: string;
  /** The page of the alert; null for a test. */
  readonly href: string | null;
}

interface ChatTarget {
  readonly kind: ChatKind;
  readonly url: string;
  readonly chat: string | null;
  readonly secret: string;
}

/** Writes the call that a chat's server expects. */
export function writeChatPost({ kind, url, chat, secret }: ChatTarget, message: ChatMessage): Post {
  const headers = { "Content-Type": "application/json" };
  switch (kind) {
    case "telegram": {
      // Without parse_mode no character of the text has a meaning.
      const text = join(message, MAX_TELEGRAM, (part) => part);
      const [id, topic] = chat?.split("/") ?? [];
      const thread = topic === undefined ? {} : { message_thread_id: Number(topic) };
      const body = { chat_id: id, ...thread, text, link_preview_options: { is_disabled: true } };
      return { url: `${url}bot${secret}/sendMessage`, headers, body: JSON.stringify(body) };
    }
    case "discord": {
      const target = new URL(secret);
      // Without it the answer is sent before the message is checked.
      target.searchParams.set("wait", "true");
      const content = join(message, MAX_DISCORD, escapeDiscord, (href) => `<${href}>`);
      // No text mentions anyone, whatever it has.
      return { url: target.href, headers, body: JSON.stringify({ content, allowed_mentions: { parse: [] } }) };
    }
    case "slack": {
      const text = join(message, MAX_SLACK, escapeSlack, (href) => `<${escapeSlack(href)}>`);
      return { url: secret, headers, body: JSON.stringify({ text, unfurl_links: false }) };
    }
  }
}

/** Characters of a message. */
const MAX_TELEGRAM = 4_096;
const MAX_DISCORD = 2_000;
const MAX_SLACK = 4_000;

function join(
  { text, href }: ChatMessage,
  most: number,
  escape: (text: string) => string,
  formatLink = (link: string) => link,
): string {
  const link = href === null ? "" : `\n${formatLink(href)}`;
  const room = most - link.length;
  const whole = escape(text);
  if (whole.length <= room) return whole + link;
  let cut = "";
  for (const character of text) {
    const next = escape(character);
    if (cut.length + next.length >= room) break;
    cut += next;
  }
  return `${cut}…${link}`;
}

/** Discord's Markdown, at any place of a line. */
const escapeDiscord = (text: string) => text.replaceAll(/[\\*_~`|>#<@:()[\]-]/g, String.raw`\$&`);
/** Slack's own escapes. What else has a meaning gets a zero-width space after it, so that it has none. */
const escapeSlack = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[*_~`]/g, "$&\u200b");

/** What an answer means. `error` is null if the message was accepted. */
export interface Verdict {
  readonly isFinal: boolean;
  /** In plain words for the owner. */
  readonly error: string | null;
  readonly retryAfterMs: number | null;
}

const ACCEPTED: Verdict = { isFinal: false, error: null, retryAfterMs: null };
const refuse = (error: string): Verdict => ({ isFinal: true, error, retryAfterMs: null });
const MANY_REQUESTS = 429;
const SERVER_FAULTS = 500;

/** Reads the answer of a chat's server. */
export function readChatAnswer(kind: ChatKind, answer: PostAnswer): Verdict {
  const { status } = answer;
  const name = KIND_NAMES[kind];
  const said = parse(answer.body);
  if (status === MANY_REQUESTS) {
    const seconds = findWait(said) ?? answer.retryAfterS ?? 0;
    const wait = seconds > 0 ? ` It asks to wait ${Math.ceil(seconds)} s.` : "";
    return { isFinal: false, error: `${name} received too many messages.${wait}`, retryAfterMs: seconds * SECOND_MS };
  }
  if (status >= SERVER_FAULTS) return { ...ACCEPTED, error: `${name} has a fault (status ${status}).` };
  if (status >= 200 && status < 300) {
    // Telegram's answers say so in their body as well.
    if (kind !== "telegram" || said.ok === true) return ACCEPTED;
    return refuse("The server did not answer as one of Telegram does.");
  }
  return refuse(EXPLAIN[kind](status, said, answer.body));
}

interface Said {
  readonly ok?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly description?: unknown;
  readonly retry_after?: unknown;
  readonly parameters?: { readonly retry_after?: unknown; readonly migrate_to_chat_id?: unknown };
}

function parse(body: string): Said {
  try {
    const said = JSON.parse(body) as unknown;
    return typeof said === "object" && said !== null ? said : {};
  } catch {
    return {};
  }
}

function findWait({ retry_after: own, parameters }: Said): number | null {
  const value = own ?? parameters?.retry_after;
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

const MOST_QUOTED = 120;
const quote = (text: unknown) => {
  const line = typeof text === "string" ? text.replaceAll(/[\p{C}\s]+/gu, " ").trim() : "";
  return line === "" ? "" : ` It says “${line.slice(0, MOST_QUOTED)}”.`;
};

const EXPLAIN: Readonly<Record<ChatKind, (status: number, said: Said, body: string) => string>> = {
  telegram(status, { description, parameters }) {
    const says = quote(description);
    const moved = parameters?.migrate_to_chat_id;
    if (typeof moved === "number") return `The group has become a supergroup: add the webhook again with ${moved}.`;
    if (status === 401 || status === 404) return `Telegram does not know the token of the bot.${says}`;
    if (status === 403) return `The bot may not write to the chat: it was blocked, removed or never started.${says}`;
    if (/thread not found/i.test(String(description))) {
      return `Telegram finds no such topic in the chat: its number is the last one of a link to it.${says}`;
    }
    if (/chat not found/i.test(String(description))) {
      return `Telegram finds no such chat. Write to the bot first, or add it to the group.${says}`;
    }
    return `Telegram refused the message (status ${status}).${says}`;
  },
  discord(status, { code, message }) {
    if (status === 404) return `The webhook no longer exists in Discord.${quote(message)}`;
    if (status === 401 || status === 403 || code === 50_027) {
      return `Discord does not accept the address. Copy it again.${quote(message)}`;
    }
    return `Discord refused the message (status ${status}).${quote(message)}`;
  },
  slack(status, _, body) {
    if (status === 403 || status === 404 || status === 410) {
      return `Slack does not accept messages at this address any more.${quote(body)}`;
    }
    return `Slack refused the message (status ${status}).${quote(body)}`;
  },
};
