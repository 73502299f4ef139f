-- Every tick of the symbols for which that is wanted; see lib/history/tapes/tape-writer.ts.

-- What was received in the last seconds, of all symbols. Each minute it becomes parts of tapes.
CREATE TABLE tape_second (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    block BYTEA NOT NULL
);

-- An hour of one symbol and source, in Unix hours of the broker's times. Part 0 is the closed hour; the others, with the
-- number of the last second that they have, are joined into it.
CREATE TABLE tape_hour (
    symbol TEXT NOT NULL,
    hour INTEGER NOT NULL,
    source TEXT NOT NULL,
    part BIGINT NOT NULL,
    ticks INTEGER NOT NULL,
    block BYTEA NOT NULL,
    PRIMARY KEY (symbol, hour, source, part)
);

-- The hours that are still in parts are few.
CREATE INDEX tape_hour_open ON tape_hour (hour) WHERE part > 0;

-- When every tick was stored, UTC milliseconds, and of what: symbols, categories in lower case, or all.
CREATE TABLE tape_run (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    kept TEXT[] NOT NULL
);

-- The blocks are deflated already.
ALTER TABLE tape_second ALTER COLUMN block SET STORAGE EXTERNAL;
ALTER TABLE tape_hour ALTER COLUMN block SET STORAGE EXTERNAL;
