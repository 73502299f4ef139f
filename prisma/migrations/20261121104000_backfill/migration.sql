-- Up to which Unix time a symbol's past was filled from a feed that can tell it.
CREATE TABLE backfill (
  symbol TEXT    PRIMARY KEY,
  until  INTEGER NOT NULL
);
