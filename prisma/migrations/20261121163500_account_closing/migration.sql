-- Why an account is suspended, for the operator.
ALTER TABLE "account" ADD COLUMN "suspended_reason" TEXT;

-- What an account has used goes with it.
DELETE FROM "usage_hour" WHERE "account_id" NOT IN (SELECT "id" FROM "account");
ALTER TABLE "usage_hour" ADD CONSTRAINT "usage_hour_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Which accounts are gone, for whoever keeps accounts in memory and asks what changed since.
CREATE TABLE "closed_account" (
    "id" UUID NOT NULL,
    "revision" BIGINT NOT NULL,

    CONSTRAINT "closed_account_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "closed_account_revision_idx" ON "closed_account"("revision");
