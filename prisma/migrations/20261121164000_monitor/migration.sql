-- Credits paid in advance, and what a program keeps about its own display.
ALTER TABLE "account" ADD COLUMN "prepaid_credits" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "key_layout" (
    "key_id" UUID NOT NULL,
    "layout" TEXT NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "key_layout_pkey" PRIMARY KEY ("key_id"),
    CONSTRAINT "key_layout_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_key"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
