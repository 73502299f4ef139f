-- CreateEnum
CREATE TYPE "calendar_stream" AS ENUM ('primary', 'secondary');

-- CreateEnum
CREATE TYPE "calendar_certainty" AS ENUM ('exact', 'tentative', 'all_day');

-- CreateEnum
CREATE TYPE "calendar_impact" AS ENUM ('low', 'medium', 'high');

-- CreateTable
CREATE TABLE "calendar_event" (
    "id" TEXT NOT NULL,
    "stream" "calendar_stream" NOT NULL,
    "provider" TEXT NOT NULL,
    "key" TEXT,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "zone" TEXT NOT NULL,
    "certainty" "calendar_certainty" NOT NULL DEFAULT 'exact',
    "currency" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "impact" "calendar_impact" NOT NULL,
    "forecast" TEXT NOT NULL DEFAULT '',
    "previous" TEXT NOT NULL DEFAULT '',
    "revised" TEXT,
    "actual" TEXT,
    "series_id" TEXT,
    "withdrawn_at" TIMESTAMPTZ(3),
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "revision" BIGINT NOT NULL,

    CONSTRAINT "calendar_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "calendar_change" (
    "id" BIGSERIAL NOT NULL,
    "event_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "origin" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT,

    CONSTRAINT "calendar_change_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "calendar_revision" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "value" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "calendar_revision_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "calendar_event_stream_provider_currency_title_idx" ON "calendar_event"("stream", "provider", "currency", "title");

-- CreateIndex
CREATE INDEX "calendar_event_stream_provider_time_idx" ON "calendar_event"("stream", "provider", "time");

-- CreateIndex
CREATE INDEX "calendar_event_revision_idx" ON "calendar_event"("revision");

-- CreateIndex
CREATE UNIQUE INDEX "calendar_event_stream_provider_key_key" ON "calendar_event"("stream", "provider", "key");

-- CreateIndex
CREATE INDEX "calendar_change_event_id_id_idx" ON "calendar_change"("event_id", "id");

-- AddForeignKey
ALTER TABLE "calendar_change" ADD CONSTRAINT "calendar_change_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "calendar_event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The one row that every change to the calendar locks and raises.
INSERT INTO "calendar_revision" ("id", "value") VALUES (1, 0);
