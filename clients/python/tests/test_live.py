"""Tests against a running server: SPOTLINE_URL and SPOTLINE_KEY name it and a key of the plan pro."""

import asyncio
import os
import tempfile
import unittest
from datetime import datetime, timedelta, timezone

from spotline import (
    ApiError,
    AsyncSpotline,
    ExportFailed,
    RetryPolicy,
    Spotline,
    download_export,
    to_frame,
)

URL = os.environ.get("SPOTLINE_URL", "")
KEY = os.environ.get("SPOTLINE_KEY", "")
NOW = datetime.now(timezone.utc).replace(minute=0, second=0, microsecond=0)


@unittest.skipIf(URL == "", "SPOTLINE_URL is not set")
class Live(unittest.TestCase):
    def test_calls(self):
        with Spotline(URL, KEY) as prices:
            answer = prices.quote("EUR/USD", include_sources=True)
            self.assertEqual(answer.data["symbol"], "EURUSD")
            self.assertEqual((answer.meta.data_mode, answer.meta.ignored), ("simulated", []))
            self.assertEqual(prices.quotes(["EURUSD", "NOPE1"]).data["not_found"], ["NOPE1"])
            self.assertEqual(prices.symbol("GOLD").data["symbol"], "XAUUSD")
            self.assertEqual(prices.save_layout([{"a": 1}]).data, {"saved": True})
            self.assertIn(prices.ready().data["status"], ("ok", "degraded"))
            self.assertTrue(prices.calendar_feed().data.startswith("BEGIN:VCALENDAR"))
            with self.assertRaises(ApiError) as caught:
                prices.quote("EURUSDD")
            self.assertEqual((caught.exception.code, caught.exception.status), ("SYMBOL_NOT_FOUND", 404))
            self.assertIn("EURUSD", caught.exception.fields["suggestions"])

    def test_pages(self):
        with Spotline(URL, KEY) as prices:
            bars = list(prices.bars("EURUSD", NOW - timedelta(days=3), NOW, timeframe="M1"))
            times = [bar["time"] for bar in bars]
            self.assertGreater(len(bars), 0)
            self.assertEqual(times, sorted(set(times)))
            last = prices.ohlc("EURUSD", timeframe="M1", to=NOW, limit=10).data["candles"]
            self.assertEqual(bars[-10:], last)
            ticks = list(prices.ticks_between("BTCUSD", NOW - timedelta(minutes=90), NOW))
            hour = prices.ticks("BTCUSD", NOW - timedelta(hours=1), NOW).data["ticks"]
            self.assertEqual(ticks[-len(hour) :], hour)
            self.assertEqual(len(list(prices.all_symbols())), prices.symbols().data["total"])
            self.assertGreater(len(list(prices.events(next_hours=100))), 0)

    def test_export(self):
        states = []
        day = {"from_": NOW - timedelta(days=1), "to": NOW}
        with tempfile.TemporaryDirectory() as folder, Spotline(URL, KEY) as prices:
            paths = download_export(
                prices,
                folder,
                what="bars",
                symbols=["EURUSD", "BTCUSD"],
                timeframe="M1",
                format="csv",
                on_progress=lambda job: states.append(job["state"]),
                **day,
            )
            self.assertEqual(states[-1], "done")
            listed = prices.exports(include="files").data["exports"][0]
            files = listed["files"]
            self.assertEqual([path.name for path in paths], [file["name"] for file in files])
            whole = [path.read_bytes() for path in paths]
            self.assertEqual([len(each) for each in whole], [file["bytes"] for file in files])
            part = paths[0].with_name(f"{paths[0].name}.{files[0]['sha256'][:12]}.part")
            paths[0].rename(part)
            part.write_bytes(whole[0][:100])
            again = download_export(prices, folder, export=listed["id"])
            self.assertEqual([path.read_bytes() for path in again], whole)
            self.assertFalse(part.exists())
            # A part with another beginning is found by its SHA-256, and removed.
            paths[0].unlink()
            part.write_bytes(bytes(100))
            with self.assertRaises(ExportFailed):
                download_export(prices, folder, export=listed["id"])
            self.assertFalse(part.exists())
            prices.delete_export(listed["id"])
            with self.assertRaises(TypeError):
                download_export(prices, folder)

    def test_frame(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        with Spotline(URL, KEY) as prices:
            frame = to_frame(prices.bars("EURUSD", NOW - timedelta(days=10), NOW))
            self.assertEqual(list(frame.columns), ["open", "high", "low", "close", "volume"])
            self.assertEqual(str(frame.index.tz), "UTC")

    def test_stream(self):
        with Spotline(URL, KEY) as prices:
            stream = prices.stream(["EURUSD", "GBPUSD"])
            types = []
            for update in stream:
                types.append(update.type)
                if len(types) == 3:
                    break
            self.assertEqual(types, ["snapshot", "changes", "changes"])
            self.assertEqual(sorted(stream.quotes), ["EURUSD", "GBPUSD"])
            with self.assertRaises(ApiError) as caught:
                next(iter(prices.stream(["NOPE1"])))
            self.assertEqual(caught.exception.code, "SYMBOL_NOT_FOUND")

    def test_async(self):
        async def run():
            async with AsyncSpotline(URL, KEY, retry=RetryPolicy(retries=1)) as prices:
                answers = await asyncio.gather(prices.quote("EURUSD"), prices.sessions(), prices.symbols())
                self.assertEqual(answers[0].data["symbol"], "EURUSD")
                bars = [bar async for bar in prices.bars("EURUSD", NOW - timedelta(days=10), NOW)]
                self.assertGreater(len(bars), 0)
                stream = prices.stream(["EURUSD"])
                async for update in stream:
                    self.assertEqual(update.type, "snapshot")
                    break
                with self.assertRaises(ApiError):
                    await prices.quote("NOPE1")

        asyncio.run(run())


if __name__ == "__main__":
    unittest.main()
