#!/usr/bin/env python3
"""Checks Spotline's history and figures with arithmetic of its own. Needs Python 3.9 and nothing else.

    tools/verify.py --folder history
    SPOTLINE_API_KEY=sl_live_… tools/verify.py --server http://127.0.0.1:3000 --symbol EURUSD --hours 24

A folder is one that `spotline export ticks|bars|spreads|proofs --format csv` has written. It is checked in itself: hashes
of hours and their chains, bars and spreads of the same ticks. With a server too, its proofs are used if the folder has
none. A server alone is asked for ticks, bars, spreads and proofs of its last hours, and for indicators and the currency
strength, which are computed from its bars. Every difference is a line; the exit code is 1 if there is one.
"""

import argparse
import csv
import glob
import hashlib
import io
import json
import math
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections import defaultdict
from datetime import datetime, timezone
from decimal import Decimal

HOUR, DAY = 3600, 86400
TIMEFRAMES = {"M1": 60, "M5": 300, "M15": 900, "M30": 1800, "H1": 3600}


class Report:
    """Counts what was compared, and prints what differs."""

    def __init__(self, most):
        self.most, self.found, self.counts, self.skipped = most, 0, defaultdict(int), []

    def check(self, what, is_right, where, message=""):
        self.counts[what] += 1
        if is_right:
            return True
        self.found += 1
        if self.found <= self.most:
            print(f"DIFFERENT  {what}  {where}  {message}".rstrip())
        return False

    def skip(self, what):
        self.skipped.append(what)

    def finish(self):
        if self.found > self.most:
            print(f"and {self.found - self.most} more")
        compared = ", ".join(f"{count} {what}" for what, count in sorted(self.counts.items()))
        print(f"Compared: {compared or 'nothing'}. Differences: {self.found}.")
        for what in self.skipped:
            print(f"Not compared: {what}")
        return 1 if self.found > 0 or not self.counts else 0


