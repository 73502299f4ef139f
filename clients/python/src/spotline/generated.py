"""Generated from the OpenAPI document by `npm run generate:clients`. Do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict, Union

from urllib.parse import quote as _quote

from .answer import Answer

Time = Union[datetime, str]


class Quote(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    bid: float
    """The price to sell at"""
    ask: float
    """The price to buy at"""
    spread: float
    """ask − bid"""
    spread_pips: float
    """The ask less the bid, in pips, with as many decimals as a point needs"""
    timestamp: "Timestamp"
    """When the broker made the price: the authority on its age"""
    source: str
    """The source of the data"""


Timestamp = str


class QuoteWithSources(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    bid: float
    """The price to sell at"""
    ask: float
    """The price to buy at"""
    spread: float
    """ask − bid"""
    spread_pips: float
    """The ask less the bid, in pips, with as many decimals as a point needs"""
    timestamp: "Timestamp"
    """When the broker made the price: the authority on its age"""
    source: str
    """The source of the data"""
    best_bid: float
    best_ask: float
    best_spread: float
    """Negative when the best prices of different brokers cross"""
    source_count: int
    sources: list["SourceQuote"]


class SourceQuote(TypedDict):
    broker: str
    bid: float
    """The price to sell at"""
    ask: float
    """The price to buy at"""
    spread: float
    """The ask less the bid"""
    updated: "Timestamp"


class Error(TypedDict):
    success: Literal[False]
    error: "ErrorError"


class ErrorError(TypedDict):
    code: "ErrorCode"
    message: str
    """For people; its words may change"""
    suggestions: NotRequired[list[str]]
    """With unknown names: up to three near ones"""
    accepted: NotRequired[list[str]]
    """With a wrong word: the words that are accepted"""
    valid_values: NotRequired[list[str]]
    """With INVALID_CATEGORY, _PERIOD, _SORT and _TIMEFRAME: the values that are accepted"""
    available_indicators: NotRequired[list[str]]
    """With INDICATOR_NOT_FOUND: every name and alias"""
    earliest_available: NotRequired[str]
    """With DATA_OUTSIDE_RETENTION: the first moment whose prices are stored, ISO 8601"""
    kept_from: NotRequired[str]
    """With DATA_NOT_FOUND of every tick: since when they are kept, ISO 8601"""
    kept_until: NotRequired[str]
    """With DATA_NOT_FOUND of every tick: the last moment of them"""
    nearest_recorded: NotRequired["ErrorErrorNearestRecorded"]
    """With DATA_NOT_FOUND and at: the nearest moments at which something was recorded, ISO 8601"""
    retention_period: NotRequired[Union[str, None]]
    """With DATA_OUTSIDE_RETENTION: for how long prices are stored, such as 90 days; null if for ever"""
    details: NotRequired[list["ErrorErrorDetailsItem"]]
    """With 422: where the fault is"""
    requested_range: NotRequired[str]
    """With RANGE_TOO_LARGE: the length of the range"""
    max_range: NotRequired[str]
    """With RANGE_TOO_LARGE: the longest range"""
    requested_days: NotRequired[int]
    """With RANGE_TOO_LARGE of the calendar: the days of the window"""
    limit: NotRequired[int]
    """The most that the key may have: calls in its window, streams, or symbols of a stream"""
    remaining: NotRequired[int]
    """With 429: the calls that are left, 0"""
    reset_in_seconds: NotRequired[int]
    """With 429: seconds until calls are taken again, as in Retry-After"""
    current_plan: NotRequired[str]
    """With PLAN_UPGRADE_REQUIRED: the plan that the key is served under"""
    upgrade_url: NotRequired[str]
    """With PLAN_UPGRADE_REQUIRED: the page of the plans"""


class ErrorErrorNearestRecorded(TypedDict):
    """With DATA_NOT_FOUND and at: the nearest moments at which something was recorded, ISO 8601"""

    before: Union[str, None]
    after: Union[str, None]


class ErrorErrorDetailsItem(TypedDict):
    loc: list[str]
    msg: str
    type: str


ErrorCode = Literal["VALIDATION_ERROR", "INVALID_DATE", "INVALID_CATEGORY", "INVALID_DATETIME", "INVALID_IMPACT", "INVALID_PERIOD", "INVALID_RANGE", "INVALID_REQUEST", "INVALID_SORT", "INVALID_SOURCE", "INVALID_SYMBOL", "INVALID_TIMEFRAME", "INVALID_TYPE", "DATA_OUTSIDE_RETENTION", "NO_SYMBOLS", "RANGE_TOO_LARGE", "TOO_MANY_SYMBOLS", "MISSING_API_KEY", "INVALID_API_KEY", "API_KEY_DISABLED", "API_KEY_EXPIRED", "ACCOUNT_SUSPENDED", "IP_NOT_ALLOWED", "ORIGIN_NOT_ALLOWED", "PERMISSION_DENIED", "PLAN_UPGRADE_REQUIRED", "TOO_MANY_ALERTS", "TOO_MANY_WEBHOOKS", "NOT_FOUND", "INDICATOR_NOT_FOUND", "ALERT_NOT_FOUND", "WEBHOOK_NOT_FOUND", "EXPORT_NOT_FOUND", "SYMBOL_NOT_FOUND", "SOURCE_NOT_FOUND", "DATA_NOT_FOUND", "METHOD_NOT_ALLOWED", "PAYLOAD_TOO_LARGE", "URI_TOO_LONG", "UNSUPPORTED_MEDIA_TYPE", "RANGE_NOT_SATISFIABLE", "RATE_LIMIT_EXCEEDED", "QUOTA_EXCEEDED", "TOO_MANY_STREAMS", "TOO_MANY_EXPORTS", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"]


class Quotes(TypedDict):
    quotes: list["QuoteFields"]
    count: int
    """How many there are in this answer"""
    not_found: list[str]
    """What was asked for and does not exist"""
    timestamp: Union["Timestamp", Literal[""]]
    """Latest update of the data; never the response time"""


class QuoteFields(TypedDict):
    """The fields that were asked for"""

    symbol: str
    """The canonical name of the instrument"""
    bid: NotRequired[float]
    """The price to sell at"""
    ask: NotRequired[float]
    """The price to buy at"""
    spread: NotRequired[float]
    """ask − bid"""
    spread_pips: NotRequired[float]
    """The ask less the bid, in pips, with as many decimals as a point needs"""
    timestamp: NotRequired["Timestamp"]
    """When the broker made the price: the authority on its age"""
    source: NotRequired[str]
    """The source of the data"""


class SymbolSummary(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    name: str
    """The name for people"""
    category: Literal["forex", "metals", "commodities", "indices", "crypto", "stocks"]
    """The kind of instrument"""
    base_currency: Union[str, None]
    """The first currency of a pair; null where there is none"""
    quote_currency: Union[str, None]
    """The currency of its prices; null where there is none"""
    digits: int
    """The decimals of its finest price so far: they rise, and never fall"""
    tradable: bool
    """Whether its market is open now"""


class Pagination(TypedDict):
    offset: int
    """How many came before this page"""
    limit: int
    """The most that a page has"""
    total: int
    """How many there are on all pages"""
    has_more: bool
    """Whether a further page has more"""


class SymbolDetails(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    name: str
    """The name for people"""
    category: Literal["forex", "metals", "commodities", "indices", "crypto", "stocks"]
    """The kind of instrument"""
    base_currency: Union[str, None]
    """The first currency of a pair; null where there is none"""
    quote_currency: Union[str, None]
    """The currency of its prices; null where there is none"""
    digits: int
    """The decimals of its finest price so far: they rise, and never fall"""
    tradable: bool
    """Whether its market is open now"""
    description: str
    point: float
    pip_size: float
    """One pip as a price"""
    contract_size: float
    min_volume: float
    max_volume: float
    volume_step: float
    swap_long: Union[float, None]
    swap_short: Union[float, None]
    margin_currency: Union[str, None]
    trading_hours: "SymbolDetailsTradingHours"
    aliases: list[str]
    added_by: Union[str, None]
    """The source that named it, or operator; null for a built-in instrument"""
    provenance: Union["SymbolDetailsProvenance", None]
    """Where each of these facts comes from: the source or the operator said it, the symbol's name shows it, or it is usual (default); null for a built-in instrument"""
    resolved_by: str
    """The rule that led from the given spelling to this symbol"""


class SymbolDetailsTradingHours(TypedDict):
    sunday: str
    monday: str
    tuesday: str
    wednesday: str
    thursday: str
    friday: str
    saturday: str


class SymbolDetailsProvenance(TypedDict):
    category: Literal["source", "operator", "name", "default"]
    """The kind of instrument"""
    currencies: Literal["source", "operator", "name", "default"]
    digits: Literal["source", "operator", "name", "default"]
    """The decimals of its finest price so far: they rise, and never fall"""
    pip: Literal["source", "operator", "name", "default"]
    hours: Literal["source", "operator", "name", "default"]
    name: Literal["source", "operator", "name", "default"]
    """The name for people"""


