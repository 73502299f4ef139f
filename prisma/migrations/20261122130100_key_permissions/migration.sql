-- A key's own limits; null follows the account. An empty list of endpoints or symbols allows all.
ALTER TABLE api_key
  ADD COLUMN per_minute_limit   INTEGER,
  ADD COLUMN per_day_limit      INTEGER,
  ADD COLUMN allowed_endpoints  TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN allowed_symbols    TEXT[] NOT NULL DEFAULT '{}',
  -- When the owner was last told that the key is not used.
  ADD COLUMN unused_reported_at TIMESTAMPTZ(3);
