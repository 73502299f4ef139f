-- Panels that an account has arranged.
CREATE TABLE "screen" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "place" INTEGER NOT NULL,
    "content" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "screen_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "screen_account_id_idx" ON "screen"("account_id");

ALTER TABLE "screen" ADD CONSTRAINT "screen_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
