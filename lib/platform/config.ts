import { z } from "zod";
import {
  listMissingProviderSettings,
  providerEnvironment,
  readProviders,
} from "@/lib/platform/settings/provider-settings";
import { sessionHolidaysSetting, sessionHoursSetting } from "@/lib/platform/settings/session-settings";

/**
 * All settings, read once from the environment at start. `.env.example` describes each variable. All errors are
 * reported together, before anything is opened.
 */

const number = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, "must be a number")
    .default(String(fallback))
    .transform(Number)
    .pipe(z.number().min(min).max(max));
const whole = (fallback: number, min: number, max: number) => number(fallback, min, max).pipe(z.number().int());
const names = z.string().transform((text) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean),
);

const environment = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).default("development"),
  PORT: whole(3000, 0, 65_535),
  SPOTLINE_HOST: z.string().default("127.0.0.1"),
  SPOTLINE_URL: z.url({ protocol: /^https?$/ }).optional(),
  SPOTLINE_DATA_DIR: z.string().default("data"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres:// or postgresql://")
    .optional(),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, "must start with redis:// or rediss://")
    .optional(),
  SPOTLINE_REDIS_TIMEOUT_MS: whole(100, 5, 2_000),
  NEXTAUTH_SECRET: z.string().min(32).optional(),
  SPOTLINE_TRUSTED_PROXIES: whole(0, 0, 10),
  SPOTLINE_SIGN_UP: z.enum(["open", "invitation", "closed"]).default("open"),
  SPOTLINE_LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  SPOTLINE_KEEP_TICKS_DAYS: whole(90, 1, 36_500),
  SPOTLINE_KEEP_M1_DAYS: whole(90, 1, 36_500),
  SPOTLINE_KEEP_M5_DAYS: whole(365, 1, 36_500),
  // Statistics go back as far as 30 days.
  SPOTLINE_KEEP_SPREADS_DAYS: whole(90, 31, 36_500),
  SPOTLINE_FEED: z.enum(["simulated", "replay"]).default("simulated"),
  SPOTLINE_SOURCE_PRIORITY: names.default([]),
  SPOTLINE_SIMULATED_SEED: z.string().default("spotline"),
  SPOTLINE_SIMULATED_HOURS: z.enum(["always", "market"]).default("always"),
  SPOTLINE_CALENDAR: names
    .transform((list) => list.filter((name) => name !== "none"))
    .pipe(z.array(z.enum(["simulated", "forexfactory"], "must be none, or some of simulated, forexfactory")))
    .default(["simulated"]),
  SPOTLINE_FOREXFACTORY_URL: z
    .url({ protocol: /^https?$/ })
    .default("https://nfs.faireconomy.media/ff_calendar_thisweek.json"),
  ...providerEnvironment,
  SPOTLINE_INGEST_TOKEN: z.string().min(32).optional(),
  SPOTLINE_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SPOTLINE_MAIL_FROM: z
    .string()
    .regex(/^([^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/, "must be an address, or a name and an address in angle brackets")
    .optional(),
  SPOTLINE_REPLAY_DIR: z.string().optional(),
  SPOTLINE_REPLAY_ZONES: names
    .pipe(
      z.array(
        z.templateLiteral(
          [z.string().min(1), "=", z.string().min(1)],
          "must be source=zone pairs, separated by commas",
        ),
      ),
    )
    .transform((pairs) => Object.fromEntries(pairs.map((pair) => pair.split("=", 2) as [string, string])))
    .default({}),
  SPOTLINE_REPLAY_SPEED: number(1, 0.01, 100_000),
  SPOTLINE_REPLAY_TIME: z.enum(["now", "own"]).default("now"),
  SPOTLINE_REPLAY_FROM: z.iso.datetime({ offset: true }).transform(Date.parse).optional(),
  SPOTLINE_SESSION_HOURS: sessionHoursSetting.prefault(""),
  SPOTLINE_SESSION_HOLIDAYS: sessionHolidaysSetting.prefault(""),
});

export type Config = ReturnType<typeof loadConfig>;