def parse_time(text):
    """Unix seconds of an ISO 8601 time."""
    return int(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def format_time(seconds, form="%Y-%m-%dT%H:%M:%SZ"):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime(form)


def plain(price):
    """A price as a plain decimal without zeros at its end."""
    return f"{Decimal(price).normalize():f}"


# The hashes of hours and their chain; docs/operating.md describes them.

def hash_hour(symbol, hour, ticks):
    """The hash of an hour. Its ticks are (second of Unix time, bid, ask), with prices as texts."""
    lines = [f"{symbol} {format_time(hour, '%Y-%m-%dT%H')}\n"]
    lines += [f"{second - hour} {plain(bid)} {plain(ask)}\n" for second, bid, ask in ticks]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def hash_link(previous, symbol, row):
    hour = format_time(parse_time(row["time"]), "%Y-%m-%dT%H")
    head = f"{row['seq']} {symbol} {hour} {row['ticks']} {row['content']} {parse_time(row['written'])}"
    text = f"{previous}\n{head}\n{row['cause']}\n{row['origins']}\n"
    return hashlib.sha256(text.encode()).hexdigest()


def check_proofs(report, symbol, proofs, ticks, covers):
    """Compares hours of ticks with their newest hashes, and every link with the one before it."""
    hours = defaultdict(list)
    for tick in ticks:
        hours[tick[0] // HOUR * HOUR].append(tick)
    days, newest = defaultdict(list), {}
    for row in proofs:
        days[parse_time(row["time"]) // DAY].append(row)
    for day, rows in sorted(days.items()):
        previous = "0" * 64
        for number, row in enumerate(sorted(rows, key=lambda each: int(each["seq"])), 1):
            where = f"{symbol} {format_time(day * DAY, '%Y-%m-%d')} link {row['seq']}"
            if number == 1 and int(row["seq"]) > 1:
                previous = None  # Retention has removed the links before it.
            elif previous is not None and int(row["seq"]) != number:
                report.check("links", False, where, f"link {number} is missing")
                break
            if previous is not None:
                report.check("links", hash_link(previous, symbol, row) == row["link"], where, "it does not fit the one before")
            previous = row["link"]
            newest[parse_time(row["time"])] = row
    for hour, row in sorted(newest.items()):
        if not covers(hour):
            continue
        found = hours.pop(hour, [])
        if not found and int(row["ticks"]) > 0 and not ticks:
            continue
        where = f"{symbol} {format_time(hour, '%Y-%m-%dT%H')}"
        message = f"{len(found)} seconds, and {row['ticks']} when it was written by {row['cause']}"
        report.check("hours", hash_hour(symbol, hour, found) == row["content"], where, message)
    last = max(newest, default=0)
    for hour in sorted(hours):
        if hour < last and covers(hour) and hour // DAY in days:
            report.check("hours", False, f"{symbol} {format_time(hour, '%Y-%m-%dT%H')}", "it has no hash")


# Bars and spreads of ticks.

def group(rows, length):
    groups = defaultdict(list)
    for row in rows:
        groups[row[0] // length * length].append(row)
    return groups


def check_minutes(report, symbol, bars, ticks):
    """Compares M1 bars with ticks. A second has its last price only, so others of it may lie beyond in the bar."""
    minutes = group(ticks, 60)
    for time, opened, high, low, close, volume in bars:
        rows = minutes.get(time)
        if not rows:
            continue  # Imported as a bar.
        bids = [Decimal(bid) for _, bid, _ in rows]
        where = f"{symbol} M1 {format_time(time)}"
        is_within = high >= max(bids) and low <= min(bids) and close == bids[-1] and low <= opened <= high
        is_equal = opened == bids[0] and high == max(bids) and low == min(bids)
        report.check("bars", is_within and volume >= len(bids) and (is_equal or volume > len(bids)), where,
                     f"{opened} {high} {low} {close} of {volume}; its {len(bids)} seconds have "
                     f"{bids[0]} {max(bids)} {min(bids)} {bids[-1]}")


def check_joined(report, symbol, timeframe, bars, minutes):
    """Compares longer bars with the M1 bars in them, where there are any."""
    length = TIMEFRAMES[timeframe]
    groups, first = group(minutes, length), min((row[0] for row in minutes), default=math.inf)
    for time, *bar in bars:
        rows = groups.get(time)
        if not rows or time < first:
            continue
        joined = [rows[0][1], max(row[2] for row in rows), min(row[3] for row in rows), rows[-1][4],
                  sum(row[5] for row in rows)]
        report.check("bars", joined == bar, f"{symbol} {timeframe} {format_time(time)}", f"{bar}, of minutes {joined}")


def check_spreads(report, symbol, rows, ticks):
    """Compares the served spreads of each minute with those of its seconds."""
    minutes = group(ticks, 60)
    for row in rows:
        time = parse_time(row["time"])
        if row["source"] or not minutes.get(time):
            continue
        spreads = [Decimal(ask) - Decimal(bid) for _, bid, ask in minutes[time]]
        mean = sum(spreads) / len(spreads)
        deviation = math.sqrt(sum((each - mean) ** 2 for each in spreads) / len(spreads))
        own = [len(spreads), min(spreads), max(spreads), mean, deviation]
        given = [row[name] for name in ("samples", "min", "max", "mean", "deviation")]
        near = all(math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=1e-11) for a, b in zip(own, given))
        report.check("spreads", near, f"{symbol} {format_time(time)}", f"{given}, of seconds {[float(each) for each in own]}")


# The twelve indicators of the specification. Bars are lists of floats, oldest first; the value is that of the last bar.

def mean(values):
    return sum(values) / len(values)


def ema(values, n):
    k, result = 2 / (n + 1), [values[0]]
    for value in values[1:]:
        result.append(result[-1] + k * (value - result[-1]))
    return result


def rsi(_h, _l, c, n=14):
    moves = [b - a for a, b in zip(c, c[1:])]
    up, down = mean([max(x, 0) for x in moves[:n]]), mean([max(-x, 0) for x in moves[:n]])
    for x in moves[n:]:
        up, down = (up * (n - 1) + max(x, 0)) / n, (down * (n - 1) + max(-x, 0)) / n
    if down == 0:
        return 50 if up == 0 else 100
    return 100 - 100 / (1 + up / down)


def williams(h, l, c, n=14):
    value = 0
    for i in range(n - 1, len(c)):
        top, bottom = max(h[i - n + 1:i + 1]), min(l[i - n + 1:i + 1])
        value = value if top == bottom else -100 * (top - c[i]) / (top - bottom)
    return value


def parabolic(h, l, _c):
    is_long, sar, extreme, factor, reversed_at = False, max(h[0], h[1]), l[1], 0.02, 0
    for i in range(1, len(h)):
        if (sar > l[i]) if is_long else (sar < h[i]):
            is_long = not is_long
            span = slice(reversed_at, i + 1)
            sar = min(l[span]) if is_long else max(h[span])
            extreme, factor, reversed_at = (h[i] if is_long else l[i]), 0.02, i
        elif (h[i] > extreme) if is_long else (l[i] < extreme):
            extreme, factor = (h[i] if is_long else l[i]), min(factor + 0.02, 0.2)
        value, sar = sar, sar + factor * (extreme - sar)
        sar = min(sar, l[i], l[i - 1]) if is_long else max(sar, h[i], h[i - 1])
    return value


def cci(h, l, c, n=14):
    typical = [(a + b + d) / 3 for a, b, d in zip(h[-n:], l[-n:], c[-n:])]
    middle = mean(typical)
    spread = mean([abs(each - middle) for each in typical])
    return 0 if spread <= 1e-12 * abs(middle) else (typical[-1] - middle) / (0.015 * spread)


def jaw(h, l, _c):
    medians = [(a + b) / 2 for a, b in zip(h, l)][:-8]
    value = mean(medians[:13])
    for each in medians[13:]:
        value = (value * 12 + each) / 13
    return value


def stochastic(h, l, c):
    parts = [(c[i] - min(l[i - 4:i + 1]), max(h[i - 4:i + 1]) - min(l[i - 4:i + 1])) for i in range(len(c) - 3, len(c))]
    below = sum(b for _, b in parts)
    return 100 if below == 0 else 100 * sum(a for a, _ in parts) / below


def deviation_20(_h, _l, c):
    middle = mean(c[-20:])
    value = math.sqrt(mean([(each - middle) ** 2 for each in c[-20:]]))
    return 0 if value < 1e-12 * abs(middle) else value


def demarker(h, l, _c, n=14):
    up = sum(max(h[i] - h[i - 1], 0) for i in range(len(h) - n, len(h)))
    down = sum(max(l[i - 1] - l[i], 0) for i in range(len(l) - n, len(l)))
    return 0 if up + down == 0 else up / (up + down)


def tema(_h, _l, c, n=20):
    one = ema(c, n)
    two = ema(one[n - 1:], n)
    three = ema(two[n - 1:], n)
    return 3 * one[-1] - 3 * two[-1] + three[-1]


# Name: the function, and the decimals of the answer; None for prices, which have two more than the symbol.
INDICATORS = {
    "RSI_14": (rsi, 4), "Williams_R_14": (williams, 4), "Parabolic_SAR": (parabolic, None), "CCI_14": (cci, 4),
    "Alligator_jaw": (jaw, None), "Stochastic_K": (stochastic, 4), "Momentum_14": (lambda _h, _l, c: 100 * c[-1] / c[-15], 4),
    "SMA_20": (lambda _h, _l, c: mean(c[-20:]), None), "StdDev_20": (deviation_20, None), "DeMarker_14": (demarker, 4),
    "EMA_20": (lambda _h, _l, c: ema(c, 20)[-1], None), "TEMA_20": (tema, None),
}
# With so many bars, what recursive indicators remember of earlier ones is less than their last digit.
MANY_BARS = 300


def check_indicators(report, server, symbol, timeframe, bars, digits):
    if len(bars) < MANY_BARS:
        return report.skip(f"indicators of {symbol} {timeframe}: {len(bars)} bars are stored, and {MANY_BARS} are needed")
    for name, (compute, decimals) in INDICATORS.items():
        reading = server.get("/v1/indicator", symbol=symbol, indicator=name, timeframe=timeframe)
        reading = reading.get("data", reading)
        at = parse_time(reading["timestamp"] if "timestamp" in reading else reading["bar_time"])
        used = [bar for bar in bars if bar[0] <= at]
        if not used or used[-1][0] != at:
            report.skip(f"{name} of {symbol} {timeframe}: its bar is newer than those that were read")
            continue
        value = compute(*[[float(bar[column]) for bar in used] for column in (2, 3, 4)])
        step = 10.0 ** -(digits + 2 if decimals is None else decimals)
        report.check("indicators", abs(value - float(reading["value"])) <= 1.01 * step,
                     f"{symbol} {timeframe} {name} {format_time(at)}", f"{reading['value']}, computed {value}")


# The strength of the eight major currencies.

# The currency of a usual pair that comes first is its base.
MARKET_ORDER = ["EUR", "GBP", "AUD", "NZD", "USD", "CAD", "CHF", "JPY"]
CURRENCIES = ["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"]
WINDOW, PAST = 12, 120


def check_strength(report, server, timeframe="H1"):
    rows = server.get("/v1/symbols", category="forex", limit=500)["data"]["symbols"]
    # Of each two currencies one symbol counts: an operator may have added another, or the inverse pair.
    pairs = {(base, quote): base + quote for at, base in enumerate(MARKET_ORDER) for quote in MARKET_ORDER[at + 1:]
             if any(row["symbol"] == base + quote for row in rows)}
    try:
        heatmap = server.get("/v1/heatmap", timeframe=timeframe)["data"]
    except urllib.error.HTTPError as error:
        if error.code != 404:
            raise
        return report.skip("strength: too few bars are stored for it")
    end = parse_time(heatmap["timestamp"]) - TIMEFRAMES[timeframe]
    closes = {pair: {bar[0]: float(bar[4]) for bar in server.bars(symbol, timeframe, 1000)} for pair, symbol in pairs.items()}
    times = sorted(set.intersection(*[set(each) for each in closes.values()])) if closes else []
    times = [time for time in times if time <= end]
    if len(pairs) < 28 or len(times) < PAST + 2 * WINDOW + 5 or times[-1] != end:
        return report.skip(f"strength: {len(pairs)} pairs have {len(times)} bars of {timeframe} in common")
    if any(len([t for t in each if times[0] <= t <= end]) != len(times) for each in closes.values()):
        return report.skip("strength: the pairs have bars at different times")

    def raw(i):
        moves = {pair: math.log(bars[times[i]] / bars[times[i - WINDOW]]) for pair, bars in closes.items()}
        return {c: mean([move if c == base else -move for (base, quote), move in moves.items() if c in (base, quote)])
                for c in CURRENCIES}

    def strength(i):
        past = [value for j in range(i - WINDOW - PAST + 1, i - WINDOW + 1) for value in raw(j).values()]
        sigma = math.sqrt(mean([value * value for value in past]))
        return {c: 5 + 5 * math.tanh(value / (2 * sigma)) for c, value in raw(i).items()}

    now, before = strength(len(times) - 1), strength(len(times) - 2)
    for currency, given in heatmap["currencies"].items():
        own, change = now[currency], now[currency] - before[currency]
        near = abs(own - float(given["strength"])) <= 0.0051 and abs(change - float(given["change"])) <= 0.0101
        report.check("strengths", near, f"{currency} {timeframe}",
                     f"{given['strength']} ({given['change']}), computed {own:.4f} ({change:.4f})")


# Where rows come from.

def to_bar(row):
    return (parse_time(row["time"]), *[Decimal(str(row[name])) for name in ("open", "high", "low", "close")], int(row["volume"]))


def to_tick(row):
    return (parse_time(row["time"]), row["bid"], row["ask"])


class Server:
    def __init__(self, url, key):
        self.url, self.key = url.rstrip("/"), key

    def text(self, path, **query):
        request = urllib.request.Request(f"{self.url}{path}?{urllib.parse.urlencode(query)}", headers={"X-API-Key": self.key})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    def get(self, path, **query):
        return json.loads(self.text(path, **query), parse_float=str)

    def export(self, what, symbol, start, end, step, **more):
        for time in range(start, end, step):
            until = min(time + step, end)
            text = self.text("/v1/export", what=what, symbol=symbol, **{"from": format_time(time), "to": format_time(until)}, **more)
            yield from csv.DictReader(io.StringIO(text, newline=""))

    def bars(self, symbol, timeframe, limit):
        now = format_time(int(datetime.now(timezone.utc).timestamp()))
        candles = self.get("/v1/ohlc", symbol=symbol, timeframe=timeframe, limit=limit)["data"]["candles"]
        closed = [to_bar(candle) for candle in candles]
        return [bar for bar in closed if format_time(bar[0] + TIMEFRAMES[timeframe]) <= now]


def check_server(report, server, symbols, hours):
    end = int(datetime.now(timezone.utc).timestamp() - 120) // HOUR * HOUR
    start = end - hours * HOUR
    for symbol in symbols:
        digits = server.get(f"/v1/symbols/{symbol}")["data"]["digits"]
        ticks = [to_tick(row) for row in server.export("ticks", symbol, start, end, DAY)]
        proofs = list(server.export("proofs", symbol, start // DAY * DAY, end, 7 * DAY))
        check_proofs(report, symbol, proofs, ticks, lambda hour: start <= hour < end)
        minutes = [to_bar(row) for row in server.export("bars", symbol, start, end, 7 * DAY, timeframe="M1")]
        check_minutes(report, symbol, minutes, ticks)
        for timeframe in ("M5", "M15", "M30", "H1"):
            bars = [to_bar(row) for row in server.export("bars", symbol, start, end, 7 * DAY, timeframe=timeframe)]
            check_joined(report, symbol, timeframe, bars, minutes)
        check_spreads(report, symbol, server.export("spreads", symbol, start, end, 7 * DAY), ticks)
        check_indicators(report, server, symbol, "H1", server.bars(symbol, "H1", 1000), int(digits))
    check_strength(report, server)


def read_folder(folder, what, symbol):
    for file in sorted(glob.glob(f"{folder}/{what}/symbol={glob.escape(symbol)}/**/*.csv", recursive=True)):
        with open(file, newline="", encoding="utf-8") as lines:
            yield from csv.DictReader(lines)


def read_coverage(folder):
    """The time that each symbol's files of ticks have, by the manifest; without one all of it."""
    coverage = defaultdict(list)
    try:
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            for each in json.load(file)["files"]:
                if each["what"] == "ticks":
                    coverage[each["symbol"]].append((parse_time(each["from"]), parse_time(each["to"])))
    except FileNotFoundError:
        pass
    return coverage


def check_folder(report, folder, named, server):
    found = {path.split("symbol=")[-1] for path in glob.glob(f"{folder}/ticks/symbol=*")}
    if not found:
        report.skip(f"{folder}: it has no ticks as CSV; export them with --format csv")
    coverage = read_coverage(folder)
    for symbol in sorted(found & set(named) if named else found):
        ticks = [to_tick(row) for row in read_folder(folder, "ticks", symbol)]
        spans = coverage.get(symbol, [(-math.inf, math.inf)])
        proofs = list(read_folder(folder, "proofs", symbol))
        if not proofs and server and ticks:
            proofs = list(server.export("proofs", symbol, ticks[0][0] // DAY * DAY, ticks[-1][0] // HOUR * HOUR + HOUR, 7 * DAY))
        if not proofs:
            report.skip(f"hashes of {symbol}: export proofs too, or name a server")
        check_proofs(report, symbol, proofs, ticks, lambda hour: any(a <= hour and hour + HOUR <= b for a, b in spans))
        minutes = [to_bar(row) for row in read_folder(f"{folder}/bars", "timeframe=M1", symbol)]
        check_minutes(report, symbol, minutes, ticks)
        for timeframe in ("M5", "M15", "M30", "H1"):
            bars = [to_bar(row) for row in read_folder(f"{folder}/bars", f"timeframe={timeframe}", symbol)]
            check_joined(report, symbol, timeframe, bars, minutes)
        check_spreads(report, symbol, read_folder(folder, "spreads", symbol), ticks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", help="a folder of spotline export, as CSV")
    parser.add_argument("--server", help="the address of a server; the key is in SPOTLINE_API_KEY")
    parser.add_argument("--symbol", action="append", default=[], help="only this symbol; may be repeated")
    parser.add_argument("--hours", type=int, default=24, help="how many closed hours of a server are compared")
    parser.add_argument("--most", type=int, default=50, help="how many differences are printed")
    options = parser.parse_args()
    key = os.environ.get("SPOTLINE_API_KEY", "")
    if not options.folder and not options.server:
        parser.error("name a --folder, a --server, or both")
    if options.server and not key:
        parser.error("SPOTLINE_API_KEY is not set")
    report = Report(options.most)
    server = Server(options.server, key) if options.server else None
    try:
        if options.folder:
            check_folder(report, options.folder, options.symbol, server)
        else:
            check_server(report, server, options.symbol or ["EURUSD"], options.hours)
    except urllib.error.HTTPError as error:
        print(f"The server answers {error.code}: {error.read().decode()[:500]}", file=sys.stderr)
        return 2
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
