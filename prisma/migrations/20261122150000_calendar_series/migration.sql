-- What sources say about a series of the calendar, one row for each series.
CREATE TABLE calendar_series (
  series_id   TEXT PRIMARY KEY,
  -- "weekly", "monthly"
  frequency   TEXT,
  -- The page of the publisher.
  source_url  TEXT,
  -- What the series measures.
  description TEXT
);
