-- Sources of prices that an operator has paused. They stay paused when the server starts again.
CREATE TABLE paused_source (
  name      TEXT        PRIMARY KEY,
  paused_at TIMESTAMPTZ NOT NULL
);

-- How often an operator has asked for the file of sources to be read again: one row.
CREATE TABLE source_reload (
  id       INTEGER PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  requests INTEGER NOT NULL
);
INSERT INTO source_reload (requests) VALUES (0);

-- From which second on a symbol's history was recorded from live, simulated or replayed prices. A row is written when
-- the mode changes; the first one holds from the beginning.
CREATE TABLE history_origin (
  symbol TEXT    NOT NULL,
  -- Unix time.
  since  INTEGER NOT NULL,
  mode   TEXT    NOT NULL CHECK (mode IN ('live', 'simulated', 'replay')),
  PRIMARY KEY (symbol, since)
);
-- Until now a history was either simulated, with a past that was filled in, or replayed.
INSERT INTO history_origin (symbol, since, mode) SELECT symbol, 0, 'simulated' FROM backfill;
INSERT INTO history_origin (symbol, since, mode)
SELECT DISTINCT symbol, 0, 'replay' FROM tick_hour ON CONFLICT DO NOTHING;
