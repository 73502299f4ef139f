-- The calls of each key, for a week: why one was refused.
CREATE TABLE request_log (
  -- In the order of writing.
  id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id  UUID           NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  key_id      UUID           NOT NULL,
  at          TIMESTAMPTZ(3) NOT NULL,
  -- The X-Request-Id of the answer.
  request_id  UUID           NOT NULL UNIQUE,
  method      TEXT           NOT NULL,
  endpoint    TEXT           NOT NULL,
  -- The symbols that the call names; null without any.
  symbols     TEXT,
  status      SMALLINT       NOT NULL,
  -- The error code and the message of a refusal; null for an answered call.
  code        TEXT,
  message     TEXT,
  credits     SMALLINT       NOT NULL,
  address     TEXT,
  duration_us INTEGER        NOT NULL,
  -- Further calls with the same key, method, endpoint, status and code in the same second that have no row of their own.
  more        INTEGER        NOT NULL DEFAULT 0
);

CREATE INDEX request_log_account_id_id_idx ON request_log (account_id, id);
