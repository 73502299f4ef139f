-- Tokens that MetaTrader terminals push with, one for each source of prices.
CREATE TABLE ingest_token (
  id          UUID        PRIMARY KEY,
  -- The name that answers show.
  source      TEXT        NOT NULL,
  -- SHA-256 of the secret in hex. The secret itself is not stored.
  secret_hash TEXT        NOT NULL UNIQUE,
  -- First and last characters of the secret.
  start       TEXT        NOT NULL,
  last4       TEXT        NOT NULL,
  -- What the terminal has sent, in the broker's spelling: the simulation leaves these out.
  symbols     TEXT[]      NOT NULL DEFAULT '{}',
  created_at  TIMESTAMPTZ NOT NULL,
  ended_at    TIMESTAMPTZ
);
CREATE UNIQUE INDEX ingest_token_source ON ingest_token (source) WHERE ended_at IS NULL;

-- How far each run of a terminal's program was stored.
CREATE TABLE mt5_boot (
  token_id UUID        NOT NULL REFERENCES ingest_token ON DELETE CASCADE,
  boot_id  TEXT        NOT NULL,
  last_seq BIGINT      NOT NULL,
  -- Ranges [from, to] of batches before last_seq that never came.
  missing  JSONB       NOT NULL,
  last_at  TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (token_id, boot_id)
);

-- The batches of the last minutes, as received. They are acknowledged once they are here, and processed again after a
-- crash, because the recorder stores a second only when it is over.
CREATE TABLE mt5_batch (
  token_id    UUID        NOT NULL REFERENCES ingest_token ON DELETE CASCADE,
  boot_id     TEXT        NOT NULL,
  seq         BIGINT      NOT NULL,
  received_at TIMESTAMPTZ NOT NULL,
  built_at    TIMESTAMPTZ NOT NULL,
  -- SHA-256 of the ticks, to tell a resent batch from one of another terminal.
  digest      TEXT        NOT NULL,
  -- [[symbol, bid, ask, trade-server milliseconds], …]
  ticks       JSONB       NOT NULL,
  PRIMARY KEY (token_id, boot_id, seq)
);
CREATE INDEX mt5_batch_received ON mt5_batch (token_id, received_at);
