-- What recursive and cumulative indicators remember of all bars of a symbol and timeframe up to one of them. Values then
-- do not depend on how many bars are read, nor on the removal of old bars.
CREATE TABLE bar_memory (
  symbol    TEXT               NOT NULL,
  timeframe SMALLINT           NOT NULL,
  -- The Unix time at which the last bar that it contains opened.
  time      INTEGER            NOT NULL,
  -- The version of the arithmetic. Other versions are ignored.
  version   SMALLINT           NOT NULL,
  numbers   DOUBLE PRECISION[] NOT NULL,
  PRIMARY KEY (symbol, timeframe, time)
);
