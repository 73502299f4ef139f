"""A client of the Spotline market data API."""

from .answer import Answer, Meta
from .client import AsyncSpotline, Spotline
from .errors import ApiError, ConnectionFailed, RateLimitError, SpotlineError
from .frames import to_frame
from .retry import RetryPolicy
from .state import PriceUpdate

__all__ = [
    "Answer",
    "ApiError",
    "AsyncSpotline",
    "ConnectionFailed",
    "Meta",
    "PriceUpdate",
    "RateLimitError",
    "RetryPolicy",
    "Spotline",
    "SpotlineError",
    "to_frame",
]
