-- Who an account is with somebody else that people sign in with. An account made that way has no password of its own.
ALTER TABLE "account" ALTER COLUMN "password_hash" DROP NOT NULL;

CREATE TABLE "identity" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "identity_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "identity_issuer_subject_key" ON "identity"("issuer", "subject");

CREATE INDEX "identity_account_id_idx" ON "identity"("account_id");
