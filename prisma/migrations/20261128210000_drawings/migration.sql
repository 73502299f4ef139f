-- Of all accounts: a number is never used again, so that a version names one content.
CREATE SEQUENCE drawing_version;

CREATE TABLE drawing (
    account_id UUID NOT NULL,
    id UUID NOT NULL,
    symbol TEXT NOT NULL,
    content JSONB NOT NULL,
    version BIGINT NOT NULL,
    created BIGINT NOT NULL,
    saved_at TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT drawing_pkey PRIMARY KEY (account_id, id),
    CONSTRAINT drawing_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX drawing_account_id_symbol_idx ON drawing (account_id, symbol);
