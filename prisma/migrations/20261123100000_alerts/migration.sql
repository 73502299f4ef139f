-- Alerts of accounts, the webhooks that they are sent to, and what was sent; see lib/alerts/.
CREATE TABLE "webhook" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    -- Encrypted with a key derived from the session secret.
    "sealed_secret" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "webhook_account_id_idx" ON "webhook"("account_id");

CREATE TABLE "alert" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "condition" JSONB NOT NULL,
    -- Null fires once.
    "cooldown_s" INTEGER,
    "active" BOOLEAN NOT NULL,
    "webhook_id" UUID,
    "by_mail" BOOLEAN NOT NULL,
    -- What the condition remembers, such as the side of its level; null until it is first evaluated.
    "state" JSONB,
    "firings" INTEGER NOT NULL DEFAULT 0,
    "last_fired_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revision" BIGINT NOT NULL,

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "alert_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "alert_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook"("id") ON DELETE SET NULL ON UPDATE CASCADE
);

CREATE INDEX "alert_account_id_idx" ON "alert"("account_id");
CREATE INDEX "alert_revision_idx" ON "alert"("revision");
CREATE INDEX "alert_webhook_id_idx" ON "alert"("webhook_id");

CREATE TABLE "alert_firing" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    -- Null for a test of a webhook.
    "alert_id" UUID,
    "key" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "message" TEXT NOT NULL,
    -- The exact text that is signed and sent.
    "body" TEXT NOT NULL,

    CONSTRAINT "alert_firing_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "alert_firing_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "alert_firing_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alert"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "alert_firing_alert_id_key_key" ON "alert_firing"("alert_id", "key");
CREATE INDEX "alert_firing_account_id_at_idx" ON "alert_firing"("account_id", "at");
CREATE INDEX "alert_firing_at_idx" ON "alert_firing"("at");

CREATE TYPE "alert_channel" AS ENUM ('webhook', 'mail');
CREATE TYPE "alert_delivery_state" AS ENUM ('pending', 'delivered', 'failed');

CREATE TABLE "alert_delivery" (
    "id" UUID NOT NULL,
    "firing_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "channel" "alert_channel" NOT NULL,
    "webhook_id" UUID,
    "state" "alert_delivery_state" NOT NULL DEFAULT 'pending',
    "tries" INTEGER NOT NULL DEFAULT 0,
    -- When to try next; null once it has ended.
    "due_at" TIMESTAMPTZ(3),
    "last_at" TIMESTAMPTZ(3),
    "duration_ms" INTEGER,
    "response_status" INTEGER,
    -- The beginning of the answer.
    "response_text" TEXT,
    "error" TEXT,

    CONSTRAINT "alert_delivery_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "alert_delivery_firing_id_fkey" FOREIGN KEY ("firing_id") REFERENCES "alert_firing"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "alert_delivery_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "alert_delivery_firing_id_channel_key" ON "alert_delivery"("firing_id", "channel");
CREATE INDEX "alert_delivery_due_at_idx" ON "alert_delivery"("due_at");
CREATE INDEX "alert_delivery_webhook_id_idx" ON "alert_delivery"("webhook_id");
