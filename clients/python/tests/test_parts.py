"""Tests without a server."""

import json
import unittest
from datetime import datetime, timezone

from spotline import ApiError, ConnectionFailed, RateLimitError, ReplayFailed, RetryPolicy
from spotline.errors import read_api_error, read_retry_after
from spotline.pages import follow_hours, follow_offset, follow_time
from spotline.retry import compute_delay
from spotline.state import EventParser, PriceState, ReplayCheck


def refuse(status, headers=None, **fields):
    text = json.dumps({"success": False, "error": {"code": "X", "message": "m", **fields}})
    return read_api_error(status, headers or {}, text)


class Retries(unittest.TestCase):
    def test_waits_as_long_as_the_server_says_or_doubles_its_wait(self):
        policy = RetryPolicy()
        self.assertEqual(compute_delay(refuse(429, {"retry-after": "3"}), 0, policy, 0), 3)
        self.assertEqual(compute_delay(refuse(429, reset_in_seconds=12), 0, policy, 0), 12)
        waits = [compute_delay(ConnectionFailed("lost"), retry, policy, 1) for retry in (0, 1, 2, 2000)]
        self.assertEqual(waits, [0.25, 0.5, 1, 8])

    def test_does_not_repeat_what_will_not_change(self):
        for failure in (refuse(404), refuse(429, {"retry-after": "40000"}), ValueError("x")):
            self.assertIsNone(compute_delay(failure, 0, RetryPolicy(), 0.5))

    def test_reads_retry_after_as_seconds_and_as_a_date(self):
        now = datetime(2026, 1, 5, 12, tzinfo=timezone.utc)
        self.assertEqual(read_retry_after("17", now), 17)
        self.assertEqual(read_retry_after("Mon, 05 Jan 2026 12:00:30 GMT", now), 30)
        self.assertIsNone(read_retry_after("soon", now))


class Errors(unittest.TestCase):
    def test_reads_every_format(self):
        error = refuse(404, {"x-request-id": "5f"}, suggestions=["EURUSD"])
        self.assertEqual((error.code, error.status, error.request_id), ("X", 404, "5f"))
        self.assertEqual(error.fields, {"suggestions": ["EURUSD"]})
        flat = read_api_error(429, {}, '{"error":"Rate Limited","message":"m","code":429,"retry_after":9}')
        self.assertIsInstance(flat, RateLimitError)
        self.assertEqual((flat.message, flat.retry_after), ("m", 9))
        self.assertEqual(read_api_error(502, {}, "<html>").code, "UNKNOWN")
        self.assertIsInstance(flat, ApiError)


class Pages(unittest.TestCase):
    rows = [{"time": f"2026-01-05T00:0{minute}:00Z"} for minute in range(7)]

    def collect(self, pages, answer):
        all_rows = []
        query = next(pages, None)
        while query is not None:
            data = answer(query)
            all_rows += data["rows"]
            try:
                query = pages.send(data)
            except StopIteration:
                query = None
        return all_rows

    def test_rows_by_time_come_once_each(self):
        for limit in (1, 2, 3, 7, 8):
            for names_next in (False, True):

                def answer(query):
                    start = datetime.fromisoformat(query["from"])
                    found = [row for row in self.rows if datetime.fromisoformat(row["time"]) >= start]
                    following = found[limit]["time"] if len(found) > limit else None
                    return {"rows": found[:limit], **({"next_from": following} if names_next else {})}

                pages = follow_time("2026-01-05T00:00:00Z", None, limit, "rows")
                self.assertEqual(self.collect(pages, answer), self.rows, (limit, names_next))

    def test_a_page_that_does_not_lead_on_is_the_last(self):
        pages = follow_time("2026-01-05T00:00:00Z", None, 1, "rows")
        same = {"rows": self.rows[:1], "next_from": self.rows[0]["time"]}
        self.assertEqual(len(self.collect(pages, lambda _: same)), 1)

    def test_lists_and_hours(self):
        asked = []

        def answer(query):
            asked.append(query["offset"])
            return {"rows": [], "pagination": {"has_more": query["offset"] < 1000}}

        self.collect(follow_offset(), answer)
        self.assertEqual(asked, [0, 500, 1000])
        hours = []
        self.collect(follow_hours("2026-01-05T09:30:00Z", "2026-01-05T10:10:00Z"), lambda query: hours.append(query) or {"rows": []})
        self.assertEqual([hour["from"][11:16] for hour in hours], ["09:30", "10:00"])
        self.assertEqual([hour["to"][11:16] for hour in hours], ["10:00", "10:10"])


