-- Bars of M1 to M30 of a closed day or week as one block; see lib/history/bars/bar-block.ts. A bar is either here or in bar.
CREATE TABLE bar_pack (
    symbol TEXT NOT NULL,
    timeframe SMALLINT NOT NULL,
    -- When the first and the last bar of the block opened.
    time INTEGER NOT NULL,
    until INTEGER NOT NULL,
    count INTEGER NOT NULL,
    -- As in bar: all bars of a block have the same.
    origin TEXT,
    bars BYTEA NOT NULL,
    PRIMARY KEY (symbol, timeframe, time)
);

-- The blocks are deflated already.
ALTER TABLE bar_pack ALTER COLUMN bars SET STORAGE EXTERNAL;
