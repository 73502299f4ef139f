-- How often the process that worked on an import ended without a word.
ALTER TABLE import_run ADD COLUMN crashes INT NOT NULL DEFAULT 0;