/** Reads the environment. Throws an Error that names every invalid variable, and why. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>) {
  // A blank line of `.env` sets an empty variable, which counts as not set.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The configuration is not valid:\n${lines.join("\n")}`);
  }
  const value = parsed.data;
  const missing = listMissingProviderSettings(value);
  if (missing.length > 0) throw new Error(`The configuration is not valid:\n  ${missing.join("\n  ")}`);
  if (value.SPOTLINE_FEED === "replay" && value.SPOTLINE_REPLAY_DIR === undefined) {
    throw new Error("The configuration is not valid:\n  SPOTLINE_REPLAY_DIR: needed when SPOTLINE_FEED=replay");
  }
  const { SPOTLINE_SMTP_URL: smtpUrl, SPOTLINE_MAIL_FROM: from } = value;
  if (smtpUrl !== undefined && from === undefined) {
    throw new Error("The configuration is not valid:\n  SPOTLINE_MAIL_FROM: needed with SPOTLINE_SMTP_URL");
  }
  return {
    production: value.NODE_ENV === "production",
    port: value.PORT,
    host: value.SPOTLINE_HOST,
    /** The address of the dashboard in browsers; null follows the port. */
    url: value.SPOTLINE_URL ?? null,
    /** The same for links in answers: never null, and without a slash at its end. */
    publicUrl: (value.SPOTLINE_URL ?? `http://localhost:${value.PORT}`).replace(/\/+$/, ""),
    dataDir: value.SPOTLINE_DATA_DIR,
    databaseUrl: value.DATABASE_URL,
    /** The Redis in which several processes count limits together; null if each process counts alone. */
    redis: value.REDIS_URL === undefined ? null : { url: value.REDIS_URL, deadlineMs: value.SPOTLINE_REDIS_TIMEOUT_MS },
    sessionSecret: value.NEXTAUTH_SECRET,
    trustedProxies: value.SPOTLINE_TRUSTED_PROXIES,
    /** Who may create an account; see lib/access/accounts/sign-up.ts. */
    signUp: value.SPOTLINE_SIGN_UP,
    logLevel: value.SPOTLINE_LOG_LEVEL,
    /** For how many days records are retained; bars of an hour and longer are never removed. */
    keepDays: {
      ticks: value.SPOTLINE_KEEP_TICKS_DAYS,
      m1: value.SPOTLINE_KEEP_M1_DAYS,
      m5: value.SPOTLINE_KEEP_M5_DAYS,
      spreads: value.SPOTLINE_KEEP_SPREADS_DAYS,
    },
    feed: value.SPOTLINE_FEED,
    /** Source names, most trusted first; other sources follow in the feed's order. */
    sourcePriority: value.SPOTLINE_SOURCE_PRIORITY,
    /** The connectors of economic events, besides imported events. */
    calendar: { connectors: value.SPOTLINE_CALENDAR, forexFactoryUrl: value.SPOTLINE_FOREXFACTORY_URL },
    /** The sign-in providers besides passwords. */
    providers: readProviders(value),
    /** The token of requests that push data; null refuses them. */
    ingestToken: value.SPOTLINE_INGEST_TOKEN ?? null,
    /** Null sends no mail. */
    mail: smtpUrl === undefined || from === undefined ? null : { smtpUrl, from },
    simulated: { seed: value.SPOTLINE_SIMULATED_SEED, hours: value.SPOTLINE_SIMULATED_HOURS },
    replay: {
      dir: value.SPOTLINE_REPLAY_DIR ?? null,
      /** IANA zones by source: Etc/GMT+5 is a fixed UTC−5. */
      zones: value.SPOTLINE_REPLAY_ZONES,
      speed: value.SPOTLINE_REPLAY_SPEED,
      time: value.SPOTLINE_REPLAY_TIME,
      fromMs: value.SPOTLINE_REPLAY_FROM ?? null,
    },
    sessions: { hours: value.SPOTLINE_SESSION_HOURS, holidays: value.SPOTLINE_SESSION_HOLIDAYS },
  };
}
