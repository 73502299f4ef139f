-- One import: who began it, of which files, how they are read, how far it is, and what came of it; see
-- lib/history/import/import-runs.ts.
CREATE TABLE import_run (
  id           UUID           PRIMARY KEY,
  -- Null for the command line, and for an account that was removed.
  account_id   UUID           REFERENCES account (id) ON DELETE SET NULL,
  by_command   BOOLEAN        NOT NULL,
  state        TEXT           NOT NULL,
  -- [{path, bytes, modifiedMs}], in the order in which they are read.
  files        JSONB          NOT NULL,
  file_count   INTEGER        NOT NULL,
  bytes        BIGINT         NOT NULL,
  -- The overrides, by the names of the command's options.
  options      JSONB          NOT NULL,
  -- What the dry run found, and what the import did: as the command prints them with --json.
  plan         JSON,
  report       JSON,
  -- The series of the newest of the two, for the page.
  summary      JSON,
  progress     JSONB,
  -- Why it failed or was refused, as a sentence.
  error        TEXT,
  -- The process that works on it, and when it last said so.
  worker       UUID,
  seen_at      TIMESTAMPTZ(3),
  begun_at     TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  changed_at   TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Whether what it stored cannot be undone any more.
  undo_expired BOOLEAN        NOT NULL DEFAULT FALSE
);

CREATE INDEX import_run_begun_idx ON import_run (begun_at);
CREATE INDEX import_run_waiting_idx ON import_run (changed_at) WHERE state IN ('planning', 'queued', 'importing', 'undoing');

-- What each part of an hour was before an import first changed it, so that the import can be undone. Written in the
-- transactions that change import_hour.
CREATE TABLE import_undo (
  run_id       UUID     NOT NULL REFERENCES import_run (id) ON DELETE CASCADE,
  symbol       TEXT     NOT NULL,
  hour         INTEGER  NOT NULL,
  timeframe    SMALLINT NOT NULL,
  source       TEXT     NOT NULL,
  -- Null where there was no such part.
  block        BYTEA,
  -- history_revision.imports when the import first and last changed it: they tell which of two imports came later.
  first_change INTEGER  NOT NULL,
  last_change  INTEGER  NOT NULL,
  PRIMARY KEY (run_id, symbol, hour, timeframe, source)
);

CREATE INDEX import_undo_part_idx ON import_undo (symbol, hour, timeframe, source);

-- Blocks are deflated already.
ALTER TABLE import_undo ALTER COLUMN block SET STORAGE EXTERNAL;

-- The imports that have read the file: if one of them is undone, the file is imported again.
ALTER TABLE import_file ADD COLUMN runs UUID[] NOT NULL DEFAULT '{}';
