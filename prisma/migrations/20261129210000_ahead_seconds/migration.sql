-- What a clock that was ahead has dated after the true present: set aside when the clock came back, and not read again.
CREATE TABLE ahead_second (LIKE tick_second, set_aside_at TIMESTAMPTZ NOT NULL DEFAULT now());
CREATE TABLE ahead_book (LIKE book_log, set_aside_at TIMESTAMPTZ NOT NULL DEFAULT now());
