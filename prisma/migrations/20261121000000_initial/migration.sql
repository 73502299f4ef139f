-- CreateEnum
CREATE TYPE "account_role" AS ENUM ('operator', 'member');

-- CreateEnum
CREATE TYPE "account_plan" AS ENUM ('free', 'trial', 'payg', 'starter', 'pro', 'enterprise');

-- CreateEnum
CREATE TYPE "api_key_kind" AS ENUM ('standard', 'tool');

-- CreateTable
CREATE TABLE "account" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "role" "account_role" NOT NULL DEFAULT 'member',
    "plan" "account_plan" NOT NULL DEFAULT 'free',
    "per_minute_limit" INTEGER,
    "per_day_limit" INTEGER,
    "trial_ends_at" TIMESTAMPTZ(3),
    "suspended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revision" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "label" TEXT NOT NULL,
    "kind" "api_key_kind" NOT NULL DEFAULT 'standard',
    "secret_hash" TEXT NOT NULL,
    "start" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "scopes" TEXT[],
    "allowed_cidrs" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revision" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_revision" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "value" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "access_revision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_hour" (
    "key_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "endpoint" TEXT NOT NULL,
    "status" SMALLINT NOT NULL,
    "calls" INTEGER NOT NULL,
    "credits" INTEGER NOT NULL,

    CONSTRAINT "usage_hour_pkey" PRIMARY KEY ("key_id","hour","endpoint","status")
);

-- CreateTable
CREATE TABLE "setting" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "setting_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_email_key" ON "account"("email");

-- CreateIndex
CREATE INDEX "account_revision_idx" ON "account"("revision");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_secret_hash_key" ON "api_key"("secret_hash");

-- CreateIndex
CREATE INDEX "api_key_account_id_idx" ON "api_key"("account_id");

-- CreateIndex
CREATE INDEX "api_key_revision_idx" ON "api_key"("revision");

-- CreateIndex
CREATE INDEX "usage_hour_account_id_hour_idx" ON "usage_hour"("account_id", "hour");

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The one row that every change to accounts and keys locks and raises.
INSERT INTO "access_revision" ("id", "value") VALUES (1, 0);
