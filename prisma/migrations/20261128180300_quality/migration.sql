-- What each source's prices of an hour were worth; see lib/history/quality/quality-rows.ts and docs/quality.md.
CREATE TABLE quality_hour (
    symbol TEXT NOT NULL,
    -- Whole hours since 1970.
    hour INTEGER NOT NULL,
    source TEXT NOT NULL,
    -- Seconds of the hour: with an open market, with an update, in no gap, and served from this source.
    expected SMALLINT NOT NULL,
    updated SMALLINT NOT NULL,
    covered SMALLINT NOT NULL,
    served SMALLINT NOT NULL,
    -- Verdicts, gaps, spikes, distances and counts.
    block BYTEA NOT NULL,
    PRIMARY KEY (symbol, hour, source)
);

-- The blocks are deflated already.
ALTER TABLE quality_hour ALTER COLUMN block SET STORAGE EXTERNAL;

-- The hours before this one are judged, in whole hours since 1970.
CREATE TABLE quality_progress (
    id BOOLEAN PRIMARY KEY DEFAULT true CHECK (id),
    hour INTEGER NOT NULL
);
