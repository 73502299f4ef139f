"""Rows as a table of pandas, which is needed only here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas


def to_frame(rows: Iterable[Mapping[str, Any]]) -> pandas.DataFrame:
    """Makes a DataFrame of rows such as bars, ticks or events, with their time as its index where they have one."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_frame needs pandas: pip install 'spotline-client[pandas]'") from error
    frame = pandas.DataFrame(list(rows))
    for column in ("time", "datetime", "timestamp"):
        if column in frame.columns:
            frame[column] = pandas.to_datetime(frame[column], utc=True)
            return frame.set_index(column)
    return frame