class IndicatorReading(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    indicator: str
    """The name as in the request"""
    timeframe: "Timeframe"
    value: float
    """At the latest closed bar"""
    bid: float
    """The price to sell at"""
    ask: float
    """The price to buy at"""
    updated_at: int
    """Unix seconds of the quote"""
    server_time: str
    """ISO 8601 with +00:00"""
    bar_time: str
    """When the bar of the value opened, ISO 8601 with +00:00"""


Timeframe = str


class FlatIndicatorReading(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    indicator: str
    """The name as in the request"""
    timeframe: "Timeframe"
    timestamp: "Timestamp"
    """When the latest closed bar opened"""
    value: float
    """The value of the indicator"""
    signal: "Signal"
    ohlc: "Ohlc"
    metadata: "FlatIndicatorReadingMetadata"
    bars: NotRequired[int]
    """With bars above 1: how many bars the series holds"""
    series: NotRequired[list["FlatIndicatorPoint"]]
    """With bars above 1: those bars, oldest first"""


class FlatIndicatorReadingMetadata(TypedDict):
    source: str
    """The source of the data"""
    data_age_seconds: int
    """Age of the older of the newest quote and the close of the bar"""


Signal = Literal["bullish", "bearish", "neutral", "overbought", "oversold"]


class Ohlc(TypedDict):
    open: float
    """The first price of the bar"""
    high: float
    """The highest price of the bar"""
    low: float
    """The lowest price of the bar"""
    close: float
    """The last price of the bar"""
    volume: float
    """Price updates"""


class FlatIndicatorPoint(TypedDict):
    timestamp: "Timestamp"
    """When the bar opened"""
    value: float
    """The value of the indicator"""
    signal: "Signal"
    ohlc: "Ohlc"


class FlatError(TypedDict):
    """The errors of flat indicator readings"""

    error: str
    """The status in words"""
    message: str
    code: int
    """The status"""
    retry_after: NotRequired[int]
    """With 429 only: seconds until calls are taken again"""


class IndicatorValues(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    timeframe: "Timeframe"
    bar_time: Union[str, None]
    ohlcv: Union["Ohlc", None]
    """The latest closed bar, which all values belong to"""
    bid: Union[float, None]
    """The price to sell at"""
    ask: Union[float, None]
    """The price to buy at"""
    indicators: dict[str, Union[float, None]]
    """Null where there is too little history"""
    count: int
    """How many indicators are named, with a value or null"""
    updated_at: int
    """Unix seconds of the newest quote behind it; 0 before the first"""


class Tick(TypedDict):
    time: str
    """ISO 8601 with +00:00"""
    bid: float
    """The price to sell at"""
    ask: float
    """The price to buy at"""
    flags: Literal[0]
    """Always 0; carries no information"""
    origin: NotRequired[int]
    """With include=origin: the id of one of the origins"""
    source: NotRequired[str]
    """With resolution=tick: the source"""
    received: NotRequired[str]
    """With resolution=tick: when the server received it, to the millisecond"""


TickOrigin = TypedDict("TickOrigin", {
    "id": int,
    "kind": Literal["recorded", "joined", "generated", "filled", "imported", "undone", "removed", "merged", "moved", "stored"],
    "mode": Literal["live", "simulated", "replay"],
    "written_at": Union[str, None],
    "source": NotRequired[str],
    "from": NotRequired[str],
    "to": NotRequired[str],
    "file": NotRequired[str],
    "sha256": NotRequired[str],
    "import": NotRequired[Union[str, None]],
    "symbol": NotRequired[str],
})


NotKept = TypedDict("NotKept", {
    "from": str,
    "to": str,
})


Gap = TypedDict("Gap", {
    "from": str,
    "to": str,
    "seconds": int,
})


SourceGap = TypedDict("SourceGap", {
    "from": str,
    "to": str,
    "source": str,
    "reason": Literal["disconnected", "paused", "reloaded", "stopped"],
})


class Candle(TypedDict):
    time: str
    """When the bar opened: ISO 8601 with Z"""
    open: float
    """The first price of the bar"""
    high: float
    """The highest price of the bar"""
    low: float
    """The lowest price of the bar"""
    close: float
    """The last price of the bar"""
    volume: int
    """Price updates in the bar"""


ListedExport = TypedDict("ListedExport", {
    "id": str,
    "state": Literal["queued", "running", "done", "failed"],
    "what": Literal["ticks", "bars", "spreads", "quotes", "proofs", "calendar", "calendar_revisions"],
    "symbols": list[str],
    "timeframe": Union["Timeframe", None],
    "resolution": Union[Literal["1s", "tick"], None],
    "from": "Timestamp",
    "to": "Timestamp",
    "format": Literal["parquet", "csv"],
    "progress": Union["ListedExportProgress", None],
    "error": Union[str, None],
    "created_at": "Timestamp",
    "finished_at": Union["Timestamp", None],
    "expires_at": Union["Timestamp", None],
    "file_count": int,
    "rows": int,
    "bytes": int,
    "url": str,
    "files": NotRequired[list["ExportFile"]],
})


class ListedExportProgress(TypedDict):
    files: int
    """Files that are written"""
    of: int
    """Months of symbols that may have rows"""
    rows: int
    bytes: int


ExportFile = TypedDict("ExportFile", {
    "name": str,
    "symbol": Union[str, None],
    "month": str,
    "from": "Timestamp",
    "to": "Timestamp",
    "complete": bool,
    "rows": int,
    "bytes": int,
    "sha256": str,
    "data_mode": Literal["live", "simulated", "replay"],
    "url": str,
    "url_expires_at": "Timestamp",
})


Export = TypedDict("Export", {
    "id": str,
    "state": Literal["queued", "running", "done", "failed"],
    "what": Literal["ticks", "bars", "spreads", "quotes", "proofs", "calendar", "calendar_revisions"],
    "symbols": list[str],
    "timeframe": Union["Timeframe", None],
    "resolution": Union[Literal["1s", "tick"], None],
    "from": "Timestamp",
    "to": "Timestamp",
    "format": Literal["parquet", "csv"],
    "progress": Union["ExportProgress", None],
    "error": Union[str, None],
    "created_at": "Timestamp",
    "finished_at": Union["Timestamp", None],
    "expires_at": Union["Timestamp", None],
    "files": list["ExportFile"],
    "empty": list["ExportEmptyItem"],
})


class ExportProgress(TypedDict):
    files: int
    """Files that are written"""
    of: int
    """Months of symbols that may have rows"""
    rows: int
    bytes: int


class ExportEmptyItem(TypedDict):
    symbol: Union[str, None]
    """The canonical name of the instrument"""
    reason: str


class IndicatorDetails(TypedDict):
    description: str
    formula: str
    warm_up_bars: int
    """Bars needed for the first value"""
    range: Union["IndicatorDetailsRange", None]
    """Null where any value is possible; max is null where there is no highest one"""
    aliases: list[str]
    reading: Literal["flat", "envelope"]
    """How /v1/indicator answers it"""


class IndicatorDetailsRange(TypedDict):
    min: float
    max: Union[float, None]


class IndicatorFamily(TypedDict):
    name: str
    """What the names of its members begin with"""
    aliases: list[str]
    """Other names of the family, with the same members"""
    pattern: str
    """How a member is named: RSI_{period} for RSI_21"""
    title: str
    category: Literal["trend", "oscillator", "volatility", "volume"]
    """The category of the indicators"""
    formula: str
    """In terms of the parameters"""
    source: str
    """Whose definition it follows"""
    parameters: list[Union["IndicatorFamilyParametersItem", "IndicatorFamilyParametersItem1"]]
    rule: Union[str, None]
    """What the parameters have to fulfil together"""
    lines: list["IndicatorFamilyLinesItem"]
    examples: list[str]
    """The members with the default parameters"""


class IndicatorFamilyParametersItem(TypedDict):
    name: str
    """The name of the parameter"""
    default: float
    min: float
    max: float
    decimals: int
    """The most decimals; 0 for whole numbers"""


class IndicatorFamilyParametersItem1(TypedDict):
    name: str
    """The name of the parameter"""
    default: str
    choices: list[str]


class IndicatorFamilyLinesItem(TypedDict):
    name: str
    """At the end of a name; empty for a line without one"""
    description: str


IndicatorHistory = TypedDict("IndicatorHistory", {
    "symbol": str,
    "indicator": str,
    "timeframe": "Timeframe",
    "from": Union[str, None],
    "to": Union[str, None],
    "count": int,
    "max_window_hours": int,
    "series": list["IndicatorPoint"],
    "next_from": NotRequired[str],
})


class IndicatorPoint(TypedDict):
    time: str
    """ISO 8601 with Z"""
    value: Union[float, None]
    """The value of the indicator"""


class LatestIndicators(TypedDict):
    timeframe: "Timeframe"
    data: dict[str, dict[str, Union[float, None]]]
    bar_times: dict[str, Union[str, None]]
    """When the latest closed bar of each symbol opened; null before its first"""
    not_found: list[str]
    """Unknown symbols, as they were spelled"""
    updated_at: int
    """Unix seconds of the newest quote behind it; 0 before the first"""


PastIndicators = TypedDict("PastIndicators", {
    "timeframe": "Timeframe",
    "mode": Literal["historical"],
    "from": str,
    "to": str,
    "retention": Union[str, None],
    "data": dict[str, list["PastIndicatorsDataValueItem"]],
    "not_found": list[str],
})


class PastIndicatorsDataValueItem(TypedDict):
    time: str
    """ISO 8601 with Z"""


class ScreenerResult(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    value: float
    """The value of the indicator"""
    bid: Union[float, None]
    """The price to sell at"""
    bar_time: str
    """When the latest closed bar opened, ISO 8601 with +00:00"""
    bar_state: "BarState"


BarState = Literal["current", "behind", "outdated"]


class Summary(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    timeframe: "Timeframe"
    bar_time: str
    """When the latest closed bar opened, ISO 8601 with +00:00"""
    bias: Literal["bullish", "bearish", "neutral"]
    bias_strength: Literal["normal", "strong"]
    confidence: float
    """How far what was looked at agrees with the bias"""
    trend_score: float
    """−100, all bearish, to 100, all bullish"""
    momentum_score: float
    """−100 to 100"""
    volatility_score: float
    """0 to 100: rank among the latest hundred bars"""
    signals: "SummarySignals"
    key_levels: "SummaryKeyLevels"
    """Prices where the market turned before, nearest first"""
    bullish_signals: list[str]
    bearish_signals: list[str]
    neutral_signals: list[str]
    volatility_info: list[str]
    volume_info: list[str]
    summary: str
    recommendations: list[str]
    """Observations; none of them is advice"""
    key_values: "SummaryKeyValues"
    updated_at: int
    """Unix seconds of the quote"""


class SummarySignals(TypedDict):
    trend: "Signal"
    momentum: "Signal"
    volatility: Literal["low", "normal", "high"]
    volume: Literal["low", "normal", "high"]


class SummaryKeyLevels(TypedDict):
    """Prices where the market turned before, nearest first"""

    resistance: list[float]
    support: list[float]


class SummaryKeyValues(TypedDict):
    bid: float
    """The price to sell at"""
    ask: float
    """The price to buy at"""
    rsi_14: float
    macd_hist: float
    adx: float
    atr_14: float
    sma_20: float
    sma_50: float
    sma_200: Union[float, None]
    """Null below 200 bars"""
    bb_upper: float
    bb_lower: float
    stochastic_k: float
    mfi_14: float


class SpreadAnalysis(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    current: "SpreadAnalysisCurrent"
    statistics: "SpreadAnalysisStatistics"
    by_session: "SpreadAnalysisBySession"
    """Means over the same period; asian while Sydney or Tokyo is open. Sessions overlap."""
    percentiles: NotRequired["SpreadPercentiles"]
    series: NotRequired[list["SpreadQuarter"]]
    """With series=15m: oldest first, without the quarters that have no sample"""


class SpreadAnalysisCurrent(TypedDict):
    spread_pips: float
    """The ask less the bid, in pips, with as many decimals as a point needs"""
    spread_points: int
    """Whole points: ten to the pip with 5 digits"""


class SpreadAnalysisStatistics(TypedDict):
    period: Literal["1h", "24h", "7d", "30d"]
    """The time that ends now"""
    avg_spread: float
    min_spread: float
    max_spread: float
    std_deviation: float
    """Of the population"""


class SpreadAnalysisBySession(TypedDict):
    """Means over the same period; asian while Sydney or Tokyo is open. Sessions overlap."""

    asian: Union[float, None]
    london: Union[float, None]
    new_york: Union[float, None]


class SpreadPercentiles(TypedDict):
    """With include=percentiles: the smallest spread that so many percent of the samples do not exceed"""

    p5: float
    p25: float
    p50: float
    p75: float
    p95: float


class SpreadQuarter(TypedDict):
    time: str
    """When the quarter of an hour began"""
    avg: float
    min: float
    max: float
    p5: float
    p95: float


class ComparedSpread(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    current_pips: Union[float, None]
    """Null unless has_live_data"""
    avg_pips: Union[float, None]
    """Null, as the two that follow, when nothing was recorded in the period"""
    min_pips: Union[float, None]
    max_pips: Union[float, None]
    has_live_data: bool
    """Whether there is a quote that is not stale, of a market that is open"""
    sources: NotRequired[list["SourceSpread"]]
    """With by=source: every source's own spreads"""


class SourceSpread(TypedDict):
    source: str
    """The source of the data"""
    since: Union[str, None]
    """When the first minute that the source's figures count began: later than the period, and than the symbol's own figures, where the source was not recorded before"""
    current_pips: Union[float, None]
    """Null unless has_live_data"""
    avg_pips: Union[float, None]
    """Null, as the two that follow, when nothing was recorded in the period"""
    min_pips: Union[float, None]
    max_pips: Union[float, None]
    has_live_data: bool
    """Whether there is a quote that is not stale, of a market that is open"""


class QualityDay(TypedDict):
    date: str
    """The day, in UTC"""
    condition: Union["QualityCondition", None]
    """Of the prices that were served; null for days before the first judged hour"""
    expected_seconds: int
    """Seconds with an open market in the hours that are judged"""
    served_seconds: int
    """Those in which a source had a price that was not stale"""
    recorded_seconds: int
    """Rows of /v1/ticks of the day until judged_until"""
    completeness: Union[float, None]
    """served_seconds in percent of expected_seconds; null if none is expected"""
    sources: list["QualitySource"]


QualityCondition = Literal["complete", "degraded", "missing", "pending", "closed"]


class QualitySource(TypedDict):
    source: str
    """The source of the data"""
    condition: "QualityCondition"
    expected_seconds: int
    """Seconds with an open market in which its prices were expected"""
    covered_seconds: int
    """Those that are in no gap"""
    updated_seconds: int
    """Those in which it sent a price"""
    completeness: Union[float, None]
    """covered_seconds in percent of expected_seconds; null if none is expected"""
    served_share: Union[float, None]
    """Percent of the served seconds that were served from it"""
    gap_count: int
    longest_gap_seconds: int
    disagreement: Union["QualitySourceDisagreement", None]
    """How far its mid was from that of the other sources; null without another source"""
    minutes: "QualitySourceMinutes"
    """How many minutes have each verdict"""
    spike_count: int
    compared_bars: int
    """M1 bars that another source has as well"""
    differing_bars: int
    """Those of them that differ from all others by more than the tolerance"""
    refused: dict[str, int]
    """Ticks that were refused, by reason"""
    clock_offset_ms: Union[int, None]
    """How far its clock was behind, negative if ahead: the median; null where it is not known"""
    gaps: NotRequired[list["QualitySourceGapsItem"]]
    """With include=detail"""
    verdicts: NotRequired[list["QualitySourceVerdictsItem"]]
    """With include=detail: minutes in a row with a verdict other than agrees and closed"""
    spikes: NotRequired[list["QualitySourceSpikesItem"]]
    """With include=detail: spikes that a second ended with"""


class QualitySourceDisagreement(TypedDict):
    median_pips: float
    p99_pips: float
    longest_seconds: int
    """The longest time in a row in which it was apart from all others"""


class QualitySourceMinutes(TypedDict):
    """How many minutes have each verdict"""

    closed: int
    gap: int
    stale: int
    lag: int
    off: int
    spike: int
    alone: int
    agrees: int


QualitySourceGapsItem = TypedDict("QualitySourceGapsItem", {
    "from": str,
    "to": str,
    "seconds": int,
    "reason": Literal["disconnected", "paused", "reloaded", "stopped", "silent"],
})


QualitySourceVerdictsItem = TypedDict("QualitySourceVerdictsItem", {
    "from": str,
    "to": str,
    "verdict": Literal["closed", "gap", "stale", "lag", "off", "spike", "alone", "agrees"],
})


QualitySourceSpikesItem = TypedDict("QualitySourceSpikesItem", {
    "from": str,
    "to": str,
    "size_pips": float,
})


class QualityResult(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    source: str
    """The source of the data"""
    condition: "QualityCondition"
    completeness: Union[float, None]
    """covered_seconds in percent of expected_seconds; null if none is expected"""
    expected_seconds: int
    covered_seconds: int
    compared_minutes: int
    """Minutes that were compared with another source"""
    faulty_minutes: int
    """Those of them that are stale, lag, off or spike"""


Session = Union["Session", "Session1"]


class Session1(TypedDict):
    status: Literal["closed"]
    """How it is"""
    opens_in: str
    """Until the session's own next opening, over weekends and holidays. The market opens with Sydney."""
    weekend: bool
    """Whether Friday 22:00 to Sunday 22:00 UTC keeps it closed"""


class StrengthHeatmap(TypedDict):
    type: Literal["strength"]
    timeframe: Literal["H1", "H4", "D1", "W1"]
    """The length of the bars"""
    currencies: "StrengthHeatmapCurrencies"
    strongest: Union[Literal["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"], None]
    """null while all are equally strong"""
    weakest: Union[Literal["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"], None]
    range: float
    """Strength of the strongest less that of the weakest"""
    timestamp: "Timestamp"
    """When the latest closed bar ended"""


class StrengthHeatmapCurrencies(TypedDict):
    USD: "CurrencyStrength"
    EUR: "CurrencyStrength"
    GBP: "CurrencyStrength"
    JPY: "CurrencyStrength"
    CHF: "CurrencyStrength"
    AUD: "CurrencyStrength"
    CAD: "CurrencyStrength"
    NZD: "CurrencyStrength"


class CurrencyStrength(TypedDict):
    strength: float
    """0 extremely weak, 10 extremely strong, about 5 neutral"""
    trend: Literal["bullish", "bearish", "neutral"]
    change: float
    """Change of strength over the last bar"""
    pairs_analyzed: int


class CorrelationHeatmap(TypedDict):
    type: Literal["correlation"]
    timeframe: Literal["H1", "H4", "D1", "W1"]
    """The length of the bars"""
    correlation_matrix: dict[str, dict[str, Union[float, None]]]
    """Each currency or symbol with every other and itself"""
    available: Literal[True]
    bars: int
    """Bars behind the coefficient that has the fewest"""
    timestamp: "Timestamp"
    """When the latest closed bar ended"""


class CalendarEvent(TypedDict):
    id: str
    """Opaque; stays through polls, revisions and moved dates"""
    datetime: str
    """ISO 8601 with the offset +00:00"""
    currency: str
    """The code of the currency"""
    event: str
    """What happens"""
    impact: Literal["high", "medium", "low"]
    """How much the event usually moves prices"""
    forecast: str
    """Consensus; empty when there is none"""
    previous: str
    """The figure of the release before"""
    actual: Union[str, None]
    """Set at the moment of release: on primary rows, and for plans that include it"""
    source: Literal["primary", "secondary"]
    """The source of the data"""
    series_id: Union[str, None]
    """Groups the releases of one indicator; null on secondary rows"""
    forecast_value: NotRequired[Union[float, None]]
    """include=numeric"""
    previous_value: NotRequired[Union[float, None]]
    """include=numeric"""
    actual_value: NotRequired[Union[float, None]]
    """include=numeric"""
    unit: NotRequired[Union[Literal["%", ""], None]]
    """include=numeric"""
    revised_previous: NotRequired[Union[str, None]]
    """include=revised: what the previous reading was revised to"""
    certainty: NotRequired[Literal["exact", "tentative", "all_day"]]
    """include=certainty"""
    source_time_zone: NotRequired[str]
    """include=certainty"""
    history: NotRequired[list["CalendarChange"]]
    """include=history: every change since the row was first received, oldest first"""


class CalendarChange(TypedDict):
    at: str
    origin: str
    field: str
    before: Union[str, None]
    after: Union[str, None]


NewsWindow = TypedDict("NewsWindow", {
    "from": str,
    "to": str,
    "events": list["CalendarEvent"],
})


class Alert(TypedDict):
    id: str
    name: str
    """The name for people"""
    condition: "AlertCondition"
    active: bool
    """Whether it can fire"""
    cooldown_seconds: Union[int, None]
    """The seconds after a firing in which it does not fire again; null fires once"""
    webhook_id: Union[str, None]
    """The webhook that it is sent to; null for none"""
    mail: bool
    """Whether it is mailed to the account"""
    push: bool
    """Whether it is pushed to the devices of the account"""
    firings: int
    """How often it has fired"""
    last_fired_at: Union["Timestamp", None]
    created_at: "Timestamp"


AlertCondition = Any


class PriceCondition(TypedDict):
    """The price crosses a level"""

    type: Literal["price"]
    symbol: str
    """Trading symbol; any broker's spelling is resolved"""
    level: float
    direction: Literal["up", "down", "either"]
    """The direction of the price that counts"""
    price: Literal["bid", "ask", "mid"]
    """The price that is compared with the level"""


LineCondition = TypedDict("LineCondition", {
    "type": Literal["line"],
    "symbol": str,
    "from": "LinePoint",
    "to": "LinePoint",
    "extend": Literal["none", "right", "left", "both"],
    "timeframe": str,
    "scale": Literal["linear", "log"],
    "direction": Literal["up", "down", "either"],
    "price": Literal["bid", "ask", "mid"],
    "drawing": Union[str, None],
})


class LinePoint(TypedDict):
    time: str
    """ISO 8601, UTC without an offset"""
    price: float


class MoveCondition(TypedDict):
    """The bid moves by a percentage within a window"""

    type: Literal["move"]
    symbol: str
    """Trading symbol; any broker's spelling is resolved"""
    percent: float
    """How far the bid must be from its lowest or highest of the window"""
    minutes: int
    """The length of the window"""
    direction: Literal["up", "down", "either"]
    """The direction of the price that counts"""


class IndicatorCondition(TypedDict):
    """At a closed bar, an indicator has crossed a value or another indicator since the bar before"""

    type: Literal["indicator"]
    symbol: str
    """Trading symbol; any broker's spelling is resolved"""
    timeframe: str
    """The length of the bars, from a minute on"""
    indicator: str
    """An indicator, such as RSI_14 or EMA_34, or close: the close of the bar"""
    direction: Literal["up", "down", "either"]
    """The direction of the price that counts"""
    level: Union[float, None]
    """The value that is crossed; null with against"""
    against: Union[str, None]
    """The indicator that is crossed, or close; null with level"""


class SpreadCondition(TypedDict):
    """The spread is above its 95th percentile of the last seven days"""

    type: Literal["spread"]
    symbol: str
    """Trading symbol; any broker's spelling is resolved"""


class StateCondition(TypedDict):
    """The quote changes to one of these states"""

    type: Literal["state"]
    symbol: str
    """Trading symbol; any broker's spelling is resolved"""
    states: list[Literal["live", "stale", "closed"]]


class CompletenessCondition(TypedDict):
    """A day has too few prices. It fires once for each day and source, after the hour that decides it"""

    type: Literal["completeness"]
    symbol: str
    """Trading symbol; any broker's spelling is resolved"""
    source: Union[str, None]
    """A source, * for each of them by itself, or null for the prices that were served"""
    percent: float
    """The least completeness of a UTC day, as of /v1/quality"""


class ReleaseCondition(TypedDict):
    """The figure of an economic event is published"""

    type: Literal["release"]
    currencies: list[str]
    """Codes such as USD; an empty list is all"""
    impacts: list[Literal["high", "medium", "low"]]
    """An empty list is all"""
    search: str
    """A part of the title, in any case; an empty text is all"""


class UpcomingCondition(TypedDict):
    """An economic event is due"""

    type: Literal["upcoming"]
    minutes: int
    """How long before the event"""
    currencies: list[str]
    """Codes such as USD; an empty list is all"""
    impacts: list[Literal["high", "medium", "low"]]
    """An empty list is all"""
    search: str
    """A part of the title, in any case; an empty text is all"""


NewAlertCondition = Any


class NewPriceCondition(TypedDict):
    """The price crosses a level"""

    type: Literal["price"]
    symbol: str
    """Trading symbol; any broker's spelling is resolved"""
    level: float
    direction: NotRequired[Literal["up", "down", "either"]]
    """The direction of the price that counts"""
    price: NotRequired[Literal["bid", "ask", "mid"]]
    """The price that is compared with the level"""


NewLineCondition = TypedDict("NewLineCondition", {
    "type": Literal["line"],
    "symbol": str,
    "from": "LinePoint",
    "to": "LinePoint",
    "extend": NotRequired[Literal["none", "right", "left", "both"]],
    "timeframe": NotRequired[str],
    "scale": NotRequired[Literal["linear", "log"]],
    "direction": NotRequired[Literal["up", "down", "either"]],
    "price": NotRequired[Literal["bid", "ask", "mid"]],
    "drawing": NotRequired[Union[str, None]],
})


class NewMoveCondition(TypedDict):
    """The bid moves by a percentage within a window"""

    type: Literal["move"]
    symbol: str
    """Trading symbol; any broker's spelling is resolved"""
    percent: float
    """How far the bid must be from its lowest or highest of the window"""
    minutes: int
    """The length of the window"""
    direction: NotRequired[Literal["up", "down", "either"]]
    """The direction of the price that counts"""


class NewIndicatorCondition(TypedDict):
    """At a closed bar, an indicator has crossed a value or another indicator since the bar before"""

    type: Literal["indicator"]
    symbol: str
    """Trading symbol; any broker's spelling is resolved"""
    timeframe: NotRequired[str]
    """The length of the bars, from a minute on"""
    indicator: str
    """An indicator, such as RSI_14 or EMA_34, or close: the close of the bar"""
    direction: NotRequired[Literal["up", "down", "either"]]
    """The direction of the price that counts"""
    level: NotRequired[Union[float, None]]
    """The value that is crossed; null with against"""
    against: NotRequired[Union[str, None]]
    """The indicator that is crossed, or close; null with level"""


class NewSpreadCondition(TypedDict):
    """The spread is above its 95th percentile of the last seven days"""

    type: Literal["spread"]
    symbol: str
    """Trading symbol; any broker's spelling is resolved"""


class NewStateCondition(TypedDict):
    """The quote changes to one of these states"""

    type: Literal["state"]
    symbol: str
    """Trading symbol; any broker's spelling is resolved"""
    states: list[Literal["live", "stale", "closed"]]


class NewCompletenessCondition(TypedDict):
    """A day has too few prices. It fires once for each day and source, after the hour that decides it"""

    type: Literal["completeness"]
    symbol: str
    """Trading symbol; any broker's spelling is resolved"""
    source: NotRequired[Union[str, None]]
    """A source, * for each of them by itself, or null for the prices that were served"""
    percent: float
    """The least completeness of a UTC day, as of /v1/quality"""


class NewReleaseCondition(TypedDict):
    """The figure of an economic event is published"""

    type: Literal["release"]
    currencies: NotRequired[list[str]]
    """Codes such as USD; an empty list is all"""
    impacts: NotRequired[list[Literal["high", "medium", "low"]]]
    """An empty list is all"""
    search: NotRequired[str]
    """A part of the title, in any case; an empty text is all"""


class NewUpcomingCondition(TypedDict):
    """An economic event is due"""

    type: Literal["upcoming"]
    minutes: int
    """How long before the event"""
    currencies: NotRequired[list[str]]
    """Codes such as USD; an empty list is all"""
    impacts: NotRequired[list[Literal["high", "medium", "low"]]]
    """An empty list is all"""
    search: NotRequired[str]
    """A part of the title, in any case; an empty text is all"""


class AlertWithLog(TypedDict):
    id: str
    name: str
    """The name for people"""
    condition: "AlertCondition"
    active: bool
    """Whether it can fire"""
    cooldown_seconds: Union[int, None]
    """The seconds after a firing in which it does not fire again; null fires once"""
    webhook_id: Union[str, None]
    """The webhook that it is sent to; null for none"""
    mail: bool
    """Whether it is mailed to the account"""
    push: bool
    """Whether it is pushed to the devices of the account"""
    firings: int
    """How often it has fired"""
    last_fired_at: Union["Timestamp", None]
    created_at: "Timestamp"
    log: list["AlertFiring"]
    """The latest 50 firings of the last 30 days, newest first"""


class AlertFiring(TypedDict):
    id: str
    """The webhook-id of its message"""
    at: "Timestamp"
    message: str
    deliveries: list["AlertDelivery"]


class AlertDelivery(TypedDict):
    channel: Literal["webhook", "mail", "push"]
    state: Literal["pending", "delivered", "failed"]
    tries: int
    last_at: Union["Timestamp", None]
    """The end of the last try"""
    next_at: Union["Timestamp", None]
    """When it is tried next; null once it has ended"""
    duration_ms: Union[int, None]
    response_status: Union[int, None]
    """The HTTP status of the receiver"""
    response_text: Union[str, None]
    """The beginning of the receiver's answer"""
    error: Union[str, None]
    """Why there was no answer, or what a chat's refusal means"""


class Webhook(TypedDict):
    id: str
    name: str
    """The name for people"""
    kind: Literal["signed", "telegram", "discord", "slack"]
    """What it speaks: signed JSON, or the format of a chat"""
    url: str
    """Without its last part if the address itself is a secret: discord and slack"""
    chat: Union[str, None]
    """Of telegram: the chat"""
    created_at: "Timestamp"


class NewWebhook(TypedDict):
    id: str
    name: str
    """The name for people"""
    kind: Literal["signed", "telegram", "discord", "slack"]
    """What it speaks: signed JSON, or the format of a chat"""
    url: str
    """Without its last part if the address itself is a secret: discord and slack"""
    chat: Union[str, None]
    """Of telegram: the chat"""
    created_at: "Timestamp"
    secret: Union[str, None]
    """Verifies the signatures of its messages. It is not shown again. Null for chats, which have their own"""


class Account(TypedDict):
    name: str
    """The account's e-mail address; only its first letter for a key without the scope \"all\""""
    plan: Literal["free", "trial", "payg", "starter", "pro", "enterprise", "tool"]
    """The plan that this key is served under"""
    prepaid_credits: int
    """What is left of the credits paid in advance, up to a second late; below zero is owed"""
    daily_quota: Union[int, None]
    """Calls a day; null without a limit"""
    daily_used: int
    """Calls counted today, this one included"""
    credits_used: int
    """What those calls cost, by the weights of their endpoints"""
    resets_at: "Timestamp"
    """The next midnight UTC"""
    key: "KeyTerms"


class KeyTerms(TypedDict):
    label: str
    scopes: list[Literal["quotes", "indicators", "historical", "premium", "all", "alerts"]]
    endpoints: Union[list[str], None]
    """The only endpoints that it may call, as far as its scopes open them; null for all of them"""
    symbols: Union[list[str], None]
    """The only categories and symbols that it may read; null for all"""
    per_minute: Union[int, None]
    """Requests a minute; null without a limit"""
    per_day: Union[int, None]
    """The key's own limit of calls a day; null without one"""
    used_today: Union[int, None]
    """Calls counted against per_day, this one included"""
    expires_at: Union["Timestamp", None]


class Health(TypedDict):
    status: Literal["ok", "degraded", "down"]
    """How it is"""
    components: dict[str, "HealthComponentsValue"]


class HealthComponentsValue(TypedDict):
    status: Literal["ok", "degraded", "down"]
    """How it is"""
    behind_ms: NotRequired[int]
    behind_changes: NotRequired[int]


class SymbolsData(TypedDict):
    symbols: list["SymbolSummary"]
    total: int
    """How many there are on all pages"""
    pagination: "Pagination"


class TicksData(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    resolution: NotRequired[Literal["tick"]]
    """With resolution=tick"""
    ticks: list["Tick"]
    count: int
    """Length of ticks"""
    origins: NotRequired[list["TickOrigin"]]
    """With include=origin: how the ticks came"""
    next_from: NotRequired[Union[str, None]]
    """With resolution=tick: from of the next page; null if this is the last one"""
    not_kept: NotRequired[list["NotKept"]]
    """With resolution=tick: times in the range in which ticks were not kept, oldest first"""
    gaps: NotRequired[list["Gap"]]
    """With include=gaps: the holes in the range, oldest first"""
    source_gaps: NotRequired[list["SourceGap"]]
    """Times in the range, if any, for which a source's prices are lost or not filled in yet"""


OhlcData = TypedDict("OhlcData", {
    "symbol": str,
    "timeframe": "Timeframe",
    "price": NotRequired[Literal["bid", "ask", "mid"]],
    "candles": list["Candle"],
    "count": int,
    "retention": Union[str, None],
    "next_from": NotRequired[str],
    "from": NotRequired[str],
})


class ExportsData(TypedDict):
    exports: list["ListedExport"]
    total: int
    """How many there are on all pages"""
    pagination: "Pagination"


class DeleteExportData(TypedDict):
    deleted: Literal[True]


class IndicatorsListData(TypedDict):
    indicators: "IndicatorsListDataIndicators"
    """By category and name: a sentence, or with include=details an object"""
    timeframes: list["Timeframe"]
    categories: list[Literal["trend", "oscillator", "volatility", "volume"]]
    families: NotRequired[list["IndicatorFamily"]]
    """With include=families"""


class IndicatorsListDataIndicators(TypedDict):
    """By category and name: a sentence, or with include=details an object"""

    trend: dict[str, Union[str, "IndicatorDetails"]]
    oscillator: dict[str, Union[str, "IndicatorDetails"]]
    volatility: dict[str, Union[str, "IndicatorDetails"]]
    volume: dict[str, Union[str, "IndicatorDetails"]]


class ScreenerData(TypedDict):
    indicator: str
    """The name of the indicator"""
    timeframe: "Timeframe"
    filter: "ScreenerDataFilter"
    """The bounds of the call; null where it has none"""
    results: list["ScreenerResult"]
    total_matches: int
    pagination: "Pagination"
    updated_at: int
    """Unix seconds of the newest quote behind it; 0 before the first"""


class ScreenerDataFilter(TypedDict):
    """The bounds of the call; null where it has none"""

    min: Union[float, None]
    max: Union[float, None]


class SpreadCompareData(TypedDict):
    period: Literal["1h", "24h", "7d", "30d"]
    """The time that ends now"""
    symbols: list["ComparedSpread"]
    count: int
    """How many there are in this answer"""


class QualityData(TypedDict):
    symbol: str
    """The canonical name of the instrument"""
    judged_until: Union[str, None]
    """All hours before it are judged; null if none is"""
    days: list["QualityDay"]


class QualityDayData(TypedDict):
    date: str
    """The day, in UTC"""
    judged_until: Union[str, None]
    """All hours before it are judged; null if none is"""
    results: list["QualityResult"]
    pagination: "Pagination"


class SessionsData(TypedDict):
    current_time: "Timestamp"
    active_sessions: list[Literal["sydney", "tokyo", "london", "new_york"]]
    sessions: "SessionsDataSessions"
    overlaps: list[str]
    """Every pair of open sessions"""
    next_major_event: "SessionsDataNextMajorEvent"
    """The soonest opening or close of any session"""


class SessionsDataSessions(TypedDict):
    sydney: "Session"
    tokyo: "Session"
    london: "Session"
    new_york: "Session"


SessionsDataNextMajorEvent = TypedDict("SessionsDataNextMajorEvent", {
    "event": str,
    "in": str,
})


class CalendarData(TypedDict):
    events: list["CalendarEvent"]
    count: int
    """Events on this page, after hiding secondary twins"""
    range: "CalendarDataRange"
    """UTC, without an offset; both inclusive"""
    pagination: "Pagination"


CalendarDataRange = TypedDict("CalendarDataRange", {
    "from": str,
    "to": str,
})


class CalendarWindowData(TypedDict):
    symbol: Union[str, None]
    """Null for a list of currencies"""
    currencies: list[str]
    """The currencies whose releases count"""
    impacts: list[Literal["high", "medium", "low"]]
    before: int
    after: int
    time: str
    """The moment that the answer is of"""
    state: Literal["inside", "clear", "unknown"]
    """unknown if the calendar cannot tell that no release is near: reason says why"""
    reason: Union[str, None]
    """Why the state is unknown; else null"""
    window: Union["NewsWindow", None]
    """The window that the moment is in"""
    next: Union["NewsWindow", None]
    """The next window, of the next 31 days"""
    untimed: list["CalendarEvent"]
    """Events of the day without a known hour: no window has them"""
    calendar: "CalendarWindowDataCalendar"


class CalendarWindowDataCalendar(TypedDict):
    status: Literal["current", "stale", "missing"]
    """stale: nothing is listed from some day before the end of before on; missing: nothing is listed at all"""
    listed_until: Union[str, None]
    """The end of the UTC day of the last event that is listed within 31 days, of any currency"""
    unlisted: list[str]
    """Currencies of which no event is listed within 31 days"""


class AlertsData(TypedDict):
    alerts: list["Alert"]
    count: int
    """How many there are in this answer"""
    active_limit: int
    """How many may be active"""


class DeleteAlertData(TypedDict):
    deleted: Literal[True]


class WebhooksData(TypedDict):
    webhooks: list["Webhook"]
    count: int
    """How many there are in this answer"""


class TestWebhookData(TypedDict):
    sent: Literal[True]
    message_id: str
    """The webhook-id of the message"""


class DeleteWebhookData(TypedDict):
    deleted: Literal[True]


class LayoutData(TypedDict):
    layout: Union[list[Union[str, "LayoutDataLayoutItem1"]], None]
    """As it was saved; null before that"""


class LayoutDataLayoutItem1(TypedDict):
    pass


class SaveLayoutData(TypedDict):
    saved: Literal[True]


class CalendarSubscriptionData(TypedDict):
    url: str


class OpenapiData(TypedDict):
    openapi: Literal["3.1.0"]



class Calls:
    """A method for each endpoint."""

    def _call(self, method: str, path: str, query: dict[str, Any], body: dict[str, Any] | None = None) -> Answer[Any]:
        raise NotImplementedError

    def quote(self, symbol: str, *, include_sources: bool | None = None, source: str | None = None, at: Time | None = None) -> Answer[Union["Quote", "QuoteWithSources"]]:
        """The current bid and ask of one symbol, from the first live source or from the one you name."""
        return self._call("GET", "/v1/quote", {"symbol": symbol, "include_sources": include_sources, "source": source, "at": at})

    def quotes(self, symbols: Sequence[str], *, at: Time | None = None, fields: Sequence[Literal["bid", "ask", "spread", "spread_pips", "timestamp", "source"]] | None = None) -> Answer["Quotes"]:
        """The current quotes of up to a hundred symbols. Unknown ones are listed, not refused."""
        return self._call("POST", "/v1/quotes", {"at": at}, {"symbols": symbols, "fields": fields})

    def symbols(self, *, category: Literal["forex", "metals", "commodities", "indices", "crypto", "stocks"] | None = None, search: str | None = None, offset: int | None = None, limit: int | None = None, at: Time | None = None) -> Answer["SymbolsData"]:
        """The instruments this service knows, by category or by a part of their name."""
        return self._call("GET", "/v1/symbols", {"category": category, "search": search, "offset": offset, "limit": limit, "at": at})

    def symbol(self, symbol: str) -> Answer["SymbolDetails"]:
        """Everything about one instrument, under any broker's spelling of its name."""
        return self._call("GET", "/v1/symbols/{symbol}".replace("{symbol}", _quote(symbol, safe="")), {})

    def indicator(self, symbol: str, indicator: str, *, timeframe: str | None = None, bars: int | None = None, source: str | None = None, at: Time | None = None) -> Answer[Union["IndicatorReading", "FlatIndicatorReading"]]:
        """One indicator of one symbol at the latest closed bar."""
        return self._call("GET", "/v1/indicator", {"symbol": symbol, "indicator": indicator, "timeframe": timeframe, "bars": bars, "source": source, "at": at})

    def indicators(self, symbol: str, *, timeframe: str | None = None, category: Literal["trend", "oscillator", "volatility", "volume"] | None = None, at: Time | None = None) -> Answer["IndicatorValues"]:
        """Every indicator of one symbol at the latest closed bar; null where there is too little history."""
        return self._call("GET", "/v1/indicators", {"symbol": symbol, "timeframe": timeframe, "category": category, "at": at})

    def ticks(self, symbol: str, from_: Time, to: Time, *, resolution: Literal["1s", "tick"] | None = None, source: str | None = None, limit: int | None = None, include: Literal["gaps", "origin", "gaps,origin"] | None = None) -> Answer["TicksData"]:
        """The recorded ticks of one symbol in up to one hour, one a second."""
        return self._call("GET", "/v1/ticks", {"symbol": symbol, "from": from_, "to": to, "resolution": resolution, "source": source, "limit": limit, "include": include})

    def ohlc(self, symbol: str, *, timeframe: str | None = None, from_: Time | None = None, to: Time | None = None, limit: int | None = None, price: Literal["bid", "ask", "mid"] | None = None, at: Time | None = None) -> Answer["OhlcData"]:
        """Candles of one symbol and timeframe, oldest first."""
        return self._call("GET", "/v1/ohlc", {"symbol": symbol, "timeframe": timeframe, "from": from_, "to": to, "limit": limit, "price": price, "at": at})

    def export(self, what: Literal["ticks", "bars", "spreads", "quotes", "proofs", "calendar", "calendar_revisions"], from_: Time, to: Time, *, symbol: str | None = None, timeframe: Literal["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"] | None = None, resolution: Literal["1s", "tick"] | None = None) -> Answer[str]:
        """Ticks, bars, spreads, quotes or proofs of one symbol, or the calendar, as a file: CSV or Parquet."""
        return self._call("GET", "/v1/export", {"what": what, "from": from_, "to": to, "symbol": symbol, "timeframe": timeframe, "resolution": resolution})

    def exports(self, *, include: Literal["files"] | None = None, offset: int | None = None, limit: int | None = None) -> Answer["ExportsData"]:
        """The exports of the account, newest first: their state, their size and when they expire."""
        return self._call("GET", "/v1/exports", {"include": include, "offset": offset, "limit": limit})

    def create_export(self, what: Literal["ticks", "bars", "spreads", "quotes", "proofs", "calendar", "calendar_revisions"], from_: Time, to: Time, *, symbols: Sequence[str] | None = None, timeframe: Literal["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"] | None = None, resolution: Literal["1s", "tick"] | None = None, format: Literal["parquet", "csv"] | None = None) -> Answer["Export"]:
        """Begins an export of a long range: a file for each symbol and month."""
        return self._call("POST", "/v1/export", {}, {"what": what, "from": from_, "to": to, "symbols": symbols, "timeframe": timeframe, "resolution": resolution, "format": format})

    def read_export(self, export: str) -> Answer["Export"]:
        """How far an export is, and links to its files once it is done."""
        return self._call("GET", "/v1/export/{export}".replace("{export}", _quote(export, safe="")), {})

    def delete_export(self, export: str) -> Answer["DeleteExportData"]:
        """Deletes an export with its files, also one that is not finished."""
        return self._call("DELETE", "/v1/export/{export}".replace("{export}", _quote(export, safe="")), {})

    def indicators_list(self, *, include: Literal["details", "families"] | None = None) -> Answer["IndicatorsListData"]:
        """The indicators there are, by category: what each one is, or all about it."""
        return self._call("GET", "/v1/indicators/list", {"include": include})

    def indicator_history(self, symbol: str, indicator: str, *, timeframe: str | None = None, from_: Time | None = None, to: Time | None = None, limit: int | None = None) -> Answer["IndicatorHistory"]:
        """One indicator over past bars, oldest first."""
        return self._call("GET", "/v1/indicator/history", {"symbol": symbol, "indicator": indicator, "timeframe": timeframe, "from": from_, "to": to, "limit": limit})

    def multi(self, symbols: Sequence[str], indicators: Sequence[str], *, timeframe: str | None = None, from_: Time | None = None, to: Time | None = None, at: Time | None = None) -> Answer[Union["LatestIndicators", "PastIndicators"]]:
        """Several indicators of several symbols: at the latest closed bar, or at every bar of a past range."""
        return self._call("GET", "/v1/multi", {"symbols": symbols, "indicators": indicators, "timeframe": timeframe, "from": from_, "to": to, "at": at})

    def screener(self, indicator: str, *, timeframe: Literal["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"] | None = None, min_val: float | None = None, max_val: float | None = None, sort: Literal["asc", "desc"] | None = None, offset: int | None = None, limit: int | None = None, at: Time | None = None) -> Answer["ScreenerData"]:
        """The symbols whose indicator, at the latest closed bar, lies between two values. Those without a value never match."""
        return self._call("GET", "/v1/screener", {"indicator": indicator, "timeframe": timeframe, "min_val": min_val, "max_val": max_val, "sort": sort, "offset": offset, "limit": limit, "at": at})

    def summary(self, symbol: str, *, timeframe: str | None = None, at: Time | None = None) -> Answer["Summary"]:
        """One market at a glance: where trend and momentum point, what speaks for and against it, and the levels near by."""
        return self._call("GET", "/v1/summary", {"symbol": symbol, "timeframe": timeframe, "at": at})

    def spread(self, symbol: str, *, period: Literal["1h", "24h", "7d", "30d"] | None = None, include: Literal["percentiles"] | None = None, series: Literal["15m"] | None = None, at: Time | None = None) -> Answer["SpreadAnalysis"]:
        """The spread of one symbol now, and its statistics over the seconds recorded in a period that ends now. Of 1h and 24h the period begins at the whole minute at or before, of 7d and 30d at the whole hour. X-Quote-State tells how far the current spread may be trusted."""
        return self._call("GET", "/v1/spread", {"symbol": symbol, "period": period, "include": include, "series": series, "at": at})

    def spread_compare(self, symbols: Sequence[str], *, period: Literal["1h", "24h", "7d", "30d"] | None = None, by: Literal["source"] | None = None, at: Time | None = None) -> Answer["SpreadCompareData"]:
        """The spreads of up to twenty symbols, tightest on average first. Unknown symbols, and those nothing was recorded of, come last, with nulls."""
        return self._call("GET", "/v1/spread/compare", {"symbols": symbols, "period": period, "by": by, "at": at})

    def quality(self, symbol: str, *, from_: Time | None = None, to: Time | None = None, include: Literal["detail"] | None = None) -> Answer["QualityData"]:
        """How complete the prices of a symbol's sources are, and how they compare, day by day."""
        return self._call("GET", "/v1/quality", {"symbol": symbol, "from": from_, "to": to, "include": include})

    def quality_day(self, *, date: Time | None = None, offset: int | None = None, limit: int | None = None) -> Answer["QualityDayData"]:
        """The condition of every symbol and source on a day, the worst first."""
        return self._call("GET", "/v1/quality/day", {"date": date, "offset": offset, "limit": limit})

    def sessions(self, *, at: Time | None = None) -> Answer["SessionsData"]:
        """Which trading sessions are open, which overlap, and what opens or closes next."""
        return self._call("GET", "/v1/sessions", {"at": at})

    def heatmap(self, *, type: Literal["strength", "correlation"] | None = None, timeframe: Literal["H1", "H4", "D1", "W1"] | None = None, symbols: Sequence[str] | None = None, bars: int | None = None, at: Time | None = None) -> Answer[Union["StrengthHeatmap", "CorrelationHeatmap"]]:
        """How strong each of the eight major currencies is, or how alike currencies or symbols move."""
        return self._call("GET", "/v1/heatmap", {"type": type, "timeframe": timeframe, "symbols": symbols, "bars": bars, "at": at})

    def calendar(self, *, from_: str | None = None, to: str | None = None, currencies: Sequence[str] | None = None, country: Sequence[str] | None = None, impact: Literal["high", "medium", "low"] | None = None, q: str | None = None, next_hours: int | None = None, prev_hours: int | None = None, source: Literal["primary", "secondary"] | None = None, include: Sequence[Literal["numeric", "revised", "certainty", "history"]] | None = None, offset: int | None = None, limit: int | None = None, at: Time | None = None) -> Answer["CalendarData"]:
        """Economic events of a window of time, with forecast, previous and released figures."""
        return self._call("GET", "/v1/calendar", {"from": from_, "to": to, "currencies": currencies, "country": country, "impact": impact, "q": q, "next_hours": next_hours, "prev_hours": prev_hours, "source": source, "include": include, "offset": offset, "limit": limit, "at": at})

    def calendar_window(self, *, symbol: str | None = None, currencies: Sequence[str] | None = None, before: int | None = None, after: int | None = None, impact: Sequence[Literal["high", "medium", "low"]] | None = None, at: Time | None = None) -> Answer["CalendarWindowData"]:
        """Whether a release of a symbol's currencies is near: the window around it, and the next one."""
        return self._call("GET", "/v1/calendar/window", {"symbol": symbol, "currencies": currencies, "before": before, "after": after, "impact": impact, "at": at})

    def alerts(self) -> Answer["AlertsData"]:
        """The alerts of the account, newest first."""
        return self._call("GET", "/v1/alerts", {})

    def create_alert(self, condition: "NewAlertCondition", *, name: str | None = None, cooldown_seconds: Union[int, None] | None = None, active: bool | None = None, webhook_id: Union[str, None] | None = None, mail: bool | None = None, push: bool | None = None) -> Answer["Alert"]:
        """Creates an alert."""
        return self._call("POST", "/v1/alerts", {}, {"condition": condition, "name": name, "cooldown_seconds": cooldown_seconds, "active": active, "webhook_id": webhook_id, "mail": mail, "push": push})

    def alert(self, alert: str) -> Answer["AlertWithLog"]:
        """One alert, with its log: when it fired, and what became of its messages."""
        return self._call("GET", "/v1/alerts/{alert}".replace("{alert}", _quote(alert, safe="")), {})

    def change_alert(self, alert: str, *, name: str | None = None, condition: Union["NewAlertCondition", None] = None, cooldown_seconds: Union[int, None] | None = None, active: bool | None = None, webhook_id: Union[str, None] | None = None, mail: bool | None = None, push: bool | None = None) -> Answer["Alert"]:
        """Changes the given settings of an alert."""
        return self._call("PATCH", "/v1/alerts/{alert}".replace("{alert}", _quote(alert, safe="")), {}, {"name": name, "condition": condition, "cooldown_seconds": cooldown_seconds, "active": active, "webhook_id": webhook_id, "mail": mail, "push": push})

    def delete_alert(self, alert: str) -> Answer["DeleteAlertData"]:
        """Deletes an alert, with its log and its messages that are not sent yet."""
        return self._call("DELETE", "/v1/alerts/{alert}".replace("{alert}", _quote(alert, safe="")), {})

    def webhooks(self) -> Answer["WebhooksData"]:
        """The webhooks of the account, without their secrets."""
        return self._call("GET", "/v1/webhooks", {})

    def create_webhook(self, name: str, *, kind: Literal["signed", "telegram", "discord", "slack"] | None = None, url: str | None = None, token: str | None = None, chat: str | None = None) -> Answer["NewWebhook"]:
        """Creates a webhook, and shows its secret once."""
        return self._call("POST", "/v1/webhooks", {}, {"name": name, "kind": kind, "url": url, "token": token, "chat": chat})

    def test_webhook(self, webhook: str) -> Answer["TestWebhookData"]:
        """Sends a test message to a webhook, at most five a minute for an account."""
        return self._call("POST", "/v1/webhooks/{webhook}".replace("{webhook}", _quote(webhook, safe="")), {})

    def delete_webhook(self, webhook: str) -> Answer["DeleteWebhookData"]:
        """Deletes a webhook. Its alerts stay, and its messages that are not sent yet are not sent."""
        return self._call("DELETE", "/v1/webhooks/{webhook}".replace("{webhook}", _quote(webhook, safe="")), {})

    def account(self) -> Answer["Account"]:
        """The account of this key: its plan, what has been used of today's quota, and what the key itself may do."""
        return self._call("GET", "/v1/monitor/account", {})

    def layout(self) -> Answer["LayoutData"]:
        """The layout that was saved with this key, or null."""
        return self._call("GET", "/v1/monitor/layout", {})

    def save_layout(self, layout: Sequence[Union[dict[str, Any], str]]) -> Answer["SaveLayoutData"]:
        """Saves a layout for this key, in place of the one before: at most 60 items of the program's own."""
        return self._call("PUT", "/v1/monitor/layout", {}, {"layout": layout})

    def calendar_feed(self, *, from_: str | None = None, to: str | None = None, currencies: Sequence[str] | None = None, country: Sequence[str] | None = None, impact: Literal["high", "medium", "low"] | None = None, q: str | None = None, next_hours: int | None = None, prev_hours: int | None = None, source: Literal["primary", "secondary"] | None = None) -> Answer[str]:
        """The economic calendar as a feed that calendar programs subscribe to (iCalendar, RFC 5545)."""
        return self._call("GET", "/v1/calendar.ics", {"from": from_, "to": to, "currencies": currencies, "country": country, "impact": impact, "q": q, "next_hours": next_hours, "prev_hours": prev_hours, "source": source})

    def calendar_subscription(self, *, from_: str | None = None, to: str | None = None, currencies: Sequence[str] | None = None, country: Sequence[str] | None = None, impact: Literal["high", "medium", "low"] | None = None, q: str | None = None, next_hours: int | None = None, prev_hours: int | None = None, source: Literal["primary", "secondary"] | None = None) -> Answer["CalendarSubscriptionData"]:
        """The address at which calendar programs subscribe to the economic calendar, with the filters of the request."""
        return self._call("GET", "/v1/calendar/subscription", {"from": from_, "to": to, "currencies": currencies, "country": country, "impact": impact, "q": q, "next_hours": next_hours, "prev_hours": prev_hours, "source": source})

    def openapi(self) -> Answer["OpenapiData"]:
        """This description of the API, in OpenAPI 3.1."""
        return self._call("GET", "/v1/openapi.json", {})

    def health(self) -> Answer["Health"]:
        """How the parts of the service are. Answers 200 while the process can answer at all."""
        return self._call("GET", "/health", {})

    def ready(self) -> Answer["Health"]:
        """Whether the service can do its work: 503 while a part of it is down, 200 otherwise."""
        return self._call("GET", "/ready", {})



class AsyncCalls:
    """A method for each endpoint."""

    async def _call(self, method: str, path: str, query: dict[str, Any], body: dict[str, Any] | None = None) -> Answer[Any]:
        raise NotImplementedError

    async def quote(self, symbol: str, *, include_sources: bool | None = None, source: str | None = None, at: Time | None = None) -> Answer[Union["Quote", "QuoteWithSources"]]:
        """The current bid and ask of one symbol, from the first live source or from the one you name."""
        return await self._call("GET", "/v1/quote", {"symbol": symbol, "include_sources": include_sources, "source": source, "at": at})

    async def quotes(self, symbols: Sequence[str], *, at: Time | None = None, fields: Sequence[Literal["bid", "ask", "spread", "spread_pips", "timestamp", "source"]] | None = None) -> Answer["Quotes"]:
        """The current quotes of up to a hundred symbols. Unknown ones are listed, not refused."""
        return await self._call("POST", "/v1/quotes", {"at": at}, {"symbols": symbols, "fields": fields})

    async def symbols(self, *, category: Literal["forex", "metals", "commodities", "indices", "crypto", "stocks"] | None = None, search: str | None = None, offset: int | None = None, limit: int | None = None, at: Time | None = None) -> Answer["SymbolsData"]:
        """The instruments this service knows, by category or by a part of their name."""
        return await self._call("GET", "/v1/symbols", {"category": category, "search": search, "offset": offset, "limit": limit, "at": at})

    async def symbol(self, symbol: str) -> Answer["SymbolDetails"]:
        """Everything about one instrument, under any broker's spelling of its name."""
        return await self._call("GET", "/v1/symbols/{symbol}".replace("{symbol}", _quote(symbol, safe="")), {})

    async def indicator(self, symbol: str, indicator: str, *, timeframe: str | None = None, bars: int | None = None, source: str | None = None, at: Time | None = None) -> Answer[Union["IndicatorReading", "FlatIndicatorReading"]]:
        """One indicator of one symbol at the latest closed bar."""
        return await self._call("GET", "/v1/indicator", {"symbol": symbol, "indicator": indicator, "timeframe": timeframe, "bars": bars, "source": source, "at": at})

    async def indicators(self, symbol: str, *, timeframe: str | None = None, category: Literal["trend", "oscillator", "volatility", "volume"] | None = None, at: Time | None = None) -> Answer["IndicatorValues"]:
        """Every indicator of one symbol at the latest closed bar; null where there is too little history."""
        return await self._call("GET", "/v1/indicators", {"symbol": symbol, "timeframe": timeframe, "category": category, "at": at})

    async def ticks(self, symbol: str, from_: Time, to: Time, *, resolution: Literal["1s", "tick"] | None = None, source: str | None = None, limit: int | None = None, include: Literal["gaps", "origin", "gaps,origin"] | None = None) -> Answer["TicksData"]:
        """The recorded ticks of one symbol in up to one hour, one a second."""
        return await self._call("GET", "/v1/ticks", {"symbol": symbol, "from": from_, "to": to, "resolution": resolution, "source": source, "limit": limit, "include": include})

    async def ohlc(self, symbol: str, *, timeframe: str | None = None, from_: Time | None = None, to: Time | None = None, limit: int | None = None, price: Literal["bid", "ask", "mid"] | None = None, at: Time | None = None) -> Answer["OhlcData"]:
        """Candles of one symbol and timeframe, oldest first."""
        return await self._call("GET", "/v1/ohlc", {"symbol": symbol, "timeframe": timeframe, "from": from_, "to": to, "limit": limit, "price": price, "at": at})

    async def export(self, what: Literal["ticks", "bars", "spreads", "quotes", "proofs", "calendar", "calendar_revisions"], from_: Time, to: Time, *, symbol: str | None = None, timeframe: Literal["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"] | None = None, resolution: Literal["1s", "tick"] | None = None) -> Answer[str]:
        """Ticks, bars, spreads, quotes or proofs of one symbol, or the calendar, as a file: CSV or Parquet."""
        return await self._call("GET", "/v1/export", {"what": what, "from": from_, "to": to, "symbol": symbol, "timeframe": timeframe, "resolution": resolution})

    async def exports(self, *, include: Literal["files"] | None = None, offset: int | None = None, limit: int | None = None) -> Answer["ExportsData"]:
        """The exports of the account, newest first: their state, their size and when they expire."""
        return await self._call("GET", "/v1/exports", {"include": include, "offset": offset, "limit": limit})

    async def create_export(self, what: Literal["ticks", "bars", "spreads", "quotes", "proofs", "calendar", "calendar_revisions"], from_: Time, to: Time, *, symbols: Sequence[str] | None = None, timeframe: Literal["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"] | None = None, resolution: Literal["1s", "tick"] | None = None, format: Literal["parquet", "csv"] | None = None) -> Answer["Export"]:
        """Begins an export of a long range: a file for each symbol and month."""
        return await self._call("POST", "/v1/export", {}, {"what": what, "from": from_, "to": to, "symbols": symbols, "timeframe": timeframe, "resolution": resolution, "format": format})

    async def read_export(self, export: str) -> Answer["Export"]:
        """How far an export is, and links to its files once it is done."""
        return await self._call("GET", "/v1/export/{export}".replace("{export}", _quote(export, safe="")), {})

    async def delete_export(self, export: str) -> Answer["DeleteExportData"]:
        """Deletes an export with its files, also one that is not finished."""
        return await self._call("DELETE", "/v1/export/{export}".replace("{export}", _quote(export, safe="")), {})

    async def indicators_list(self, *, include: Literal["details", "families"] | None = None) -> Answer["IndicatorsListData"]:
        """The indicators there are, by category: what each one is, or all about it."""
        return await self._call("GET", "/v1/indicators/list", {"include": include})

    async def indicator_history(self, symbol: str, indicator: str, *, timeframe: str | None = None, from_: Time | None = None, to: Time | None = None, limit: int | None = None) -> Answer["IndicatorHistory"]:
        """One indicator over past bars, oldest first."""
        return await self._call("GET", "/v1/indicator/history", {"symbol": symbol, "indicator": indicator, "timeframe": timeframe, "from": from_, "to": to, "limit": limit})

    async def multi(self, symbols: Sequence[str], indicators: Sequence[str], *, timeframe: str | None = None, from_: Time | None = None, to: Time | None = None, at: Time | None = None) -> Answer[Union["LatestIndicators", "PastIndicators"]]:
        """Several indicators of several symbols: at the latest closed bar, or at every bar of a past range."""
        return await self._call("GET", "/v1/multi", {"symbols": symbols, "indicators": indicators, "timeframe": timeframe, "from": from_, "to": to, "at": at})

    async def screener(self, indicator: str, *, timeframe: Literal["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"] | None = None, min_val: float | None = None, max_val: float | None = None, sort: Literal["asc", "desc"] | None = None, offset: int | None = None, limit: int | None = None, at: Time | None = None) -> Answer["ScreenerData"]:
        """The symbols whose indicator, at the latest closed bar, lies between two values. Those without a value never match."""
        return await self._call("GET", "/v1/screener", {"indicator": indicator, "timeframe": timeframe, "min_val": min_val, "max_val": max_val, "sort": sort, "offset": offset, "limit": limit, "at": at})

    async def summary(self, symbol: str, *, timeframe: str | None = None, at: Time | None = None) -> Answer["Summary"]:
        """One market at a glance: where trend and momentum point, what speaks for and against it, and the levels near by."""
        return await self._call("GET", "/v1/summary", {"symbol": symbol, "timeframe": timeframe, "at": at})

    async def spread(self, symbol: str, *, period: Literal["1h", "24h", "7d", "30d"] | None = None, include: Literal["percentiles"] | None = None, series: Literal["15m"] | None = None, at: Time | None = None) -> Answer["SpreadAnalysis"]:
        """The spread of one symbol now, and its statistics over the seconds recorded in a period that ends now. Of 1h and 24h the period begins at the whole minute at or before, of 7d and 30d at the whole hour. X-Quote-State tells how far the current spread may be trusted."""
        return await self._call("GET", "/v1/spread", {"symbol": symbol, "period": period, "include": include, "series": series, "at": at})

    async def spread_compare(self, symbols: Sequence[str], *, period: Literal["1h", "24h", "7d", "30d"] | None = None, by: Literal["source"] | None = None, at: Time | None = None) -> Answer["SpreadCompareData"]:
        """The spreads of up to twenty symbols, tightest on average first. Unknown symbols, and those nothing was recorded of, come last, with nulls."""
        return await self._call("GET", "/v1/spread/compare", {"symbols": symbols, "period": period, "by": by, "at": at})

    async def quality(self, symbol: str, *, from_: Time | None = None, to: Time | None = None, include: Literal["detail"] | None = None) -> Answer["QualityData"]:
        """How complete the prices of a symbol's sources are, and how they compare, day by day."""
        return await self._call("GET", "/v1/quality", {"symbol": symbol, "from": from_, "to": to, "include": include})

    async def quality_day(self, *, date: Time | None = None, offset: int | None = None, limit: int | None = None) -> Answer["QualityDayData"]:
        """The condition of every symbol and source on a day, the worst first."""
        return await self._call("GET", "/v1/quality/day", {"date": date, "offset": offset, "limit": limit})

    async def sessions(self, *, at: Time | None = None) -> Answer["SessionsData"]:
        """Which trading sessions are open, which overlap, and what opens or closes next."""
        return await self._call("GET", "/v1/sessions", {"at": at})

    async def heatmap(self, *, type: Literal["strength", "correlation"] | None = None, timeframe: Literal["H1", "H4", "D1", "W1"] | None = None, symbols: Sequence[str] | None = None, bars: int | None = None, at: Time | None = None) -> Answer[Union["StrengthHeatmap", "CorrelationHeatmap"]]:
        """How strong each of the eight major currencies is, or how alike currencies or symbols move."""
        return await self._call("GET", "/v1/heatmap", {"type": type, "timeframe": timeframe, "symbols": symbols, "bars": bars, "at": at})

    async def calendar(self, *, from_: str | None = None, to: str | None = None, currencies: Sequence[str] | None = None, country: Sequence[str] | None = None, impact: Literal["high", "medium", "low"] | None = None, q: str | None = None, next_hours: int | None = None, prev_hours: int | None = None, source: Literal["primary", "secondary"] | None = None, include: Sequence[Literal["numeric", "revised", "certainty", "history"]] | None = None, offset: int | None = None, limit: int | None = None, at: Time | None = None) -> Answer["CalendarData"]:
        """Economic events of a window of time, with forecast, previous and released figures."""
        return await self._call("GET", "/v1/calendar", {"from": from_, "to": to, "currencies": currencies, "country": country, "impact": impact, "q": q, "next_hours": next_hours, "prev_hours": prev_hours, "source": source, "include": include, "offset": offset, "limit": limit, "at": at})

    async def calendar_window(self, *, symbol: str | None = None, currencies: Sequence[str] | None = None, before: int | None = None, after: int | None = None, impact: Sequence[Literal["high", "medium", "low"]] | None = None, at: Time | None = None) -> Answer["CalendarWindowData"]:
        """Whether a release of a symbol's currencies is near: the window around it, and the next one."""
        return await self._call("GET", "/v1/calendar/window", {"symbol": symbol, "currencies": currencies, "before": before, "after": after, "impact": impact, "at": at})

    async def alerts(self) -> Answer["AlertsData"]:
        """The alerts of the account, newest first."""
        return await self._call("GET", "/v1/alerts", {})

    async def create_alert(self, condition: "NewAlertCondition", *, name: str | None = None, cooldown_seconds: Union[int, None] | None = None, active: bool | None = None, webhook_id: Union[str, None] | None = None, mail: bool | None = None, push: bool | None = None) -> Answer["Alert"]:
        """Creates an alert."""
        return await self._call("POST", "/v1/alerts", {}, {"condition": condition, "name": name, "cooldown_seconds": cooldown_seconds, "active": active, "webhook_id": webhook_id, "mail": mail, "push": push})

    async def alert(self, alert: str) -> Answer["AlertWithLog"]:
        """One alert, with its log: when it fired, and what became of its messages."""
        return await self._call("GET", "/v1/alerts/{alert}".replace("{alert}", _quote(alert, safe="")), {})

    async def change_alert(self, alert: str, *, name: str | None = None, condition: Union["NewAlertCondition", None] = None, cooldown_seconds: Union[int, None] | None = None, active: bool | None = None, webhook_id: Union[str, None] | None = None, mail: bool | None = None, push: bool | None = None) -> Answer["Alert"]:
        """Changes the given settings of an alert."""
        return await self._call("PATCH", "/v1/alerts/{alert}".replace("{alert}", _quote(alert, safe="")), {}, {"name": name, "condition": condition, "cooldown_seconds": cooldown_seconds, "active": active, "webhook_id": webhook_id, "mail": mail, "push": push})

    async def delete_alert(self, alert: str) -> Answer["DeleteAlertData"]:
        """Deletes an alert, with its log and its messages that are not sent yet."""
        return await self._call("DELETE", "/v1/alerts/{alert}".replace("{alert}", _quote(alert, safe="")), {})

    async def webhooks(self) -> Answer["WebhooksData"]:
        """The webhooks of the account, without their secrets."""
        return await self._call("GET", "/v1/webhooks", {})

    async def create_webhook(self, name: str, *, kind: Literal["signed", "telegram", "discord", "slack"] | None = None, url: str | None = None, token: str | None = None, chat: str | None = None) -> Answer["NewWebhook"]:
        """Creates a webhook, and shows its secret once."""
        return await self._call("POST", "/v1/webhooks", {}, {"name": name, "kind": kind, "url": url, "token": token, "chat": chat})

    async def test_webhook(self, webhook: str) -> Answer["TestWebhookData"]:
        """Sends a test message to a webhook, at most five a minute for an account."""
        return await self._call("POST", "/v1/webhooks/{webhook}".replace("{webhook}", _quote(webhook, safe="")), {})

    async def delete_webhook(self, webhook: str) -> Answer["DeleteWebhookData"]:
        """Deletes a webhook. Its alerts stay, and its messages that are not sent yet are not sent."""
        return await self._call("DELETE", "/v1/webhooks/{webhook}".replace("{webhook}", _quote(webhook, safe="")), {})

    async def account(self) -> Answer["Account"]:
        """The account of this key: its plan, what has been used of today's quota, and what the key itself may do."""
        return await self._call("GET", "/v1/monitor/account", {})

    async def layout(self) -> Answer["LayoutData"]:
        """The layout that was saved with this key, or null."""
        return await self._call("GET", "/v1/monitor/layout", {})

    async def save_layout(self, layout: Sequence[Union[dict[str, Any], str]]) -> Answer["SaveLayoutData"]:
        """Saves a layout for this key, in place of the one before: at most 60 items of the program's own."""
        return await self._call("PUT", "/v1/monitor/layout", {}, {"layout": layout})

    async def calendar_feed(self, *, from_: str | None = None, to: str | None = None, currencies: Sequence[str] | None = None, country: Sequence[str] | None = None, impact: Literal["high", "medium", "low"] | None = None, q: str | None = None, next_hours: int | None = None, prev_hours: int | None = None, source: Literal["primary", "secondary"] | None = None) -> Answer[str]:
        """The economic calendar as a feed that calendar programs subscribe to (iCalendar, RFC 5545)."""
        return await self._call("GET", "/v1/calendar.ics", {"from": from_, "to": to, "currencies": currencies, "country": country, "impact": impact, "q": q, "next_hours": next_hours, "prev_hours": prev_hours, "source": source})

    async def calendar_subscription(self, *, from_: str | None = None, to: str | None = None, currencies: Sequence[str] | None = None, country: Sequence[str] | None = None, impact: Literal["high", "medium", "low"] | None = None, q: str | None = None, next_hours: int | None = None, prev_hours: int | None = None, source: Literal["primary", "secondary"] | None = None) -> Answer["CalendarSubscriptionData"]:
        """The address at which calendar programs subscribe to the economic calendar, with the filters of the request."""
        return await self._call("GET", "/v1/calendar/subscription", {"from": from_, "to": to, "currencies": currencies, "country": country, "impact": impact, "q": q, "next_hours": next_hours, "prev_hours": prev_hours, "source": source})

    async def openapi(self) -> Answer["OpenapiData"]:
        """This description of the API, in OpenAPI 3.1."""
        return await self._call("GET", "/v1/openapi.json", {})

    async def health(self) -> Answer["Health"]:
        """How the parts of the service are. Answers 200 while the process can answer at all."""
        return await self._call("GET", "/health", {})

    async def ready(self) -> Answer["Health"]:
        """Whether the service can do its work: 503 while a part of it is down, 200 otherwise."""
        return await self._call("GET", "/ready", {})
