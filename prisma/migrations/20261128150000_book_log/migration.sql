-- What the book had of every source, second by second; see lib/history/as-of/book-log.ts.
CREATE TABLE book_log (
    -- Unix time: the block has the changes from the first to before the second, and with whole the book at the first.
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    whole BOOLEAN NOT NULL,
    block BYTEA NOT NULL,
    PRIMARY KEY (since, until)
);

-- The blocks are deflated already.
ALTER TABLE book_log ALTER COLUMN block SET STORAGE EXTERNAL;
