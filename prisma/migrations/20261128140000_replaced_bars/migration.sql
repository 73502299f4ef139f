-- Bars of H4 and longer that back-filling had stored where there were no shorter ones, and that imported hours have replaced.
-- They return once no hour of theirs is left; see lib/history/import/write-hours.ts. The columns are those of bar.
CREATE TABLE replaced_bar (
  symbol    TEXT     NOT NULL,
  timeframe SMALLINT NOT NULL,
  time      INTEGER  NOT NULL,
  open      INTEGER  NOT NULL,
  high      INTEGER  NOT NULL,
  low       INTEGER  NOT NULL,
  close     INTEGER  NOT NULL,
  volume    INTEGER  NOT NULL,
  digits    SMALLINT,
  wide      BIGINT[],
  PRIMARY KEY (symbol, timeframe, time)
);
