-- The instrument that a removed one was merged into: the history moves there.
ALTER TABLE instrument ADD COLUMN merged_into TEXT;
