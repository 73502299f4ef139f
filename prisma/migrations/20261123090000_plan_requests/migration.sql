-- What each account last asked for: another plan. One row for each account; see lib/access/accounts/plan-requests.ts.
CREATE TABLE "plan_request" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "plan" "account_plan" NOT NULL,
    "message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "declined_at" TIMESTAMPTZ(3),
    "reason" TEXT,

    CONSTRAINT "plan_request_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "plan_request_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "plan_request_account_id_key" ON "plan_request"("account_id");
