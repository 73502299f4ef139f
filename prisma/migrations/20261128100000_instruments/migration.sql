-- Instruments that sources or an operator added, and built-in ones that an operator corrected.
CREATE TABLE instrument (
    symbol TEXT PRIMARY KEY,
    -- As lib/market/instrument.ts describes it. Null for one that was removed: no source adds it again.
    fields JSONB,
    -- The source that named it; null for the operator.
    source TEXT,
    changed_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- The value of instrument_revision at this row's last change.
    revision BIGINT NOT NULL
);

CREATE INDEX instrument_revision_idx ON instrument (revision);

CREATE TABLE instrument_revision (
    id INTEGER PRIMARY KEY,
    value BIGINT NOT NULL
);

INSERT INTO instrument_revision (id, value) VALUES (1, 0);
