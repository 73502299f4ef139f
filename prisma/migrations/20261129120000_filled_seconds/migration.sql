-- What wrote a second of the journal, if not the recorder: hour_cause.id.
ALTER TABLE tick_second ADD COLUMN cause INTEGER;

-- Up to when what a gap lacks is lost, Unix time in milliseconds; null for all of the gap.
ALTER TABLE source_gap ADD COLUMN lost_until_ms BIGINT;
