import { expect, test } from "vitest";
import { compareWithForecast } from "@/lib/calendar/polarity";

test.each([
  ["Nonfarm Payrolls (Oct)", "115K", "120K", "beat"],
  ["Unemployment Rate", "4.1%", "4.2%", "miss"],
  ["Initial Jobless Claims", "225K", "219K", "beat"],
  ["CPI (MoM) (Oct)", "0.2%", "0.2%", "in line"],
  ["Trade Balance", "-375M", "-400M", "miss"],
  ["10-Year Note Auction", "4.1%", "4.2%", null],
  ["Participation Rate (Oct)", "62.5%", "62.6%", null],
  ["Something new", "1", "2", null],
  ["GDP (QoQ)", "", "0.2%", null],
  ["GDP (QoQ)", "0.1%", null, null],
])("%s, expected %s and released at %s, is a %s", (title, forecast, actual, outcome) => {
  expect(compareWithForecast(title, forecast, actual)).toBe(outcome);
});