class Streams(unittest.TestCase):
    def test_applies_what_is_sent_together_at_once_in_any_pieces(self):
        text = (
            'retry: 5\n\nid: a-1\nevent: snapshot\ndata: {"quotes":[{"symbol":"EURUSD","bid":1}],"states":[]}\n\n'
            'event: quote\ndata: {"symbol":"EURUSD","bid":2}\n\n'
            'id: a-2\nevent: state\ndata: {"symbol":"EURUSD","state":"none","data_mode":null}\n\n'
            'event: quote\ndata: {"symbol":"EURUSD","bid":9}\n\n'
        )
        for size in (1, 7, 1000):
            parser, state, updates = EventParser(), PriceState(), []
            for at in range(0, len(text), size):
                for event in parser.push(text[at : at + size]):
                    update = state.take(event)
                    if update is not None:
                        updates.append((update.type, [quote["bid"] for quote in update.quotes]))
            self.assertEqual(updates, [("snapshot", [1]), ("changes", [2])])
            self.assertEqual((state.position, state.quotes), ("a-2", {}))

    def test_has_sources_bars_and_releases(self):
        text = (
            'id: a-1\nevent: snapshot\ndata: {"quotes":[],"states":[]}\n\n'
            'event: quote\ndata: {"symbol":"EURUSD","source":"one","bid":1}\n\n'
            'event: bar\ndata: {"symbol":"EURUSD","close":2}\n\n'
            'id: a-2\nevent: release\ndata: {"id":"cpi","actual":"2.0"}\n\n'
        )
        state = PriceState(has_sources=True)
        updates = [update for event in EventParser().push(text) if (update := state.take(event)) is not None]
        self.assertEqual([(len(each.bars), len(each.releases)) for each in updates], [(0, 0), (1, 1)])
        self.assertEqual(list(state.quotes), ["EURUSD one"])

    def test_checks_that_a_replay_arrived_whole(self):
        past = (
            'id: past-1-a\nevent: snapshot\ndata: {"quotes":[{"symbol":"EURUSD","bid":1,"ask":1}],'
            '"states":[{"symbol":"EURUSD","state":"live","data_mode":"live"}]}\n\n'
            'id: past-2-a\nevent: quote\n'
            'data: {"symbol":"EURUSD","bid":2,"ask":2,"timestamp":"2026-01-05T00:00:00.000Z"}\n\n'
        )

        def read(**wrong):
            told = {"time": "2026-01-05T00:00:02+00:00", "changes": 1, "crc32": "b35a8725", **wrong}
            beat = "event: heartbeat\ndata: {}\n\n"
            text = f"retry: 1\n\nevent: replay\ndata: {{}}\n\n{past}{beat}event: done\ndata: {json.dumps(told)}\n\n"
            check = ReplayCheck()
            return [check.take(event) for event in EventParser().push(text)][-1]

        self.assertEqual(read().changes, 1)
        for wrong in ({"changes": 2}, {"crc32": "00000000"}):
            with self.assertRaises(ReplayFailed):
                read(**wrong)

    def test_has_gaps_and_skipped_changes(self):
        text = 'event: skipped\ndata: {"changes":3}\n\nid: a-1\nevent: gap\ndata: {"source":"one"}\n\n'
        state = PriceState()
        update = [state.take(event) for event in EventParser().push(text)][-1]
        self.assertEqual((update.skipped, update.gaps), (3, [{"source": "one"}]))


if __name__ == "__main__":
    unittest.main()
