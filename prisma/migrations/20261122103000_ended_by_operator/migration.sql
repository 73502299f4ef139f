-- Whether an operator, not the owner, disabled or revoked the key. Only an operator may then undo it.
ALTER TABLE api_key
  ADD COLUMN disabled_by_operator BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN revoked_by_operator  BOOLEAN NOT NULL DEFAULT false;
