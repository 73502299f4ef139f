-- A second factor of an account: codes that change every thirty seconds (RFC 6238), and ten that stand in for the device.
CREATE TABLE "second_factor" (
    "account_id" UUID NOT NULL,
    "sealed_secret" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "wrong_codes" INTEGER NOT NULL DEFAULT 0,
    "blocked_until" TIMESTAMPTZ(3),

    CONSTRAINT "second_factor_pkey" PRIMARY KEY ("account_id"),
    CONSTRAINT "second_factor_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "recovery_code" (
    "account_id" UUID NOT NULL,
    "code_hash" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("account_id", "code_hash"),
    CONSTRAINT "recovery_code_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "second_factor"("account_id") ON DELETE CASCADE ON UPDATE CASCADE
);
