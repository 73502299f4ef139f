-- One row for each browser that is signed in. A row that is gone is a session that has ended.
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "address" TEXT,
    "browser" TEXT NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "session_token_hash_key" ON "session"("token_hash");

CREATE INDEX "session_account_id_idx" ON "session"("account_id");

CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

ALTER TABLE "session" ADD CONSTRAINT "session_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
