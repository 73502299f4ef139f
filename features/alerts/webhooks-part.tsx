"use client";

import dynamic from "next/dynamic";
import { useActionState, useRef } from "react";
import { RadioPill } from "@/components/ui/badge";
import { TextField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { ListPart } from "@/components/ui/page-part";
import { SubmitButton } from "@/components/ui/submit-button";
import type { AlertsData, LimitsNow, WebhookActions } from "@/features/alerts/types";
import { UNSENT } from "@/features/forms/action-state";
import { ConfirmField } from "@/features/forms/confirm-field";
import { useDraft } from "@/features/forms/use-draft";
import { useFieldErrors } from "@/features/forms/use-field-errors";
import { KIND_NAMES, WEBHOOK_KINDS } from "@/lib/alerts/webhook-names";

/** Most accounts have none. */
const WebhookItem = dynamic(() => import("@/features/alerts/webhook-item").then((module) => module.WebhookItem));
/** Only a new webhook shows it. */
const SecretDialog = dynamic(() => import("@/features/forms/secret-dialog").then((module) => module.SecretDialog));

interface WebhooksPartProps {
  data: AlertsData;
  actions: WebhookActions;
  confirmed: boolean;
}

/** The webhooks of the account with their deliveries, and the form that adds one. */
export function WebhooksPart({ data: { webhooks, limits, nowMs }, actions, confirmed }: WebhooksPartProps) {
  return (
    <ListPart titleId="webhooks-title" title="Webhooks">
      <p className="mx-4 mb-3 max-w-prose text-xs13 text-dim">
        A webhook receives alerts: an address of yours as signed JSON, or a chat of Telegram, Discord or Slack.{" "}
        <Link href="/docs/alerts" className="text-accent-ink underline underline-offset-4">
          How to set them up
        </Link>
        . <span className="tabular-nums">{`${limits.webhooks} of ${limits.maxWebhooks}`}</span> webhooks of the{" "}
        {limits.plan} plan.
      </p>
      {webhooks.length > 0 && (
        <ul className="mb-4 border-t border-line">
          {webhooks.map((webhook) => (
            <WebhookItem key={webhook.id} webhook={webhook} nowMs={nowMs} actions={actions} />
          ))}
        </ul>
      )}
      <NewWebhook action={actions.create} confirmed={confirmed} limits={limits} />
    </ListPart>
  );
}

interface NewWebhookProps {
  action: WebhookActions["create"];
  confirmed: boolean;
  limits: LimitsNow;
}

function NewWebhook({ action, confirmed, limits: { webhooks, maxWebhooks, larger, plan } }: NewWebhookProps) {
  const [state, formAction] = useActionState(action, UNSENT);
  const formRef = useRef<HTMLFormElement>(null);
  const { errors, onChange } = useFieldErrors(state.errors);
  const onInput = useDraft(formRef, "new webhook", state);
  const { result } = state;
  return (
    <>
      {result?.secret != null && <CreatedWebhookDialog key={result.secret} name={result.name} secret={result.secret} />}
      {webhooks >= maxWebhooks ? (
        <p className="mx-4 text-xs13 text-dim">
          The {plan} plan has {maxWebhooks === 1 ? "one webhook" : `${maxWebhooks} webhooks`}.
          {larger !== null && ` ${larger.plan} has ${larger.maxWebhooks}. `}
          {larger !== null && (
            <Link href="/plan" className="text-accent-ink underline underline-offset-4">
              Compare plans
            </Link>
          )}
        </p>
      ) : (
        <form
          ref={formRef}
          action={formAction}
          onChange={onChange}
          onInput={onInput}
          aria-labelledby="webhooks-title"
          className="group mx-4 grid max-w-2xl gap-3"
        >
          {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
          <fieldset>
            <legend className="sr-only">Kind</legend>
            <div className="flex flex-wrap gap-1.5">
              {WEBHOOK_KINDS.map((kind) => (
                <RadioPill
                  key={kind}
                  label={KIND_NAMES[kind]}
                  name="kind"
                  value={kind}
                  defaultChecked={kind === "signed"}
                />
              ))}
            </div>
          </fieldset>
          <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-3 max-md:grid-cols-1">
            <TextField
              id="webhook-name"
              name="name"
              label="Name"
              autoComplete="off"
              maxLength={80}
              required
              error={errors.name}
            />
            <div className="group-has-[[value=telegram]:checked]:hidden">
              <TextField
                id="webhook-url"
                name="url"
                label="Address"
                type="url"
                inputMode="url"
                placeholder="https://"
                autoComplete="off"
                maxLength={2_000}
                error={errors.url}
              />
            </div>
            <div className="hidden grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-3 group-has-[[value=telegram]:checked]:grid max-md:grid-cols-1">
              <TextField
                id="webhook-token"
                name="token"
                label="Token of the bot"
                type="password"
                placeholder="123456:ABC…"
                autoComplete="off"
                spellCheck={false}
                maxLength={200}
                error={errors.token}
              />
              <TextField
                id="webhook-chat"
                name="chat"
                label="Chat"
                placeholder="-100… or @channel"
                autoComplete="off"
                spellCheck={false}
                maxLength={100}
                error={errors.chat}
              />
            </div>
          </div>
          {HINTS.map(([kind, className, hint]) => (
            <p key={kind} className={`hidden text-xs13 text-dim ${className}`}>
              {hint}
            </p>
          ))}
          {errors.password !== undefined && <Notice tone="error">{errors.password}</Notice>}
          <ConfirmField confirmed={confirmed && errors.password === undefined} />
          <div>
            <SubmitButton look="secondary">Add webhook</SubmitButton>
          </div>
        </form>
      )}
    </>
  );
}

/** What each kind needs. They are shown by the chosen kind alone, so that the form works without a script. */
const HINTS = [
  [
    "signed",
    "group-has-[[value=signed]:checked]:block",
    "Your receiver gets JSON, and verifies its signature with a secret that is shown once.",
  ],
  [
    "telegram",
    "group-has-[[value=telegram]:checked]:block",
    "Create a bot with @BotFather and copy its token. Write to the bot, or add it to a group, then enter the chat’s number; for a topic, /17 behind it.",
  ],
  [
    "discord",
    "group-has-[[value=discord]:checked]:block",
    "In Discord: settings of the channel, Integrations, Webhooks, New webhook, Copy webhook URL.",
  ],
  [
    "slack",
    "group-has-[[value=slack]:checked]:block",
    "In Slack: an app with incoming webhooks, Add new webhook, and copy its address.",
  ],
] as const;

function CreatedWebhookDialog({ name, secret }: { name: string; secret: string }) {
  return (
    <SecretDialog
      title={`Store the secret of “${name}” now`}
      text="The secret is shown only once. Your receiver verifies the signature of each message with it."
      boxes={[{ id: "webhook-secret", title: "Secret", text: secret }]}
      promise="I have stored this secret"
      plain={{ text: secret, href: "/alerts", link: "Go to all alerts." }}
      onDone={() => {}}
    />
  );
}
