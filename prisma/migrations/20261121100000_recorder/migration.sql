-- The recorder's journal: one row per symbol and second of the hours that are still filling, prices in points.
-- Each hour is a partition of its own, which is dropped when the hour is closed: that is instant and leaves
-- nothing to clean up, where deleting its rows would leave half a million dead ones an hour.
CREATE TABLE tick_second (
  second  INTEGER NOT NULL,
  bid     INTEGER NOT NULL,
  ask     INTEGER NOT NULL,
  open    INTEGER NOT NULL,
  high    INTEGER NOT NULL,
  low     INTEGER NOT NULL,
  updates INTEGER NOT NULL,
  symbol  TEXT    NOT NULL,
  PRIMARY KEY (symbol, second)
) PARTITION BY RANGE (second);

-- Hours that were closed, by the Unix time at which they began: what comes for them later is dropped.
CREATE TABLE closed_hour (
  second INTEGER PRIMARY KEY
);

-- Bars of every timeframe (in minutes) by the Unix time at which they opened, prices in points.
CREATE TABLE bar (
  time      INTEGER  NOT NULL,
  open      INTEGER  NOT NULL,
  high      INTEGER  NOT NULL,
  low       INTEGER  NOT NULL,
  close     INTEGER  NOT NULL,
  volume    INTEGER  NOT NULL,
  timeframe SMALLINT NOT NULL,
  symbol    TEXT     NOT NULL,
  PRIMARY KEY (symbol, timeframe, time)
);
