import * as z from "zod";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { accessLogSetting } from "@/lib/platform/log/log";
import {
  listMissingProviderSettings,
  providerEnvironment,
  readProviders,
} from "@/lib/platform/settings/provider-settings";
import { proxyAddressesSetting, type TrustedProxies } from "@/lib/platform/settings/proxy-settings";
import {
  apiProcessesSetting,
  corsSetting,
  metricsEnvironment,
  readMetricsSettings,
  sessionHolidaysSetting,
  sessionHoursSetting,
  USUAL_WEBHOOK_PORTS,
  webhookPortsSetting,
} from "@/lib/platform/settings/server-settings";
import {
  address,
  choice,
  createSettingsError,
  describeUnknownNames,
  names,
  number,
  secret,
  whole,
  wholeIn,
} from "@/lib/platform/settings/settings";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * All settings, read once from the environment at start. `.env.example` describes each variable. All errors are
 * reported together, before anything is opened.
 */

const FOREXFACTORY_URL = "https://nfs.faireconomy.media/ff_calendar_thisweek.json";

const DEFAULT_PORT = 3_000;

const environment = z.object({
  NODE_ENV: choice("production", "development", "test").default("development"),
  PORT: whole(DEFAULT_PORT, 0, 65_535),
  SPOTLINE_HOST: z.string().default("127.0.0.1"),
  SPOTLINE_ROLES: names
    .pipe(z.array(choice("writer", "api", "pages")))
    .refine((roles) => roles.length > 0, "must name at least one of writer, api and pages")
    .prefault("writer,api,pages"),
  SPOTLINE_API_PROCESSES: apiProcessesSetting.prefault("auto"),
  SPOTLINE_URL: address(/^https?$/, "https://spotline.example.com").optional(),
  SPOTLINE_CORS_ORIGINS: corsSetting.prefault(""),
  SPOTLINE_DATA_DIR: z.string().default("data"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must be like postgres://user:password@127.0.0.1:5432/spotline")
    .optional(),
  DATABASE_READ_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must be like postgres://user:password@127.0.0.1:5433/spotline")
    .optional(),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, "must be like redis://127.0.0.1:6379")
    .optional(),
  SPOTLINE_REDIS_TIMEOUT_MS: whole(100, 5, 2_000),
  NEXTAUTH_SECRET: secret.optional(),
  SPOTLINE_PREVIOUS_SECRETS: names.pipe(z.array(secret)).default([]),
  SPOTLINE_TRUSTED_PROXIES: whole(0, 0, 10),
  SPOTLINE_TRUSTED_PROXY_ADDRESSES: proxyAddressesSetting.prefault(""),
  SPOTLINE_MAX_CONNECTIONS: whole(10_000, 1, 1_000_000),
  SPOTLINE_MAX_CONNECTIONS_PER_ADDRESS: whole(1_000, 1, 1_000_000),
  SPOTLINE_STOP_DELAY_MS: whole(1_000, 0, MINUTE_MS),
  SPOTLINE_SIGN_UP: choice("open", "invitation", "closed").default("invitation"),
  SPOTLINE_DEMO: choice("0", "1").default("0"),
  SPOTLINE_REQUIRE_SECOND_FACTOR: choice("nobody", "operators", "everyone").default("nobody"),
  SPOTLINE_MAX_KEY_LIFETIME_DAYS: wholeIn(1, 3_653).optional(),
  SPOTLINE_LANDING_SYMBOL: z
    .string()
    .refine((name) => name === "none" || instrumentBySymbol.has(name), "must be none or a symbol such as EURUSD")
    .optional(),
  SPOTLINE_LOG_LEVEL: choice("trace", "debug", "info", "warn", "error", "silent").default("info"),
  SPOTLINE_ACCESS_LOG: accessLogSetting.prefault("1"),
  ...metricsEnvironment,
  // The symbols may be stored ones, which lib/history/tapes/kept-ticks.ts checks.
  SPOTLINE_KEEP_TICKS: names.default([]),
  SPOTLINE_KEEP_TICKS_DAYS: whole(90, 1, 36_500),
  SPOTLINE_KEEP_M1_DAYS: whole(90, 1, 36_500),
  SPOTLINE_KEEP_M5_DAYS: whole(365, 1, 36_500),
  // Statistics go back as far as 30 days.
  SPOTLINE_KEEP_SPREADS_DAYS: whole(90, 31, 36_500),
  SPOTLINE_EXPORT_GB: number(10, 0.001, 100_000),
  // The kinds are known to lib/feeds/kinds/, which checks them.
  SPOTLINE_FEED: names.optional(),
  SPOTLINE_CONFIG: z.string().optional(),
  SPOTLINE_RECORD_FRAMES: z.string().optional(),
  SPOTLINE_SOURCE_PRIORITY: names.default([]),
  SPOTLINE_SIMULATED_SEED: z.string().default("spotline"),
  SPOTLINE_SIMULATED_HOURS: choice("always", "market").default("always"),
  SPOTLINE_CALENDAR: names
    .transform((list) => list.filter((name) => name !== "none"))
    .pipe(z.array(z.enum(["simulated", "forexfactory"], "must be none, or some of simulated, forexfactory")))
    .default(["simulated"]),
  SPOTLINE_FOREXFACTORY_URL: address(/^https?$/, FOREXFACTORY_URL).default(FOREXFACTORY_URL),
  ...providerEnvironment,
  SPOTLINE_INGEST_TOKEN: secret.optional(),
  SPOTLINE_SMTP_URL: address(/^smtps?$/, "smtp://user:password@mail.example.com:587").optional(),
  SPOTLINE_MAIL_FROM: z
    .string()
    .regex(/^([^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/, "must be an address, or a name and an address in angle brackets")
    .optional(),
  SPOTLINE_PUSH_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must be like mailto:you@example.com or https://example.com")
    .optional(),
  SPOTLINE_WEBHOOK_PRIVATE: choice("0", "1").default("0"),
  SPOTLINE_WEBHOOK_PORTS: webhookPortsSetting.optional(),
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
  SPOTLINE_REPLAY_TIME: choice("now", "own").default("now"),
  SPOTLINE_REPLAY_FROM: z.iso
    .datetime({ offset: true, error: "must be like 2014-05-02T12:00:00Z" })
    .transform(Date.parse)
    .optional(),
  SPOTLINE_SESSION_HOURS: sessionHoursSetting.prefault(""),
  SPOTLINE_SESSION_HOLIDAYS: sessionHolidaysSetting.prefault(""),
});

/** The names of all settings. */
export const SETTING_NAMES = Object.keys(environment.shape);

/** Describes each setting that another one needs. */
function listMissing(value: z.infer<typeof environment>): string[] {
  const missing = listMissingProviderSettings(value);
  if (value.SPOTLINE_FEED?.includes("replay") && value.SPOTLINE_REPLAY_DIR === undefined)
    missing.push("SPOTLINE_REPLAY_DIR: needed when SPOTLINE_FEED=replay");
  if (value.SPOTLINE_SMTP_URL !== undefined && value.SPOTLINE_MAIL_FROM === undefined)
    missing.push("SPOTLINE_MAIL_FROM: needed with SPOTLINE_SMTP_URL");
  if (value.DATABASE_READ_URL !== undefined && value.DATABASE_URL === undefined)
    missing.push("DATABASE_URL: needed with DATABASE_READ_URL, which is a replica of it");
  // What another machine writes is read from its database, and its prices come over Redis.
  if (!value.SPOTLINE_ROLES.includes("writer"))
    for (const name of ["DATABASE_URL", "REDIS_URL"] as const)
      if (value[name] === undefined) missing.push(`${name}: needed when SPOTLINE_ROLES leaves out writer`);
  return missing;
}

const formatLocalUrl = (port: string | number = DEFAULT_PORT) => `http://localhost:${port}`;

/** Whom push services may write to: the sender of mails, else the address of the site. Apple's refuses a host that is local. */
function choosePushContact(publicUrl: string, from: string | undefined): string {
  const sender = from === undefined ? undefined : /[^\s<>@]+@[^\s<>@]+/.exec(from)?.[0];
  if (sender !== undefined) return `mailto:${sender}`;
  return publicUrl.startsWith("https://") ? publicUrl : LOCAL_CONTACT;
}

/** What push services get where nothing else is known. */
export const LOCAL_CONTACT = "mailto:operator@localhost";

export type Config = ReturnType<typeof loadConfig>;

/** Reads the environment. Throws an Error that names every invalid variable, and why. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>) {
  // A blank line of `.env` sets an empty variable, which counts as not set.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  // next-auth's own name for the address. Each start sets it to the one below, which says nothing.
  const named = given.NEXTAUTH_URL?.replace(/\/api\/auth\/?$/, "");
  if (named !== undefined && URL.canParse(named) && named !== formatLocalUrl(given.PORT)) given.SPOTLINE_URL ??= named;
  const parsed = environment.safeParse(given);
  const faults = [
    ...describeUnknownNames(env, SETTING_NAMES),
    ...(parsed.error?.issues ?? []).map((issue) => `${String(issue.path[0])}: ${issue.message}`),
    ...(parsed.success ? listMissing(parsed.data) : []),
  ];
  if (!parsed.success || faults.length > 0) {
    throw createSettingsError(faults);
  }
  const value = parsed.data;
  const { SPOTLINE_SMTP_URL: smtpUrl, SPOTLINE_MAIL_FROM: from } = value;
  const publicUrl = (value.SPOTLINE_URL ?? formatLocalUrl(value.PORT)).replace(/\/+$/, "");
  return {
    production: value.NODE_ENV === "production",
    port: value.PORT,
    host: value.SPOTLINE_HOST,
    /** Whether this server receives and records prices; without it, it follows one that does. */
    isWriter: value.SPOTLINE_ROLES.includes("writer"),
    /** Whether this server answers calls. */
    servesApi: value.SPOTLINE_ROLES.includes("api"),
    /** Whether a process for the pages of the dashboard is started. */
    servesPages: value.SPOTLINE_ROLES.includes("pages"),
    /** How many processes answer calls. One is the server itself; more are processes beside it. */
    apiProcesses: value.SPOTLINE_API_PROCESSES,
    /** The address of the dashboard in browsers; null follows the port. */
    url: value.SPOTLINE_URL ?? null,
    /** The same for links in answers: never null, and without a slash at its end. */
    publicUrl,
    pushContact: value.SPOTLINE_PUSH_CONTACT ?? choosePushContact(publicUrl, from),
    /** The origins whose pages may call the API; null for none but our own. */
    corsOrigins: value.SPOTLINE_CORS_ORIGINS,
    dataDir: value.SPOTLINE_DATA_DIR,
    databaseUrl: value.DATABASE_URL,
    /** A replica from which bars and ticks are read; null for none. */
    databaseReadUrl: value.DATABASE_READ_URL ?? null,
    /** The Redis in which several processes count limits together; null if each process counts alone. */
    redis: value.REDIS_URL === undefined ? null : { url: value.REDIS_URL, deadlineMs: value.SPOTLINE_REDIS_TIMEOUT_MS },
    sessionSecret: value.NEXTAUTH_SECRET,
    /** Earlier values of it, under which the audit log has hashes. */
    previousSecrets: value.SPOTLINE_PREVIOUS_SECRETS,
    trustedProxies: {
      count: value.SPOTLINE_TRUSTED_PROXIES,
      addresses: value.SPOTLINE_TRUSTED_PROXY_ADDRESSES,
    } as TrustedProxies,
    /** How many connections may be open, in all and for one network address. */
    connections: {
      total: value.SPOTLINE_MAX_CONNECTIONS,
      perAddress: value.SPOTLINE_MAX_CONNECTIONS_PER_ADDRESS,
    },
    /** How long the server still answers after a signal, while `/ready` says that it stops. */
    stopDelayMs: value.SPOTLINE_STOP_DELAY_MS,
    /** Who may create an account; see lib/access/accounts/registration.ts. */
    signUp: value.SPOTLINE_SIGN_UP,
    hasDemo: value.SPOTLINE_DEMO === "1",
    /** The roles whose accounts need a second factor before they can use the dashboard. */
    requireSecondFactor: value.SPOTLINE_REQUIRE_SECOND_FACTOR,
    /** The longest life of new keys; null leaves it to their owners. */
    maxKeyLifetimeDays: value.SPOTLINE_MAX_KEY_LIFETIME_DAYS ?? null,
    /** The symbol that visitors without an account see, or "none"; null shows EURUSD while it is simulated. */
    landingSymbol: value.SPOTLINE_LANDING_SYMBOL ?? null,
    logLevel: value.SPOTLINE_LOG_LEVEL,
    accessLog: value.SPOTLINE_ACCESS_LOG,
    metrics: readMetricsSettings(value),
    /** Symbols and categories of which every tick is stored, or all. */
    keepTicks: value.SPOTLINE_KEEP_TICKS,
    /** For how many days records are retained; bars of an hour and longer are never removed. */
    keepDays: {
      ticks: value.SPOTLINE_KEEP_TICKS_DAYS,
      m1: value.SPOTLINE_KEEP_M1_DAYS,
      m5: value.SPOTLINE_KEEP_M5_DAYS,
      spreads: value.SPOTLINE_KEEP_SPREADS_DAYS,
    },
    /** The bytes that the files of exports over the API may take. */
    exportBytes: value.SPOTLINE_EXPORT_GB * 1024 ** 3,
    /** The kinds of feeds to run; null if the variable is not set. */
    feeds: value.SPOTLINE_FEED ?? null,
    /** The file of settings; null looks for spotline.config.ts and its other forms. */
    configFile: value.SPOTLINE_CONFIG ?? null,
    /** The file in which what venues send and are sent is recorded; null for none. */
    recordFrames: value.SPOTLINE_RECORD_FRAMES ?? null,
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
    /** What addresses webhooks may have; see lib/alerts/webhook-address.ts. */
    webhookRules: {
      isPrivateAllowed: value.SPOTLINE_WEBHOOK_PRIVATE === "1",
      ports:
        value.SPOTLINE_WEBHOOK_PORTS === undefined
          ? value.SPOTLINE_WEBHOOK_PRIVATE === "1"
            ? null
            : USUAL_WEBHOOK_PORTS
          : value.SPOTLINE_WEBHOOK_PORTS,
    },
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
