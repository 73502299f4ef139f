import os from "node:os";
import * as z from "zod";
import {
  SESSION_NAMES,
  type SessionHours,
  type SessionName,
  USUAL_SESSION_HOURS,
} from "@/lib/market/sessions/session-hours";
import { CITY_HOLIDAYS, type SessionsConfig } from "@/lib/market/sessions/sessions";
import { secret, wholeIn } from "@/lib/platform/settings/settings";
import { isZone } from "@/lib/time/zone-offset";

/** Sessions as the operator sets them; anything that is not set has its usual value. */

const HOURS = "must be like sydney=08:00-17:00 Australia/Sydney, separated by commas";
const HOLIDAYS = "must be like london=2029-01-01 2029-03-30, separated by commas";
const NOT_A_DATE = "names a date that does not exist";

/** "sydney=08:00-17:00 Australia/Sydney,london=…" */
export const sessionHoursSetting = z.string().transform((text, context): SessionsConfig["hours"] => {
  const hours = { ...USUAL_SESSION_HOURS };
  for (const entry of readEntries(text)) {
    const read = /^(\w+)=(\d\d):([0-5]\d)-(\d\d):([0-5]\d) +(\S+)$/.exec(entry);
    const [, name = "", fromHour, fromMinute, toHour, toMinute, zone = ""] = read ?? [];
    const opensAtMinute = Number(fromHour) * 60 + Number(fromMinute);
    const closesAtMinute = Number(toHour) * 60 + Number(toMinute);
    const isInOrder = opensAtMinute < closesAtMinute && closesAtMinute <= 24 * 60;
    if (!isSession(name) || !isInOrder || !isZone(zone)) {
      context.addIssue({ code: "custom", message: `${HOURS}; ${JSON.stringify(entry)} is not` });
      return z.NEVER;
    }
    hours[name] = { zone, opensAtMinute, closesAtMinute } satisfies SessionHours;
  }
  return hours;
});

/** "london=2029-01-01 2029-03-30,tokyo=…": the dates of a city and a year replace all built-in ones of that year. */
export const sessionHolidaysSetting = z.string().transform((text, context): SessionsConfig["holidays"] => {
  const holidays = { ...CITY_HOLIDAYS };
  for (const entry of readEntries(text)) {
    const read = /^(\w+)=(\d{4}-\d\d-\d\d(?: +\d{4}-\d\d-\d\d)*)$/.exec(entry);
    const [, name = "", list = ""] = read ?? [];
    if (!isSession(name)) {
      context.addIssue({ code: "custom", message: `${HOLIDAYS}; ${JSON.stringify(entry)} is not` });
      return z.NEVER;
    }
    const dates = list.split(/ +/);
    if (!dates.every((date) => z.iso.date().safeParse(date).success)) {
      context.addIssue({ code: "custom", message: `${NOT_A_DATE}: ${JSON.stringify(entry)}` });
      return z.NEVER;
    }
    const years = new Set(dates.map((date) => date.slice(0, 4)));
    const listDays = (year: string) => dates.filter((date) => date.startsWith(year)).map((date) => date.slice(5));
    const given = Array.from(years, (year) => [year, listDays(year).join(" ")] as const);
    holidays[name] = { ...holidays[name], ...Object.fromEntries(given) };
  }
  return holidays;
});

/** The ports of webhooks unless the setting names others. */
export const USUAL_WEBHOOK_PORTS: ReadonlySet<number> = new Set([443, 80, 8443, 8080]);

/** "443,8443,5678", or "any", which is null. */
export const webhookPortsSetting = z.string().transform((text, context): ReadonlySet<number> | null => {
  if (text.trim() === "any") return null;
  const ports = text.split(",").map((entry) => (/^\s*\d{1,5}\s*$/.test(entry) ? Number(entry) : 0));
  if (ports.every((port) => port > 0 && port < 65_536)) return new Set(ports);
  context.addIssue({ code: "custom", message: "must be any, or ports like 443,8443" });
  return z.NEVER;
});

function readEntries(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
}

function isSession(name: string): name is SessionName {
  return SESSION_NAMES.some((known) => known === name);
}

/** The settings of /metrics. */

export const metricsEnvironment = {
  SPOTLINE_METRICS_PORT: wholeIn(0, 65_535).optional(),
  SPOTLINE_METRICS_HOST: z.string().default("127.0.0.1"),
  SPOTLINE_METRICS_TOKEN: secret
    .regex(/^[\x21-\x7e]*$/, "must have no spaces, and only characters of ASCII")
    .optional(),
};

interface MetricsEnvironment {
  readonly SPOTLINE_METRICS_PORT?: number | undefined;
  readonly SPOTLINE_METRICS_HOST: string;
  readonly SPOTLINE_METRICS_TOKEN?: string | undefined;
}

/** Where Prometheus reads /metrics: at an address of its own, or at the public port with a token. */
export interface MetricsSettings {
  /** What a scrape must send; null only at an address of its own. */
  readonly token: string | null;
  /** Null: the public port. */
  readonly own: { readonly port: number; readonly host: string } | null;
}

/** Null where no metrics are served. */
export function readMetricsSettings(value: MetricsEnvironment): MetricsSettings | null {
  const { SPOTLINE_METRICS_PORT: port, SPOTLINE_METRICS_HOST: host, SPOTLINE_METRICS_TOKEN: token = null } = value;
  if (port !== undefined) return { token, own: { port, host } };
  return token === null ? null : { token, own: null };
}

/** The setting SPOTLINE_API_PROCESSES as a number. "auto" is one for each two cores: the writer, the pages and the database need the others. */
export const apiProcessesSetting = z
  .string()
  .regex(/^(auto|[1-9]\d?)$/, "must be auto, or a whole number from 1 to 99")
  .transform((text) => (text === "auto" ? Math.max(1, Math.floor(os.availableParallelism() / 2)) : Number(text)));

/** The origins whose pages may call the API, or `*` for all. */
export type CorsOrigins = ReadonlySet<string> | "*";

/** "https://app.example.com, http://localhost:5173", or "*"; null for none. */
export const corsSetting = z.string().transform((text, context): CorsOrigins | null => {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  if (entries.length === 0) return null;
  if (entries.includes("*")) return "*";
  const origins = entries.map((entry) => readOrigin(entry));
  const wrong = entries.find((_, at) => origins[at] === null);
  if (wrong !== undefined) {
    const message = `must be * or origins like https://app.example.com; ${JSON.stringify(wrong)} is not`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }
  return new Set(origins.filter((origin) => origin !== null));
});

/** The origin as browsers send it; null for an address with a path, and for what is none. */
export function readOrigin(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.host.includes("*")) return null;
  return url.href === `${url.origin}/` ? url.origin : null;
}
