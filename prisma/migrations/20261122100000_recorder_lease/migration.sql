-- Which server records. One row. Each holder gets a new fence, and every write of a recorder checks its own fence in the
-- same transaction, so a server that lost the lease cannot write any more. The fence is the key, because a writer then
-- blocks a takeover, which changes the key, but not a renewal, which does not.
CREATE TABLE recorder_lease (
  fence          INTEGER     PRIMARY KEY,
  holder         TEXT        NOT NULL,
  renewed_at     TIMESTAMPTZ NOT NULL,
  -- Recording is complete up to this Unix time in milliseconds, on the clock of the market.
  complete_until BIGINT      NOT NULL,
  -- Raised whenever closed hours were added, rewritten or removed.
  revision       INTEGER     NOT NULL
);

INSERT INTO recorder_lease VALUES (0, '', '-infinity', 0, 0);
