-- Symbols that an operator has given to a source's spellings, besides those of the file of sources, which they replace.
CREATE TABLE source_alias (
  source     TEXT        NOT NULL,
  -- As the source sends it.
  spelling   TEXT        NOT NULL,
  -- A symbol of the catalog.
  symbol     TEXT        NOT NULL,
  created_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (source, spelling)
);
