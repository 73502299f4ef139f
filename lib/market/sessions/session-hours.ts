/** The four trading sessions in the order of the day. */
export const SESSION_NAMES = ["sydney", "tokyo", "london", "new_york"] as const;
export type SessionName = (typeof SESSION_NAMES)[number];

/** Office hours of a session: minutes after its zone's midnight, Monday to Friday. */
export interface SessionHours {
  /** IANA name. */
  readonly zone: string;
  readonly opensAtMinute: number;
  /** Later than `opensAtMinute`: no session crosses its own midnight. */
  readonly closesAtMinute: number;
}

const hours = (zone: string, opensAtHour: number, closesAtHour: number): SessionHours => ({
  zone,
  opensAtMinute: opensAtHour * 60,
  closesAtMinute: closesAtHour * 60,
});

/**
 * Local office hours, so that each city's clock change moves its session. In northern winter they equal the usual UTC
 * hours (22–07, 00–09, 08–17, 13–22); Sydney needs 09–18 for that.
 */
export const USUAL_SESSION_HOURS: Readonly<Record<SessionName, SessionHours>> = {
  sydney: hours("Australia/Sydney", 9, 18),
  tokyo: hours("Asia/Tokyo", 9, 18),
  london: hours("Europe/London", 8, 17),
  new_york: hours("America/New_York", 8, 17),
};

/** The city that each session is named after. */
export const CITIES: Readonly<Record<SessionName, string>> = {
  sydney: "Sydney",
  tokyo: "Tokyo",
  london: "London",
  new_york: "New York",
};
