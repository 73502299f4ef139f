-- Spans of time in which every stored price of a symbol was imported: they are real, whatever history_origin says of that
-- time. A span also covers the time between two imported hours if nothing is stored there, such as a weekend.
CREATE TABLE imported_span (
  symbol TEXT    NOT NULL,
  -- Unix times; up to but not at the second one.
  since  INTEGER NOT NULL,
  until  INTEGER NOT NULL,
  PRIMARY KEY (symbol, since)
);

-- What was imported until now: the runs of hours without a recorded part.
INSERT INTO imported_span (symbol, since, until)
SELECT symbol, min(time), max(time) + 3600
  FROM (
         SELECT symbol, time, is_imported,
                row_number() OVER (PARTITION BY symbol ORDER BY time)
                  - row_number() OVER (PARTITION BY symbol, is_imported ORDER BY time) AS run
           FROM (
                  SELECT bar.symbol, time, coalesce(part.is_imported, FALSE) AS is_imported
                    FROM bar
                    LEFT JOIN (
                           SELECT symbol, hour, bool_and(source <> '') AS is_imported FROM import_hour GROUP BY symbol, hour
                         ) AS part ON part.symbol = bar.symbol AND part.hour = time / 3600
                   WHERE timeframe = 60
                ) AS hours
       ) AS runs
 WHERE is_imported
 GROUP BY symbol, run;
