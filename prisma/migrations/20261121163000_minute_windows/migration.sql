-- Minute windows that were open a moment ago, so that a restart opens no new ones.
CREATE TABLE "minute_window" (
    "key_id" UUID NOT NULL,
    "writer" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "minute_window_pkey" PRIMARY KEY ("key_id", "writer")
);
