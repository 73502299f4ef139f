import { describeError } from "../../text/describe-error";

/**
 * Whether an error means that the database cannot be reached now, and not that the statement was wrong. Checks codes
 * and messages instead of classes: errors of `pg`, of Prisma and of Prisma's driver adapter are wrapped in each other,
 * and a bundle may contain a second copy of any class.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return hasSign(error, isUnavailable, 0);
}

/** Whether an error means that the database takes no changes. */
export function isReadOnlyDatabase(error: unknown): boolean {
  return hasSign(error, isReadOnly, 0);
}

export const READ_ONLY =
  "it is read-only: default_transaction_read_only is on for this user or database, or it is a replica";

/** The message of an error for people and programs: our own words in place of those of the database and its drivers. */
export function describeFault(error: unknown): string {
  if (isReadOnlyDatabase(error)) return `the database takes no changes, since ${READ_ONLY}`;
  const { severity, code } = Object(error) as { severity?: unknown; code?: unknown };
  if (code !== "DATABASE_UNAVAILABLE" && hasSign(error, isUnavailableByItsWords, 0)) return UNREACHABLE;
  if (severity !== undefined && /^\w{5}$/.test(String(code)))
    return `the database refused it, with the code ${String(code)}`;
  return describeError(error);
}

/** The system's code of a full disk, and PostgreSQL's. */
const FULL_DISK_CODES: readonly unknown[] = ["ENOSPC", "53100"];

/** Whether something could not be written because no space is left on the disk. */
export function isDiskFull(error: unknown): boolean {
  return FULL_DISK_CODES.includes((Object(error) as { code?: unknown }).code);
}

export const UNREACHABLE = "the database cannot be reached";

const CODES = new Set([
  // sockets
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  // PostgreSQL: connection exceptions, shutting down or starting up, too many connections, and
  // statements that it ended for want of time, of memory, or because of another one
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  "53000",
  "53200",
  "53300",
  "53400",
  "57014",
  "25P03",
  "25P04",
  "40001",
  "40P01",
  "55P03",
  // Prisma: cannot reach, timed out, closed, no connection from the pool in time
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "DATABASE_UNAVAILABLE",
]);

const ADAPTER_KINDS = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);

// Messages of `pg` and its pool that have no code.
const WORDS =
  /^(timeout exceeded when trying to connect|timeout expired|query read timeout|connection terminated|client has encountered a connection error|client was closed and is not queryable|cannot use a pool after calling end)/i;

interface Signs {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly syscall?: unknown;
  readonly kind?: unknown;
  readonly message?: unknown;
}

function isUnavailable({ code, originalCode, syscall, kind, message }: Signs): boolean {
  if (CODES.has(String(code)) || CODES.has(String(originalCode))) return true;
  // The socket does not exist while the embedded database restarts.
  if (code === "ENOENT" && syscall === "connect") return true;
  if (ADAPTER_KINDS.has(String(kind))) return true;
  if (typeof message === "string" && WORDS.test(message)) return true;
  return code === "P2028" && typeof message === "string" && message.includes("Unable to start a transaction");
}

/** Errors of sockets say which address, and may be of other servers. */
const isUnavailableByItsWords = (signs: Signs) => isUnavailable(signs) && !/^E[A-Z_]+$/.test(String(signs.code));

const READ_ONLY_CODE = "25006";
const isReadOnly = ({ code, originalCode }: Signs) => code === READ_ONLY_CODE || originalCode === READ_ONLY_CODE;

function hasSign(error: unknown, matches: (signs: Signs) => boolean, depth: number): boolean {
  if (typeof error !== "object" || error === null || depth > 8) return false;
  if (matches(error)) return true;
  const { cause, meta, errors } = error as Record<string, unknown>;
  const inner =
    typeof meta === "object" && meta !== null ? (meta as Record<string, unknown>)["driverAdapterError"] : null;
  return [cause, inner, ...(Array.isArray(errors) ? errors : [])].some((next) => hasSign(next, matches, depth + 1));
}

/** The database did not answer when it was opened. */
export class DatabaseUnavailable extends Error {
  readonly code = "DATABASE_UNAVAILABLE";
  constructor(where: string, cause: unknown) {
    const reason = describeFault(cause);
    super(`The database ${where} cannot be reached${reason === UNREACHABLE ? "" : `: ${reason}`}`, { cause });
    this.name = "DatabaseUnavailable";
  }
}

/**
 * Whether the address or the rights of a user are wrong: the address cannot be parsed, or PostgreSQL refuses the user,
 * the password, the database, or to create tables.
 */
export function isAccessRefused(error: unknown): error is Error {
  const { code } = error as { code?: unknown };
  return /^(ERR_INVALID_URL|28\w{3}|3D000|42501)$/.test(String(code));
}

/** The setting of the database does not give access to one. */
export class DatabaseRefused extends Error {
  readonly code = "DATABASE_REFUSED";
  constructor(cause: Error) {
    super(
      `DATABASE_URL gives no access to a database: ${cause.message}. Correct its user, password, address and name.`,
      {
        cause,
      },
    );
    this.name = "DatabaseRefused";
  }
}
