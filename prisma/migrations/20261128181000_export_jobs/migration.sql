-- Exports that a process makes for a caller of the API; see lib/export/export-jobs.ts.
CREATE TABLE export_job (
  id          UUID           PRIMARY KEY,
  account_id  UUID           NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  key_id      UUID           NOT NULL,
  -- What is exported, as a program can continue it.
  request     JSONB          NOT NULL,
  state       TEXT           NOT NULL DEFAULT 'queued',
  -- {files, of, rows, bytes}
  progress    JSONB,
  -- The files, once all are written, and the symbols without rows.
  files       JSONB          NOT NULL DEFAULT '[]',
  empty       JSONB          NOT NULL DEFAULT '[]',
  -- Why it failed, as a sentence.
  error       TEXT,
  -- The process that works on it, and when it last said so.
  worker      UUID,
  seen_at     TIMESTAMPTZ(3),
  created_at  TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at TIMESTAMPTZ(3),
  -- When it is removed with its files; null while it is not finished.
  expires_at  TIMESTAMPTZ(3)
);

CREATE INDEX export_job_account_idx ON export_job (account_id, created_at);
CREATE INDEX export_job_waiting_idx ON export_job (created_at) WHERE state IN ('queued', 'running');
