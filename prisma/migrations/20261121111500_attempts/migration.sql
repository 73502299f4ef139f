-- Attempts at passwords, counted for a while; see lib/access/attempts.ts.
CREATE TABLE "attempt" (
    "name" TEXT NOT NULL,
    "used" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("name")
);

CREATE INDEX "attempt_ends_at_idx" ON "attempt"("ends_at");
