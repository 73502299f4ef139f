-- The kinds of notices that an account does not want as e-mails. Those about its security are always mailed.
ALTER TABLE account ADD COLUMN unmailed_notices TEXT[] NOT NULL DEFAULT '{}';
