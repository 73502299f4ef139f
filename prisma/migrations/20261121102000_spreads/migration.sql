-- Spreads of one symbol over one UTC hour, in points, one sample for each recorded second.
-- source: the broker; empty for the quotes that were served.
-- minutes: how many samples each spread had, minute by minute (lib/history/spreads/minutes-codec.ts).
CREATE TABLE "spread_hour" (
    "symbol" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(0) NOT NULL,
    "n" INTEGER NOT NULL,
    "sum" BIGINT NOT NULL,
    "sum_squares" NUMERIC NOT NULL,
    "min" INTEGER NOT NULL,
    "max" INTEGER NOT NULL,
    "minutes" BYTEA NOT NULL,

    CONSTRAINT "spread_hour_pkey" PRIMARY KEY ("symbol", "source", "hour")
);

-- The bytes are deflated already.
ALTER TABLE "spread_hour" ALTER COLUMN "minutes" SET STORAGE EXTERNAL;
