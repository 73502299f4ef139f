-- Prices have the digits that their source sends. `digits` says of how many a row's points are; null means the digits of
-- the built-in instrument, as in all rows of earlier versions. Where a price has more points than an INTEGER holds,
-- `wide` has all prices of the row, in the order of their columns, and the columns are 0.
ALTER TABLE tick_second ADD COLUMN digits SMALLINT, ADD COLUMN wide BIGINT[];
ALTER TABLE bar ADD COLUMN digits SMALLINT, ADD COLUMN wide BIGINT[];
-- The prices of a spread are its least and its greatest.
ALTER TABLE spread_hour ADD COLUMN digits SMALLINT, ADD COLUMN wide BIGINT[];

-- The finest digits of a symbol's prices, where they are finer than the digits of its instrument. They never fall.
CREATE TABLE price_digits (
  symbol TEXT     PRIMARY KEY,
  digits SMALLINT NOT NULL
);
