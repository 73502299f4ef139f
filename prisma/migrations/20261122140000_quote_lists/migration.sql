-- The lists of symbols that an account keeps on the quote board, all in one row.
CREATE TABLE "quote_lists" (
    "account_id" UUID NOT NULL,
    "lists" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "quote_lists_pkey" PRIMARY KEY ("account_id"),
    CONSTRAINT "quote_lists_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
