-- What an account is told of by itself, and in a mail if the operator has set one up.
CREATE TABLE "notice" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "topic" TEXT NOT NULL,
    "level" INTEGER NOT NULL,
    "facts" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "dismissed_at" TIMESTAMPTZ(3),
    "mail_tries" INTEGER NOT NULL DEFAULT 0,
    "mail_due_at" TIMESTAMPTZ(3),

    CONSTRAINT "notice_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "notice_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "notice_account_id_topic_level_key" ON "notice"("account_id", "topic", "level");

CREATE INDEX "notice_account_id_created_at_idx" ON "notice"("account_id", "created_at");

CREATE INDEX "notice_mail_due_at_idx" ON "notice"("mail_due_at");
