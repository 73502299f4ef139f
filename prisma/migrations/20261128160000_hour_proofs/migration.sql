-- What wrote hours of ticks: the recorder, an import, a filled gap; see lib/history/proof/hour-proofs.ts.
CREATE TABLE hour_cause (
  id   SERIAL PRIMARY KEY,
  -- JSON with sorted names, as the hashes of the chain contain it.
  text TEXT   NOT NULL UNIQUE
);

-- The hash of every closed hour of a symbol, and of each later version of it. The rows of a symbol and a UTC day form a
-- chain.
CREATE TABLE hour_proof (
  id      BIGSERIAL NOT NULL,
  -- Days since 1970-01-01, and hours since 1970-01-01T00:00Z.
  day     INTEGER   NOT NULL,
  symbol  TEXT      NOT NULL,
  -- 1, 2, 3 … in the chain.
  seq     INTEGER   NOT NULL,
  hour    INTEGER   NOT NULL,
  ticks   INTEGER   NOT NULL,
  content BYTEA     NOT NULL,
  -- Two bytes for each minute, which tell where an hour differs.
  minutes BYTEA     NOT NULL,
  cause   INTEGER   NOT NULL,
  -- Second of the hour and cause, alternately, where the seconds of an hour have several causes.
  origins INTEGER[],
  -- Unix time.
  at      INTEGER   NOT NULL,
  link    BYTEA     NOT NULL,
  PRIMARY KEY (day, symbol, seq)
);

CREATE INDEX hour_proof_id_idx ON hour_proof USING brin (id);

-- The heads of days, as they are copied to the file history-heads; see lib/history/proof/day-heads.ts.
CREATE TABLE history_head (
  line    INTEGER PRIMARY KEY,
  day     INTEGER NOT NULL,
  -- hour_proof.id of the newest row that the head covers.
  through BIGINT  NOT NULL,
  text    TEXT    NOT NULL,
  hash    TEXT    NOT NULL
);

CREATE INDEX history_head_day_idx ON history_head (day);

-- One row, which whoever writes hour_proof locks first.
CREATE TABLE proof_state (
  id       INTEGER PRIMARY KEY,
  -- Whether every stored hour has its hash: those of earlier versions get theirs later.
  complete BOOLEAN NOT NULL,
  -- Rows of hour_proof up to this id are in the heads of their days.
  noted    BIGINT  NOT NULL DEFAULT 0
);

INSERT INTO proof_state (id, complete) SELECT 1, NOT EXISTS (SELECT FROM tick_hour);
