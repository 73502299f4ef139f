-- What was imported from files, packed by hour. Ticks, bars and spreads of an hour with imports are made of these rows,
-- so that an import can be repeated, extended and removed; see lib/history/import/compose-hour.ts.
CREATE TABLE import_hour (
  symbol    TEXT     NOT NULL,
  -- Hours since 1970-01-01T00:00Z.
  hour      INTEGER  NOT NULL,
  -- 0 for ticks; for bars their timeframe in minutes.
  timeframe SMALLINT NOT NULL,
  -- The source that the import names; empty for what the recorder had stored of this hour.
  source    TEXT     NOT NULL,
  block     BYTEA    NOT NULL,
  PRIMARY KEY (symbol, hour, timeframe, source)
);

-- Blocks are deflated already.
ALTER TABLE import_hour ALTER COLUMN block SET STORAGE EXTERNAL;

-- How far each file was imported. It changes in the transaction that stores the rows.
CREATE TABLE import_file (
  -- SHA-256 of the file in hex.
  digest   TEXT        NOT NULL,
  symbol   TEXT        NOT NULL,
  source   TEXT        NOT NULL,
  -- The time zone that its times were read in.
  zone     TEXT        NOT NULL,
  name     TEXT        NOT NULL,
  -- Rows from the beginning of the file that are stored or refused.
  rows     BIGINT      NOT NULL,
  finished BOOLEAN     NOT NULL,
  report   JSONB       NOT NULL,
  at       TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (digest, symbol, source, zone)
);

-- One row. imports: raised by each import, so that a running server reads its history again. memories: raised whenever
-- memories of bars are removed, so that none is stored that was computed before.
CREATE TABLE history_revision (
  imports  INTEGER NOT NULL,
  memories INTEGER NOT NULL
);

INSERT INTO history_revision VALUES (0, 0);

-- The source that a bar was imported from; null if it was recorded or back-filled. Retention keeps imported bars.
ALTER TABLE bar ADD COLUMN origin TEXT;

-- Up to which Unix time retention has removed expired bars of a timeframe (in minutes), or ticks (0). Without it, each
-- run would look through all imported rows again.
CREATE TABLE retention_mark (
  timeframe SMALLINT PRIMARY KEY,
  until     INTEGER  NOT NULL
);
