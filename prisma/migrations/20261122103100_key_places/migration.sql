-- The networks that each key was used from, so that the first use from a new one can be told to its owner.
CREATE TABLE key_place (
  key_id  UUID           NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  -- One IPv4 address or an IPv6 /64, as a range.
  place   TEXT           NOT NULL,
  seen_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (key_id, place)
);
