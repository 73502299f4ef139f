-- The ticks of one symbol in one closed UTC hour, packed: see lib/history/ticks/hour-block.ts.
CREATE TABLE "tick_hour" (
    "symbol" TEXT NOT NULL,
    -- Hours since 1970-01-01T00:00Z.
    "hour" INTEGER NOT NULL,
    "ticks" INTEGER NOT NULL,
    "block" BYTEA NOT NULL,

    PRIMARY KEY ("symbol", "hour")
);

-- Blocks are deflated already: to try once more costs time and saves nothing.
ALTER TABLE "tick_hour" ALTER COLUMN "block" SET STORAGE EXTERNAL;
