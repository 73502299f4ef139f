import type { SessionName } from "@/lib/market/sessions/session-hours";

/**
 * Bank holidays of the four session cities that fall on a Monday to Friday, as local dates (month-day) by year. A
 * city's session is closed on them; the others are not affected. Years that are not listed have only the holidays of
 * the whole market (market-holidays.ts).
 *
 * 2026 and 2027 come from date-holidays 3.37.0 (https://github.com/commenthol/date-holidays), whose data is licensed CC
 * BY 3.0, without weekends and with these changes: New York follows the Federal Reserve, which does not move a
 * Saturday's holiday to Friday; Sydney's August bank holiday is left out, because only bank staff have it. 2025 and
 * 2028 follow from the same rules.
 */
export const CITY_HOLIDAYS: Readonly<Record<SessionName, Readonly<Record<number, string>>>> = {
  sydney: {
    2025: "01-01 01-27 04-18 04-21 04-25 06-09 10-06 12-25 12-26",
    2026: "01-01 01-26 04-03 04-06 04-27 06-08 10-05 12-25 12-28",
    2027: "01-01 01-26 03-26 03-29 04-26 06-14 10-04 12-27 12-28",
    2028: "01-03 01-26 04-14 04-17 04-25 06-12 10-02 12-25 12-26",
  },
  tokyo: {
    2025: "01-01 01-02 01-03 01-13 02-11 02-24 03-20 04-29 05-05 05-06 07-21 08-11 09-15 09-23 10-13 11-03 11-24 12-31",
    2026: "01-01 01-02 01-12 02-11 02-23 03-20 04-29 05-04 05-05 05-06 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23 12-31",
    2027: "01-01 01-11 02-11 02-23 03-22 04-29 05-03 05-04 05-05 07-19 08-11 09-20 09-23 10-11 11-03 11-23 12-31",
    2028: "01-03 01-10 02-11 02-23 03-20 05-03 05-04 05-05 07-17 08-11 09-18 09-22 10-09 11-03 11-23",
  },
  london: {
    2025: "01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26",
    2026: "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28",
    2027: "01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28",
    2028: "01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26",
  },
  new_york: {
    2025: "01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25",
    2026: "01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25",
    2027: "01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25",
    2028: "01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25",
  },
};
