import { type TradingHours, WEEKDAYS } from "@/lib/market/instrument";

type Interval = TradingHours["days"]["monday"][number];

/** In New York the trading day turns at this hour, which divides a day without a break. */
const TURN = "17:00";
/** Monday to Friday, which UDF assumes where no days are given; 1 is Sunday. */
const WORKING_DAYS = "23456";

/**
 * Writes trading hours as a session of UDF: "0930-1600", or "1700-1700" for a trading day that begins the evening
 * before. Days that differ follow a colon, 1 for Sunday. A market that never closes is "24x7".
 */
export function formatSession({ days }: TradingHours): string {
  const parts = WEEKDAYS.map((day) => days[day].flatMap(divide));
  if (parts.every((day) => day.length === 2 && day[0]?.to === TURN && day[1]?.to === "24:00")) return "24x7";
  const daysBySession = new Map<string, string>();
  parts.forEach((intervals, day) => {
    const before = parts.at(day - 1)?.at(-1);
    const after = parts[(day + 1) % parts.length]?.[0];
    const spans = intervals.flatMap(({ from, to }) => {
      // What goes on past midnight belongs to the day on which it ends.
      if (to === "24:00" && after?.from === "00:00") return [];
      const start = from === "00:00" && before?.to === "24:00" ? before.from : from;
      return [`${start.replace(":", "")}-${to.replace(":", "")}`];
    });
    const session = spans.join(",");
    if (session !== "") daysBySession.set(session, `${daysBySession.get(session) ?? ""}${day + 1}`);
  });
  return [...daysBySession]
    .map(([session, digits]) => (digits === WORKING_DAYS ? session : `${session}:${digits}`))
    .join("|");
}

function divide({ from, to }: Interval): Interval[] {
  if (from !== "00:00" || to !== "24:00") return [{ from, to }];
  return [
    { from, to: TURN },
    { from: TURN, to },
  ];
}

/** The name of a zone as charts know it. */
export function formatZone({ zone }: TradingHours): string {
  return zone === "UTC" ? "Etc/UTC" : zone;
}
