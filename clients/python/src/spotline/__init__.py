"""A client of the Spotline market data API."""

from .answer import Answer, Meta
from .client import AsyncSpotline, Spotline
from .download import download_export
from .errors import ApiError, ConnectionFailed, ExportFailed, RateLimitError, ReplayFailed, SpotlineError
from .frames import to_frame
from .retry import RetryPolicy
from .state import PriceUpdate, ReplaySummary

__all__ = [
    "Answer",
    "ApiError",
    "AsyncSpotline",
    "ConnectionFailed",
    "ExportFailed",
    "Meta",
    "PriceUpdate",
    "RateLimitError",
    "ReplayFailed",
    "ReplaySummary",
    "RetryPolicy",
    "Spotline",
    "SpotlineError",
    "download_export",
    "to_frame",
]
