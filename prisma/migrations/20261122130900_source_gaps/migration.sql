-- Times for which a source sent no prices although its market was open. Times are Unix time in milliseconds.
CREATE TABLE source_gap (
  source   TEXT    NOT NULL,
  from_ms  BIGINT  NOT NULL,
  to_ms    BIGINT  NOT NULL CHECK (to_ms > from_ms),
  reason   TEXT    NOT NULL CHECK (reason IN ('disconnected', 'paused', 'reloaded', 'stopped')),
  -- The symbols that the source's own past is still to be read for, and those for which it has none.
  waiting  TEXT[]  NOT NULL,
  missing  TEXT[]  NOT NULL DEFAULT '{}',
  attempts INTEGER NOT NULL DEFAULT 0,
  next_ms  BIGINT  NOT NULL DEFAULT 0,
  PRIMARY KEY (source, from_ms)
);
CREATE INDEX source_gap_to_ms ON source_gap (to_ms);

-- The last accepted price of each live source, so that the time in which no server ran is known.
CREATE TABLE source_seen (
  source  TEXT   PRIMARY KEY,
  seen_ms BIGINT NOT NULL,
  symbols TEXT[] NOT NULL,
  -- Why its prices had stopped before the server did; null if they had not.
  reason  TEXT
);
