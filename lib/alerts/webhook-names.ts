/**
 * What webhooks speak: the signed JSON of ours, or the formats of chats. A chat has a secret of its own: the token of a
 * bot, or the address itself. It is stored encrypted, and what is shown of an address tells nothing of it.
 */
export const WEBHOOK_KINDS = ["signed", "telegram", "discord", "slack"] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

export const KIND_NAMES: Readonly<Record<WebhookKind, string>> = {
  signed: "Signed JSON",
  telegram: "Telegram",
  discord: "Discord",
  slack: "Slack",
};
