import { expect, test } from "vitest";
import { findStatedZone, readStatedZone, readZoneLine, splitStatedZone } from "@/lib/time/stated-zone";

test.each([
  ["UTC", "UTC"],
  ["gmt", "UTC"],
  ["Z", "UTC"],
  ["GMT-3", "UTC-3"],
  ["(UTC+2)", "UTC+2"],
  ["UTC +05:30", "UTC+5:30"],
  ["GMT−0330", "UTC-3:30"],
  ["+0200", "UTC+2"],
  ["GMT+2 US-DST", "America/New_York+7"],
  ["GMT+2_(US DST)", "America/New_York+7"],
  ["GMT-5 US-DST", "America/New_York"],
  ["GMT+2 EU-DST", "Europe/London+2"],
  ["UTC+3 NO-DST", "UTC+3"],
  ["EET", "EET"],
  ["US/Eastern", "US/Eastern"],
  ["America/New_York+7", "America/New_York+7"],
  ["New York time", "America/New_York"],
  ["EST", "unclear"],
  ["local", "unclear"],
  ["server time", "unclear"],
  ["CST", "unclear"],
  ["UTC+25", "unclear"],
  ["price", null],
  ["ms", null],
  ["", null],
])("The text %j states the zone %s", (text, zone) => {
  expect(readStatedZone(text)).toBe(zone);
});

test.each([
  ["EURUSD_GMT+2_US-DST", "America/New_York+7"],
  ["EURUSD_UTC+3", "UTC+3"],
  ["EURUSD_M1_GMT-2024-01", "UTC"],
  ["EURUSD_GMT-01-2024", "unclear"],
  ["EURUSD_GMT_0_NO-DST", "UTC"],
  ["EURUSD EST", "unclear"],
  ["EURUSD_Europe-Athens", "Europe/Athens"],
  ["EURUSD_America_New_York", "America/New_York"],
  ["EURUSD_local_time", "unclear"],
  ["EURUSD_M1_202001020000_202012312359", null],
  ["eurusd-m1-bid-2008-01-01-2025-11-26", null],
  ["HISTDATA_COM_ASCII_EURUSD_M1202506", null],
])("The name %s states the zone %s", (name, zone) => {
  expect(findStatedZone(name)).toBe(zone);
});

test.each([
  ["Time GMT-3", "Time", "UTC-3"],
  ["Time (UTC+2)", "Time", "UTC+2"],
  ["time_est", "time", "unclear"],
  ["Local time", "time", "unclear"],
  ["local_time", "time", "unclear"],
  ["timeUTC", "time", "UTC"],
  ["EST Time", "Time", "unclear"],
  ["Time [America/New_York]", "Time", "America/New_York"],
  ["Date (New York)", "Date", "America/New_York"],
  ["time_msc", "time_msc", null],
  ["Open time", "Open time", null],
  ["Date Time", "Date Time", null],
])("The heading %s is %s in the zone %s", (heading, name, zone) => {
  expect(splitStatedZone(heading)).toEqual({ name, zone });
});

test.each([
  ["# timezone: Asia/Tokyo", "Asia/Tokyo"],
  ["Time zone;Europe/Athens", "Europe/Athens"],
  ["# All times are in EST.", "unclear"],
  ["TZ=GMT+2", "UTC+2"],
  ["// times are UTC", "UTC"],
  ["# GMT+3", "UTC+3"],
  ["# timezone: Middle-earth", "unclear"],
  ["# made 2024-01-31 12:00 GMT+3", null],
  ["# prices of a vendor", null],
  ["Symbol: X", null],
])("The line %j states the zone %s", (line, zone) => {
  expect(readZoneLine(line)).toBe(zone);
});
