-- Compared minutes of the hour: those at fault, and those that agree. Hours that were judged before have none.
ALTER TABLE quality_hour
    ADD COLUMN faulty SMALLINT NOT NULL DEFAULT 0,
    ADD COLUMN agreeing SMALLINT NOT NULL DEFAULT 0;

-- The first and last hour of each source, and the sums of a day, without the blocks.
CREATE INDEX quality_hour_by_source ON quality_hour (symbol, source, hour)
    INCLUDE (expected, covered, served, faulty, agreeing);
