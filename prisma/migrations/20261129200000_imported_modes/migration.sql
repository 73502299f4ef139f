-- The data mode of the imported prices of a span. Spans of different modes may touch each other.
ALTER TABLE imported_span ADD COLUMN mode TEXT NOT NULL DEFAULT 'live';
