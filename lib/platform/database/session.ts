import pg from "pg";
import { MINUTE_MS, SECOND_MS } from "../../time/units";

/**
 * What Spotline needs of a session. Roles and databases have defaults of their own, and these decide how PostgreSQL writes
 * times and numbers, where it finds tables, and when it ends a statement.
 */
const SESSION_SETTINGS = {
  // Prisma's adapter sends and reads timestamps without a zone, in ISO 8601.
  TimeZone: "UTC",
  DateStyle: "ISO, YMD",
  IntervalStyle: "postgres",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  // Prisma names this schema, and other statements none.
  search_path: "public",
  // Queries have time limits of their own, and long work such as a migration has none.
  statement_timeout: "0",
  lock_timeout: "0",
  default_transaction_isolation: "read committed",
};

/** Poolers set these of each session, so that they hold on whatever connection a statement is run. */
const TRACKED = ["TimeZone", "DateStyle"] as const;

/** A shorter time limit of the database would end usual work. */
const MIN_STATEMENT_MS = MINUTE_MS;

const OPTIONS = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(" ", "\\ ")}`)
  .join(" ");

/** How the sessions of a PostgreSQL are set up. It is found out by the first connection. */
export interface SessionSetup {
  /** Poolers that share connections between transactions may refuse options. Then the defaults must fit. */
  sendsOptions: boolean;
}

/**
 * Creates the class of the clients of a PostgreSQL. They set up their session as they begin it, because what a statement
 * sets is lost, or is another client's, behind a pooler that shares connections between transactions.
 */
export function createClientClass(setup: SessionSetup): typeof pg.Client {
  return class extends pg.Client {
    /** Overrides what pg sends first. */
    getStartupConf(): Record<string, string> {
      const parent = pg.Client.prototype as unknown as { getStartupConf(): Record<string, string> };
      const conf = parent.getStartupConf.call(this);
      for (const name of TRACKED) conf[name] = SESSION_SETTINGS[name];
      // The last of equal options holds.
      if (setup.sendsOptions) conf.options = [conf.options, OPTIONS].filter(Boolean).join(" ");
      return conf;
    }
  };
}

/** Does work that connects, again without options if a pooler refuses them. */
export async function retryWithoutOptions<T>(setup: SessionSetup, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!setup.sendsOptions || !refusesOptions(error)) throw error;
    setup.sendsOptions = false;
    return work();
  }
}

/** Whether a pooler refused the options of a session: PgBouncer as a protocol violation, others as not supported. */
function refusesOptions(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (code === "08P01" || code === "0A000") && /startup parameter|options/i.test(String(message));
}

/** A default of the role or the database, or of a pooler, under which Spotline would read or write something wrong. */
class SessionRefused extends Error {
  readonly code = "DATABASE_REFUSED";
  constructor(fault: string) {
    super(
      `The database does not suit Spotline: ${fault}. Change it with ALTER ROLE or ALTER DATABASE … SET, or connect ` +
        "without the pooler in between.",
    );
    this.name = "SessionRefused";
  }
}

interface SessionState {
  readonly style: string;
  readonly isUtc: boolean;
  readonly schema: string | null;
  readonly path: string;
  readonly digits: number;
  readonly strings: string;
  readonly timeoutMs: number;
}

const STATE = `SELECT current_setting('DateStyle') AS style, now()::timestamp = now() AT TIME ZONE 'UTC' AS "isUtc",
       current_schema() AS schema, current_setting('search_path') AS path,
       current_setting('extra_float_digits')::int AS digits, current_setting('standard_conforming_strings') AS strings,
       (SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout') AS "timeoutMs"`;

/** Throws SessionRefused unless the session is as it was set up, which a pooler may have left out. */
export async function requireSession(client: pg.ClientBase): Promise<void> {
  const [state] = (await client.query<SessionState>(STATE)).rows;
  const fault = state === undefined ? "it does not tell its settings" : findFault(state);
  if (fault !== null) throw new SessionRefused(fault);
}

function findFault({ style, isUtc, schema, path, digits, strings, timeoutMs }: SessionState): string | null {
  if (!style.startsWith("ISO")) return `DateStyle is ${style}, not ISO`;
  if (!isUtc) return "TimeZone is not UTC";
  if (schema === null) return `none of the schemas of search_path (${path}) exists`;
  if (schema !== "public") return `search_path is ${path}, and does not begin with the schema public`;
  if (digits < 1) return `extra_float_digits is ${digits}, which rounds numbers; it must be at least 1`;
  if (strings !== "on") return "standard_conforming_strings is off";
  if (timeoutMs > 0 && timeoutMs < MIN_STATEMENT_MS)
    return `statement_timeout is ${timeoutMs} ms; it must be 0, or at least ${MIN_STATEMENT_MS / SECOND_MS} s`;
  return null;
}
